'use strict';
// Random hands by boardgame.io's client, which holds the game itself.

const { createInterface } = require('node:readline');
const { Client } = require('boardgame.io/client');
const { hand, choose } = require('./hand.cjs');

function playHand() {
  const client = Client({ game: hand, numPlayers: 4, debug: false });
  client.start();
  let state = client.getState();
  while (!state.ctx.gameover) {
    client.moves.play(choose(state.G, Number(state.ctx.currentPlayer)));
    state = client.getState();
  }
  client.stop();
  return state.ctx.gameover.length;
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const start = process.cpuUsage();
  let tricks = 0;
  for (let left = Number(line); left > 0; left--) tricks += playHand();
  const spent = process.cpuUsage(start);
  console.log(JSON.stringify({ seconds: (spent.user + spent.system) / 1e6, tricks }));
});
