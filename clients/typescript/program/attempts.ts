// Moves that are tried before a turn, most of which are refused.

import { create } from "@bufbuild/protobuf";
import { CallKind, Card, type GameView, type Move, MoveSchema, type Seat, Strain } from "../src/v1.js";

/** What is tried while it is a seat's turn; the view is its own. */
export function beforeATurn(seat: Seat, view: GameView, revision: number): Move[] {
  const right = atTheRight(seat);
  const legal = view.legalMoves.map(({ action }) => (action.case === "card" ? action.value : undefined));
  const illegal = view.hand?.holding.find((card) => !legal.includes(card));
  return [
    passing(right),
    naming(right, Strain.HEARTS),
    passing(seat),
    bidding(seat, 7, Strain.HEARTS),
    bidding(seat, 7),
    bidding(seat, 6),
    bidding(seat, 14),
    create(MoveSchema, { seat, action: { case: "call", value: { kind: CallKind.DOUBLE } } }),
    naming(seat, Strain.NO_TRUMP),
    playing(seat, Card.CLUBS_TWO),
    ...(illegal === undefined ? [] : [playing(seat, illegal)]),
    { ...passing(seat), revision: revision - 1 },
  ];
}

export function atTheRight(seat: Seat): Seat {
  return (seat % 4) + 1;
}

export function passing(seat: Seat): Move {
  return create(MoveSchema, { seat, action: { case: "call", value: { kind: CallKind.PASS } } });
}

export function bidding(seat: Seat, tricks: number, strain = Strain.UNSPECIFIED): Move {
  return create(MoveSchema, { seat, action: { case: "call", value: { kind: CallKind.BID, tricks, strain } } });
}

function naming(seat: Seat, trump: Strain): Move {
  return create(MoveSchema, { seat, action: { case: "trump", value: trump } });
}

function playing(seat: Seat, card: Card): Move {
  return create(MoveSchema, { seat, action: { case: "card", value: card } });
}
