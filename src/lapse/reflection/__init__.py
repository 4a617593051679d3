"""What a session has gathered becomes one derived memory, with its sources."""
