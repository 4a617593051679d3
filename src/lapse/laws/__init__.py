"""Laws of decay: numbers in, numbers out. No clock, no store, no memory's text."""
