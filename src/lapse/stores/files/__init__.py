"""A store that is a folder: readable files, which a person can read, compare and back up."""
