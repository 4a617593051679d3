"""How much a memory matters when it is written. Never changes a memory by itself."""
