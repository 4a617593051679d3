"""Where the settings of other systems live in Lapse, as data for the reference."""
