"""Rows of the table of operations, by subject. The only logic here is what is said of them."""
