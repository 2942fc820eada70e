"""The design lab: is this game fair, how long is it, which rule is dead, and what would a house rule change?"""
