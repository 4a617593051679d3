"""The engine: what turns the pure parts of Lapse into verbs over a store.

Decides in which order reads, judgements, writes and index refreshes happen. Refuses every rule of
its own: laws, recall, intake, truth and lifecycle decide, the store keeps.
"""
