"""The games as environments of others: PettingZoo (`pettingzoo`) and OpenSpiel (`openspiel`), for any game of the registry."""
