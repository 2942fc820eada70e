"""Research of 40 Bridges: the fortress, tables of endgames on a graphics card, small boards."""
