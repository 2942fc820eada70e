"""The games as environments of other libraries: PettingZoo (`pettingzoo`) and OpenSpiel (`openspiel`), for any game."""
