from conformance.statements import fair
from conformance.statements.edits import edits, spoilt_games
from conformance.statements.notation import CLASSIC, dealt_to_order
from conformance.statements.positions import Setup, at, finished, position
from conformance.statements.section import Section

"""Impossible games: what is given, the cards, what was called and played, and what should follow."""


def given(made: Section) -> None:
    spoilt_games(
        made,
        at(CLASSIC, "W:7"),
        """
        untouched |  | An untouched game has no problem | none | none
        no-id |  | No id | -id | game.id MISSING
        preset-65 |  | A preset's name of 65 letters |
            preset_id=ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp | game.preset_id OUT_OF_RANGE
        preset-other | C86 | The preset's name is for display; the rules count | preset_id=house rules | none
        no-revision |  | No rules revision | -rules_revision | game.rules_revision MISSING
        no-rules | C86 | No rules | -rules | game.rules MISSING
        rule-missing | C86 | A rule left out | -rules.target | game.rules.target MISSING
        rule-odd |  | A rule's number that nobody knows | rules.doubling=9 | game.rules.doubling UNKNOWN_VALUE
        rules-contradict | C86 | Rules that contradict |
            rules.opening_lead=OPENING_LEAD_DEALER; rules.first_card=FIRST_CARD_TRUMP |
            game.rules.first_card CONTRADICTION
        rule-idle |  | A rule that does nothing beside the others: a game that has it plays on |
            rules.raised_double=RAISED_DOUBLE_GONE; rules.win_floor=WIN_FLOOR_BEFORE_HAND | none
        dealer-5 |  | A fifth dealer | dealer=5 | game.dealer UNKNOWN_VALUE
        no-dealer |  | No dealer | -dealer | game.dealer MISSING
        hand-0 |  | Hand number nought | -hand_number | game.hand_number OUT_OF_RANGE
        scores-3 |  | Three scores before the hand | hand.scores_before[2]=0 | game.hand.scores_before WRONG_COUNT
        score-wild |  | A score beyond a thousand million |
            hand.scores_before[0]=1000000001 | game.hand.scores_before[0] OUT_OF_RANGE
        hand-gone | C157 | The hand left out |
            -hand | game.hand MISSING
        dealer-moved | C130 | Another dealer: the bid came out of turn |
            dealer=SEAT_WEST | game.hand.calls[0].seat MISMATCH
        """,
    )
    spoilt_games(
        made,
        Setup(CLASSIC),
        """
        new-no-dealer |  | A new game without a dealer to come | -next_dealer | game.next_dealer MISSING
        new-phase |  | A new game in the auction | phase=PHASE_AUCTION | game.phase MISMATCH
        new-phase-0 | C128 | A new game in no phase | -phase | game.phase MISSING
        """,
    )


def hands(made: Section) -> None:
    spoilt_games(
        made,
        at(CLASSIC, "W:7"),
        """
        hand-twice | C130 | A card in two hands |
            hand.dealt[1].cards[0]=CARD_SPADES_TWO | game.hand.dealt[1].cards[0] DUPLICATE
        hand-12-14 | C130 | Twelve and fourteen cards |
            hand.dealt[0].cards[13]=CARD_HEARTS_TWO; -hand.dealt[1].cards[0] |
            game.hand.dealt[0].cards WRONG_COUNT, game.hand.dealt[1].cards WRONG_COUNT
        hand-card-0 |  | A card that is none | hand.dealt[0].cards[3]=0 | game.hand.dealt[0].cards[3] UNKNOWN_VALUE
        hand-card-99 | C130 C145 | A forged card |
            hand.dealt[0].cards[3]=99 | game.hand.dealt[0].cards[3] UNKNOWN_VALUE
        hand-three |  | Three hands | -hand.dealt[3] | game.hand.dealt WRONG_COUNT
        hand-five |  | Five hands | hand.dealt[4]={"cards": []} | game.hand.dealt WRONG_COUNT
        hand-turned | T3 | A turned card where none is turned |
            hand.turned_card=CARD_SPADES_ACE | game.hand.turned_card UNEXPECTED
        hand-any-order | C1 | A hand in another order is the same hand |
            hand.dealt[0].cards=$cards SA SK SQ SJ ST S9 S8 S7 S6 S5 S4 S3 S2 | none
        """,
    )
    spoilt_games(
        made,
        at("saharat_syrian_41", "W:3"),
        """
        hand-unturned | T3 | The turned card left out | -hand.turned_card | game.hand.turned_card MISSING
        hand-turned-other | T3 | The turned card of another |
            hand.turned_card=CARD_HEARTS_ACE | game.hand.turned_card NOT_DEALT
        hand-turned-same-suit | T3 | Another card of the dealer's, same suit: it can't be told |
            hand.turned_card=CARD_SPADES_TWO | none
        """,
    )


def history(made: Section) -> None:
    calls = at(CLASSIC, "W:7 S:8")
    spoilt_games(
        made,
        calls,
        """
        calls-low-bid | A1 C34 | A bid that beats nothing |
            hand.calls[1].tricks=7 | game.hand.calls[1] ILLEGAL_HISTORY
        calls-bid-14 | A1 | A bid of fourteen | hand.calls[1].tricks=14 | game.hand.calls[1] ILLEGAL_HISTORY
        calls-double | A10 | A double where there is none |
            hand.calls[1]={"seat": "SEAT_SOUTH", "kind": "CALL_KIND_DOUBLE"} | game.hand.calls[1] ILLEGAL_HISTORY
        calls-turn | C2 | A call out of turn | hand.calls[1].seat=SEAT_EAST | game.hand.calls[1].seat MISMATCH
        calls-no-kind | C128 | A call of no kind |
            -hand.calls[1].kind; -hand.calls[1].tricks | game.hand.calls[1].kind MISSING
        calls-kind-9 |  | A call of an unknown kind |
            hand.calls[1]={"seat": "SEAT_SOUTH", "kind": 9} | game.hand.calls[1].kind UNKNOWN_VALUE
        calls-pass-8 |  | A pass of eight | hand.calls[1].kind=CALL_KIND_PASS | game.hand.calls[1] UNEXPECTED
        calls-no-seat | C128 | A call of nobody | -hand.calls[0].seat | game.hand.calls[0].seat MISSING
        """,
    )
    spoilt_games(
        made,
        at(CLASSIC, "W:13"),
        """
        calls-after | A4 | A call after the auction |
            hand.calls[1]={"seat": "SEAT_SOUTH", "kind": "CALL_KIND_BID"} | game.hand.calls[1] UNEXPECTED
        """,
    )
    spoilt_games(
        made,
        _in_play(),
        f"""
        played-not-dealt | C130 | A card that the seat was not dealt |
            hand.played[1]=CARD_DIAMONDS_FOUR | game.hand.played[1] NOT_DEALT
        played-twice | C14 C130 | A card played twice |
            hand.played[4]=CARD_SPADES_ACE | game.hand.played[4] PLAYED_TWICE
        played-revoke | C5 C130 | A card that did not follow |
            hand.played[1]=CARD_CLUBS_NINE | game.hand.played[1] ILLEGAL_HISTORY
        played-no-card |  | A card that is none | hand.played[4]=15 | game.hand.played[4] UNKNOWN_VALUE
        played-53 | C8 | Fifty-three cards |
            hand.played=$cards {" ".join(fair.DECK)} C2 | game.hand.played WRONG_COUNT
        """,
    )
    spoilt_games(
        made,
        calls,
        """
        played-early | P2 | A card in the auction | hand.played=$cards S2 | game.hand.played UNEXPECTED
        """,
    )


def derived(made: Section) -> None:
    spoilt_games(
        made,
        _in_play([10, 10]),
        """
        derived-winner | C6 C130 | A wrong winner |
            hand.trick_winners[0]=SEAT_EAST | game.hand.trick_winners[0] MISMATCH
        derived-winners-0 | C122 C130 | No winner | -hand.trick_winners | game.hand.trick_winners WRONG_COUNT
        derived-winners-2 | C122 C130 | Two winners of one trick |
            hand.trick_winners[1]=SEAT_SOUTH | game.hand.trick_winners WRONG_COUNT
        derived-turn | C10 C130 | The turn of another | seat_to_act=SEAT_SOUTH | game.seat_to_act MISMATCH
        derived-no-turn | C128 | Nobody's turn | -seat_to_act | game.seat_to_act MISSING
        derived-turn-5 |  | A fifth seat's turn | seat_to_act=5 | game.seat_to_act UNKNOWN_VALUE
        derived-phase |  | Another phase | phase=PHASE_AUCTION | game.phase MISMATCH
        derived-no-phase | C128 | No phase | -phase | game.phase MISSING
        derived-phase-9 |  | An unknown phase | phase=9 | game.phase UNKNOWN_VALUE
        derived-contract | C130 | Another contract | hand.contract.tricks=12 | game.hand.contract.tricks MISMATCH
        derived-declarer | C130 | Another declarer |
            hand.contract.declarer=SEAT_WEST | game.hand.contract.declarer MISMATCH
        derived-declarer-9 |  | An unknown declarer |
            hand.contract.declarer=9 | game.hand.contract.declarer UNKNOWN_VALUE
        derived-doubled | C130 | Doubled by nobody | hand.contract.doubled=true | game.hand.contract.doubled MISMATCH
        derived-contract-strain | T1 | A strain where none is bid |
            hand.contract.strain=STRAIN_HEARTS | game.hand.contract.strain UNEXPECTED
        derived-winner-9 |  | An unknown winner | hand.trick_winners[0]=9 | game.hand.trick_winners[0] UNKNOWN_VALUE
        derived-chain | C130 | Contract and leader: what hangs on a wrong part is not judged |
            hand.contract.tricks=12; hand.opening_leader=SEAT_WEST | game.hand.contract.tricks MISMATCH
        derived-no-contract | C127 | No contract | -hand.contract | game.hand.contract MISSING
        derived-leader | C44 | Another leader | hand.opening_leader=SEAT_WEST | game.hand.opening_leader MISMATCH
        derived-no-leader |  | No leader | -hand.opening_leader | game.hand.opening_leader MISSING
        derived-no-trump | T1 | No trump although cards were played | -hand.trump | game.hand.trump MISSING
        derived-trump-nt | A7 | No-trump named | hand.trump=STRAIN_NO_TRUMP | game.hand.trump UNKNOWN_VALUE
        derived-outcome | C100 | An end that has not come |
            outcome={"winner": "TEAM_NORTH_SOUTH", "loser": "TEAM_WEST_EAST", "reason": "WIN_REASON_TARGET"} |
            game.outcome UNEXPECTED
        derived-result |  | A result that has not come |
            hand.result={"end": "HAND_END_SCORED"} | game.hand.result UNEXPECTED
        derived-next-dealer |  | A next dealer during play | next_dealer=SEAT_NORTH | game.next_dealer UNEXPECTED
        derived-scores | C149 | Scores changed in the game alone | scores[0]=40 | game.scores[0] MISMATCH
        derived-scores-trusted | C149 | Scores changed before the hand too: the caller is trusted |
            scores[0]=40; hand.scores_before[0]=40 | none
        derived-two | C130 | Two lies, both named |
            scores[0]=40; seat_to_act=SEAT_SOUTH | game.scores[0] MISMATCH, game.seat_to_act MISMATCH
        """,
    )
    spoilt_games(
        made,
        at("saharat_400", "W:3"),
        """
        derived-400-trump | T4 C130 | 400: trump is hearts | hand.trump=STRAIN_SPADES | game.hand.trump MISMATCH
        """,
    )
    spoilt_games(
        made,
        finished(),
        """
        derived-other-team | C100 | Another team won | outcome.winner=TEAM_WEST_EAST | game.outcome.winner MISMATCH
        derived-no-winner | C70 | A game won by nobody | -outcome | game.outcome MISSING
        derived-points | S1 | Other points | hand.result.lines[0].points=10 | game.hand.result.lines[0].points MISMATCH
        derived-outcome-9 |  | A game won by a third team | outcome.winner=9 | game.outcome.winner UNKNOWN_VALUE
        derived-end-9 |  | An unknown end of a hand | hand.result.end=9 | game.hand.result.end UNKNOWN_VALUE
        derived-hand-gone | C157 | The last hand left out after the end | -hand | game.hand MISSING
        derived-target | C86 C148 | Another target after the end: the outcome no longer follows |
            rules.target=100 | game.phase MISMATCH
        played-left-out | C130 | A card left out in the middle: the first break alone |
            -hand.played[20] | game.hand.played[20] NOT_DEALT
        """,
    )


def forged(made: Section) -> None:
    """Bids, results and outcomes that do not follow; and what was played when a revoke had ended the hand."""
    spoilt_games(
        made,
        at("saharat_400", "W:3 S:4 E:3 N:3"),
        """
        forged-call | A12 A13 | 400: another bid than was called, below the own minimum |
            hand.calls[0].tricks=1 | game.hand.calls[0] ILLEGAL_HISTORY
        """,
    )
    hands = dealt_to_order({"N": "S5 S6 D3", "W": "S9 D6", "S": "S2 D7", "E": "SK D8 H2"})
    start = "N:S5 W:S9 S:S2 E:SK E:D8"
    zone, four = (
        position(preset, "H", "N", "revoke-in-two", hands, revoke="forfeits").play(start, "N:S6")
        for preset in ("cardgames_zone", "saharat_400")
    )
    spoilt_games(
        made,
        zone,
        """
        forged-forfeit | R2 | An untouched hand that a revoke has ended | none | none
        forged-card-after | R2 C130 | A card after the revoke that lost the hand |
            hand.played[6]=CARD_DIAMONDS_SIX | game.hand.played[6] UNEXPECTED
        forged-cards-after | R2 C130 | Two cards after it: the first is named |
            hand.played[6]=CARD_DIAMONDS_SIX; hand.played[7]=CARD_DIAMONDS_SEVEN | game.hand.played[6] UNEXPECTED
        forged-offender | R2 | Another offender |
            hand.result.offender=SEAT_EAST | game.hand.result.offender MISMATCH
        forged-no-offender | R2 | No offender | -hand.result.offender | game.hand.result.offender MISSING
        forged-offender-9 |  | An unknown offender |
            hand.result.offender=9 | game.hand.result.offender UNKNOWN_VALUE
        forged-end | R2 | Lost by a revoke, said to be played out |
            hand.result.end=HAND_END_SCORED | game.hand.result.end MISMATCH
        forged-bid | S1 | Another bid in the result |
            hand.result.lines[0].bid=8 | game.hand.result.lines[0].bid MISMATCH
        forged-made | S1 | A bid that failed, said to be made |
            hand.result.lines[0].made=true | game.hand.result.lines[0].made MISMATCH
        forged-tricks | R2 | Other tricks |
            hand.result.lines[1].tricks=12 | game.hand.result.lines[1].tricks MISMATCH
        """,
    )
    spoilt_games(
        made,
        four,
        """
        forged-400-bid | S9 | 400: another bid of one player |
            hand.result.lines[2].bid=7 | game.hand.result.lines[2].bid MISMATCH
        forged-400-made | S9 R2 | 400: the offender's bid, said to be made |
            hand.result.lines[0].made=true | game.hand.result.lines[0].made MISMATCH
        """,
    )
    spoilt_games(
        made,
        finished(),
        """
        forged-loser | W1 C100 | The winner lost too | outcome.loser=TEAM_NORTH_SOUTH | game.outcome.loser MISMATCH
        forged-loser-9 |  | A third team lost | outcome.loser=9 | game.outcome.loser UNKNOWN_VALUE
        forged-reason | W1 C100 | Won for another reason |
            outcome.reason=WIN_REASON_SWEEP | game.outcome.reason MISMATCH
        forged-reason-9 |  | An unknown reason | outcome.reason=9 | game.outcome.reason UNKNOWN_VALUE
        forged-offender-scored | R2 | An offender where nobody revoked |
            hand.result.offender=SEAT_EAST | game.hand.result.offender UNEXPECTED
        """,
    )


def _in_play(scores: list[int] | None = None) -> Setup:
    """South has taken the first trick with his ace of spades, and led another."""
    hands = dealt_to_order({"N": "S7 S8", "W": "S2 C9 S4", "S": "SA S3 HK", "E": "S9 D4"})
    setup = Setup(CLASSIC, "E", scores).deal("spades-all-round", hands)
    return setup.play("N:13 N:=H N:S7 W:S2 S:SA E:S9 S:S3")


def both_sides(made: Section) -> None:
    setup = at(CLASSIC, "W:7")
    request = {"game": "$game", "move": {"seat": 9}}
    lies = edits("seat_to_act=SEAT_NORTH; scores[1]=5", "game.")
    found = "game.scores[1] MISMATCH, game.seat_to_act MISMATCH, move.seat UNKNOWN_VALUE, move MISSING"
    for rpc in ("ValidateMove", "ApplyMove"):
        made.invalid(
            f"both-{rpc.lower()}",
            f"Game and move: every problem of both ({rpc})",
            "C130",
            rpc,
            request,
            found,
            setup,
            edits=lies,
        )
    fifty = [{"set": f"game.hand.dealt[{place}].cards", "to": [0] * 13} for place in range(4)]
    listed = ",".join(
        f"game.hand.dealt[{place // 13}].cards[{place % 13}] UNKNOWN_VALUE" for place in range(32)
    )
    made.invalid(
        "many",
        "Fifty-two problems: 32 are shown, and their number",
        "C130",
        "ListLegalMoves",
        {"game": "$game"},
        listed,
        setup,
        edits=fifty,
        problems=52,
    )
