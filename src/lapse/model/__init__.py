"""The values Lapse works on: frozen, validated at construction, blind to where they are kept."""
