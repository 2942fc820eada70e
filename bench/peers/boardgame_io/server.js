// A board of 40 squares that two players take in turn and that is cleared when it is full: little work a move, so that
// what is measured is the server. Matches are made when somebody asks for one. In memory, as it comes.
const { Server, Origins } = require("boardgame.io/server");

const squares = {
	name: "squares",
	setup: () => ({ cells: Array(40).fill(null), taken: 0 }),
	turn: { minMoves: 1, maxMoves: 1 },
	moves: {
		take: ({ G, playerID }, place) => {
			if (G.cells[place] !== null) return "INVALID_MOVE";
			G.cells[place] = playerID;
			G.taken += 1;
			if (G.taken === 40) { G.cells = Array(40).fill(null); G.taken = 0; }
		},
	},
};

const server = Server({ games: [squares], origins: [Origins.LOCALHOST] });
server.run(0).then(({ appServer }) => console.log(`http://127.0.0.1:${appServer.address().port}`));
