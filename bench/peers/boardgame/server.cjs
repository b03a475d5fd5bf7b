'use strict';
// Random hands by boardgame.io's server on this machine, its own CPU time alone; the players are another process.

const { createInterface } = require('node:readline');
const { fork } = require('node:child_process');
const path = require('node:path');
const { Server } = require('boardgame.io/server');
const { hand } = require('./hand.cjs');

// Standard output is for answers alone.
console.info = console.error;
console.log = console.error;

async function main() {
  const server = Server({ games: [hand], origins: [/127\.0\.0\.1/] });
  const { appServer } = await server.run({ port: 0, host: '127.0.0.1' });
  const players = fork(path.join(__dirname, 'seats.cjs'), [String(appServer.address().port)]);
  let start;
  players.on('message', ({ tricks }) => {
    const spent = process.cpuUsage(start);
    process.stdout.write(`${JSON.stringify({ seconds: (spent.user + spent.system) / 1e6, tricks })}\n`);
  });
  players.on('exit', () => process.exit(1));
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      start = process.cpuUsage();
      players.send({ hands: Number(line) });
    })
    .on('close', () => process.exit(0));
}

main();
