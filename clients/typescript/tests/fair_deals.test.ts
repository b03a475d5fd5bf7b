import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import * as text from "../program/text.js";
import { commitment, deck, firstDealer, hands } from "../src/fair_deals.js";
import { Seat } from "../src/v1.js";

const PAGE = readFileSync(new URL("../../../../docs/fair-deals.md", import.meta.url), "utf8");
const [, shown = ""] = /^## Vectors$.*?```text\n(.*?)```/ms.exec(PAGE) ?? [];
const VECTORS = shown.trim().split("\n\n").map(vector);
const SEATS = ["", "North", "West", "South", "East"];

function vector(block: string): Map<string, string> {
  return new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]),
  );
}

test("the page has vectors", () => assert.equal(VECTORS.length, 4));

for (const each of VECTORS) {
  const of = (key: string) => each.get(key) ?? "";
  const bytes = (key: string) => Buffer.from(of(key) === "-" ? "" : of(key), "hex");
  const [seed, cut, game, hand] = [bytes("seed"), bytes("cut"), of("game"), Number(of("hand"))];

  test(`hand ${hand} of ${game} with the cut ${of("cut")}`, () => {
    assert.equal(text.hex(commitment(seed, game, hand)), of("commitment"));
    assert.equal(SEATS[firstDealer(seed, game)], of("dealer"));
    assert.equal(deck(seed, cut, game, hand).map(text.card).join(" "), of("deck"));
  });
}

test("the seat at the dealer's right is dealt first, and the dealer last", () => {
  const cards = deck(Buffer.alloc(16), Buffer.alloc(0), "g-1", 1);
  for (const order of ["singly", "packets"] as const) {
    const dealt = hands(cards, Seat.SOUTH, order);
    assert.deepEqual(
      dealt.map((hand) => hand.length),
      [13, 13, 13, 13],
    );
    assert.ok(dealt[3]?.includes(cards[0] ?? 0), "East has the first");
    assert.equal(dealt[order === "singly" ? 0 : 3]?.includes(cards[1] ?? 0), true);
    assert.ok(dealt[2]?.includes(cards[51] ?? 0), "South has the last");
  }
});
