"""Taking memories in: from what a caller wrote to what is stored.

Decides when something told is new, told again or a new value of a claim. Refuses to decide what a
new value does to the older ones (`truth`) and how strength grows (`lifecycle`).
"""
