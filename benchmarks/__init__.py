"""What Lapse costs and how well it finds, measured. Nothing here is installed with the package."""
