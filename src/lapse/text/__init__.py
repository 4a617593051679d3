"""What a text is to Lapse: its terms, its fingerprint, its distinctions. No ranking, no storage."""
