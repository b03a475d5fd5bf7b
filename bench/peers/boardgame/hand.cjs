'use strict';
// A trick-taking hand as a boardgame.io game, and a player who plays any legal card. Cards are suit * 16 + rank.

const { INVALID_MOVE } = require('boardgame.io/core');

const TRUMP = 4;
const DECK = [1, 2, 3, 4].flatMap((suit) => Array.from({ length: 13 }, (_, rank) => suit * 16 + rank + 2));

function legal(G, seat) {
  const holding = G.holdings[seat];
  if (G.trick.length === 0) return holding;
  const following = holding.filter((card) => card >> 4 === G.trick[0] >> 4);
  return following.length ? following : holding;
}

function taker(trick) {
  let best = 0;
  for (let place = 1; place < 4; place++) {
    const beaten = trick[place] >> 4 === trick[best] >> 4 ? trick[place] > trick[best] : trick[place] >> 4 === TRUMP;
    if (beaten) best = place;
  }
  return best;
}

function play({ G, playerID }, card) {
  const seat = Number(playerID);
  if (!legal(G, seat).includes(card)) return INVALID_MOVE;
  G.holdings[seat].splice(G.holdings[seat].indexOf(card), 1);
  G.trick.push(card);
  G.next = (seat + 1) % 4;
  if (G.trick.length === 4) {
    // The last of the four sits at the leader's left.
    G.next = (seat + 1 + taker(G.trick)) % 4;
    G.winners.push(G.next);
    G.trick = [];
  }
}

const hand = {
  name: 'hand',
  minPlayers: 4,
  maxPlayers: 4,
  setup: ({ random }) => {
    const deck = random.Shuffle(DECK);
    const holdings = [0, 1, 2, 3].map((seat) => deck.slice(13 * seat, 13 * seat + 13));
    return { holdings, trick: [], winners: [], next: 0 };
  },
  // By the server alone, where there is one: no client guesses ahead of it.
  moves: { play: { move: play, client: false } },
  turn: { minMoves: 1, maxMoves: 1, order: { first: () => 0, next: ({ G }) => G.next } },
  endIf: ({ G }) => (G.winners.length === 13 ? G.winners : undefined),
};

function choose(G, seat) {
  const cards = legal(G, seat);
  return cards[Math.floor(Math.random() * cards.length)];
}

module.exports = { hand, choose };
