"""The demo: eight months between a person and their companion, told with computed numbers only.

Decides what a newcomer sees first. Refuses to hold any rule of Lapse: it uses the public façade, as
any other program would, with a clock that it moves itself.
"""
