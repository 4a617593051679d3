"""Lapse beside another store: ranking what that store found."""
