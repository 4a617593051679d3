"""Finding what names exactly one thing: addresses, numbers, codes, dates, paths and names."""
