// The lines of a transcript: clients/PROGRAM.md says how each thing is written.

import {
  type Call,
  CallKind,
  type CallMade,
  type Card,
  type Contract,
  type Event,
  type GameView,
  HandEnd,
  type HandResult,
  type HandView,
  type Move,
  type Outcome,
  Phase,
  type ScoreLine,
  type Seat,
  type Strain,
  type Team,
  type Trick,
  type Viewer,
  WinReason,
} from "../src/v1.js";

const SEATS = ["-", "N", "W", "S", "E", "V"];
const TEAMS = ["-", "NS", "WE"];
const STRAINS = ["-", "C", "D", "H", "S", "NT"];
const RANKS = [..."..23456789TJQKA"];

export const seat = (value: Seat | Viewer) => at(SEATS, value);
export const team = (value: Team) => at(TEAMS, value);
export const strain = (value: number) => at(STRAINS, value);
export const rank = (value: Card) => at(RANKS, value & 15);
export const card = (value: Card) => (value ? strain(value >> 4) + rank(value) : "-");
export const check = (good: boolean) => (good ? "yes" : "no");
export const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
export const bid = (tricks: number, of: Strain) => `${tricks}${of ? strain(of) : ""}`;
export const phase = (value: Phase) => lower(Phase, value);

export function joined(parts: readonly (string | number)[], by = ","): string {
  return parts.join(by) || "-";
}

export function move({ seat: mover, action }: Move): string {
  switch (action.case) {
    case "card":
      return `${seat(mover)}:${card(action.value)}`;
    case "trump":
      return `${seat(mover)}:=${strain(action.value)}`;
    case "call":
      return `${seat(mover)}:${call(action.value)}`;
    default:
      throw new RangeError("a move without an action");
  }
}

function call({ kind, tricks, strain: of }: Call | CallMade): string {
  if (kind === CallKind.BID) return bid(tricks, of);
  return kind === CallKind.PASS ? "pass" : "double";
}

const callMade = (value: CallMade) => `${seat(value.seat)}:${call(value)}`;

export function events(values: readonly Event[]): string {
  return values.map(event).filter(Boolean).join("; ");
}

function event({ event: { case: kind, value } }: Event): string {
  switch (kind) {
    case "handDealt": {
      const turned = value.turnedCard ? ` turned ${card(value.turnedCard)}` : "";
      const trump = value.trump ? ` trump ${strain(value.trump)}` : "";
      return `dealt ${value.handNumber} ${seat(value.dealer)}${turned}${trump}`;
    }
    case "callMade":
      return callMade(value);
    case "auctionWon":
      return `contract ${contract(value, " doubled")}`;
    case "trumpNamed":
      return `${seat(value.seat)}:=${strain(value.trump)}`;
    case "cardPlayed":
      return `${seat(value.seat)}:${card(value.card)}`;
    case "trickWon":
      return `trick ${value.trickNumber} ${seat(value.seat)}`;
    case "handEnded":
      return `ended ${value.handNumber} ${result(value.result)} ${joined(value.scores)}`;
    case "gameWon":
      return `won ${team(value.winner)} ${lower(WinReason, value.reason)}`;
    case "moveUndone": {
      const undone = value.move ? move(value.move) : "-";
      return `undone ${value.handNumber} ${undone}${value.handReopened ? " reopened" : ""}`;
    }
    default:
      // An event that these stubs do not know.
      return "";
  }
}

function contract({ declarer, tricks, strain: of, doubled }: Contract, ifDoubled: string): string {
  return `${seat(declarer)}:${bid(tricks, of)}${doubled ? ifDoubled : ""}`;
}

function result(value: HandResult | undefined): string {
  if (!value) return "-";
  return `${lower(HandEnd, value.end)}:${joined(value.lines.map(scoreLine), "/")}:${seat(value.offender)}`;
}

function scoreLine({ side, bid: tricksBid, tricks, points, made }: ScoreLine): string {
  const whose = side.case === "seat" ? seat(side.value) : team(side.value ?? 0);
  const outcome = made === undefined ? "-" : made ? "made" : "failed";
  return joined([whose, tricksBid ?? "-", tricks, points, outcome], ".");
}

/** A view in one line. */
export function view(value: GameView): string {
  const pairs: [string, string | number][] = [
    ["id", value.id],
    ["preset", value.presetId],
    ["revision", value.revision],
    ["scores", joined(value.scores)],
    ["hand", value.handNumber],
    ["dealer", seat(value.dealer)],
    ["next", seat(value.nextDealer)],
    ["cutter", seat(value.cutter)],
    ["phase", phase(value.phase)],
    ["act", seat(value.seatToAct)],
    ["outcome", outcome(value.outcome)],
    ["legal", joined(value.legalMoves.map(move))],
  ];
  if (value.hand) pairs.push(...handPairs(value.hand));
  return `view ${seat(value.viewer)} ${pairs.map(([key, told]) => `${key}=${told}`).join(" ")}`;
}

function outcome(value: Outcome | undefined): string {
  return value ? `${team(value.winner)}.${team(value.loser)}.${lower(WinReason, value.reason)}` : "-";
}

function handPairs(hand: HandView): [string, string][] {
  return [
    ["holding", cards(hand.holding)],
    ["counts", joined(hand.holdingCounts)],
    ["turned", card(hand.turnedCard)],
    ["calls", joined(hand.calls.map(callMade))],
    ["contract", hand.contract ? contract(hand.contract, ".doubled") : "-"],
    ["trump", strain(hand.trump)],
    ["leader", seat(hand.openingLeader)],
    ["trick", hand.trick ? trick(hand.trick) : "-"],
    ["past", joined(hand.pastTricks.map(trick))],
    ["taken", joined(hand.trickCounts)],
    ["result", result(hand.result)],
    ["revealed", joined(hand.revealed.map((each) => cards(each.cards, "/")))],
  ];
}

function trick(value: Trick): string {
  return joined([value.number, seat(value.leader), cards(value.cards, "/"), seat(value.winner)], ".");
}

function cards(values: readonly Card[], by = ","): string {
  return joined(values.map(card), by);
}

/** The name of an enum's value, without its type's prefix as the stubs have it. */
function lower(names: Record<number, string>, value: number): string {
  return names[value]?.toLowerCase() ?? String(value);
}

function at(names: readonly string[], index: number): string {
  const name = names[index];
  if (name === undefined) throw new RangeError(`${index} is none of ${names.join(" ")}`);
  return name;
}
