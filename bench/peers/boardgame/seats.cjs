'use strict';
// Four players at the server's table: each has a connection, and moves when it is its turn.

const { Client } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const { hand, choose } = require('./hand.cjs');

const server = `http://127.0.0.1:${process.argv[2]}`;

async function playHand() {
  const answer = await fetch(`${server}/games/hand/create`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ numPlayers: 4, setupData: null }),
  });
  const { matchID } = await answer.json();
  const clients = [];
  for (const playerID of ['0', '1', '2', '3']) {
    const joined = await fetch(`${server}/games/hand/${matchID}/join`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ playerID, playerName: playerID }),
    });
    const { playerCredentials } = await joined.json();
    clients.push(
      Client({
        game: hand,
        numPlayers: 4,
        debug: false,
        matchID,
        playerID,
        credentials: playerCredentials,
        multiplayer: SocketIO({ server }),
      }),
    );
  }
  const tricks = await new Promise((resolve) => {
    clients.forEach((client, seat) => {
      let answered = -1;
      client.subscribe((state) => {
        if (!state) return;
        if (state.ctx.gameover) resolve(state.ctx.gameover.length);
        // A state may be shown twice; who moves while it is being shown would move twice, too.
        else if (Number(state.ctx.currentPlayer) === seat && state._stateID > answered) {
          answered = state._stateID;
          setImmediate(() => client.moves.play(choose(state.G, seat)));
        }
      });
      client.start();
    });
  });
  clients.forEach((client) => client.stop());
  return tricks;
}

process.on('message', async ({ hands }) => {
  let tricks = 0;
  for (let left = hands; left > 0; left--) tricks += await playHand();
  process.send({ tricks });
});
process.on('disconnect', () => process.exit(0));
