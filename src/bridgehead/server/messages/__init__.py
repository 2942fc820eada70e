"""Every message and answer of the protocol, as structs."""
