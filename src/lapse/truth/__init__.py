"""What is still so, and what was known when. Never touches how strong a memory is."""
