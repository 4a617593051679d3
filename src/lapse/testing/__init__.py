"""Shipped suites that any store or law can be held against."""
