"""Scores of forfeited hands, and what is no hand."""

from conformance.statements.edits import spoilt_requests
from conformance.statements.notation import choice, contract, lines_of, seat
from conformance.statements.positions import explained, lines_json
from conformance.statements.scores import asked
from conformance.statements.section import Disagreement, Section
from conformance.statements.tables import numbers, rows
from tests.oracle.scoring import forfeited_lines


def forfeited(made: Section) -> None:
    # Who revoked, tricks as awarded, points.
    table = """
        declarers | Declarers revoke after taking five | classic | N:8 | N | 5,8 | -8,8
        defenders | Defenders revoke: the larger of bid and tricks | classic | N:8 | W | 10,3 | 10,0
        defenders-few | The bid, when it is the larger | classic | N:10 | E | 8,5 | 10,0
        late | Eleven tricks taken, and a revoke in the twelfth | classic | N:8 | W | 2,11 | 8,0
        no-sweep | No sweep value | classic | N:8 | W | 13,0 | 13,0
        no-slam | No slam value: minus the bid | classic | N:13 | S | 0,13 | -13,13
        no-outright | Nor do 13 awarded win outright | tarneeb_wikipedia | N:8 | W | 13,0 | 13,0
        no-outright-defenders | Nor for the defenders | tarneeb_wikipedia | N:8 | S | 0,13 | -8,13
        no-outright-slam | Nor with a bid of 13, where only that wins |
            tarneeb_wikipedia sweep_wins=when_bid | N:13 | E | 13,0 | 13,0
        always | A house where defenders always score | classic defenders_score=always | N:8 | W | 10,3 | 10,3
        never | A house where defenders never score |
            classic defenders_score=never | N:8 | N | 5,8 | -8,0
        bidders | A double for the bidders alone |
            egyptian doubled_result=bidders | N:8HX | N | 5,8 | -16,8
        doubled | Doubled, and the defenders revoke | egyptian | N:8HX | W | 10,3 | 20,0
        doubled-failed | Doubled, and the declarers revoke | egyptian | N:8HX | N | 5,8 | -16,16
        none-many | No auction: the other side's tricks | cardgames_zone_turned_trump | none | N | 3,10 | 0,10
        none-few | No auction: at least seven | cardgames_zone_turned_trump | none | N | 8,5 | 0,7
        seats | The offender's side fails, the other's bids are made |
            saharat_400 | 3,3,3,3 | N | 1,2,0,1 | -3,3,-3,3
    """
    for slug, title, chosen, bid, offender, counts, told in rows(table, 7):
        tricks, points, guilty = numbers(counts), numbers(told), "NWSE".index(offender)
        preset, *options = chosen.split()
        request, judged, rules = asked(" ".join([preset, "revoke=forfeits", *options]), bid, tricks)
        # The oracle counts what was taken before the revoke; the rest it awards itself.
        taken = tricks if len(tricks) == 4 else [tricks[team] if team == guilty % 2 else 0 for team in (0, 1)]
        lines = lines_of(bid, tricks, points, made=":" in bid and guilty % 2 != judged[0] % 2)
        held = forfeited_lines(rules, request["scores"], judged, taken, guilty)
        if lines_json(held) != lines:
            raise Disagreement(f"{slug}: the oracle says {held}")
        request["offender"] = seat(offender)
        result = {"end": "HAND_END_FORFEITED", "lines": explained(lines, held), "offender": seat(offender)}
        expect = {"response": {"result": result, "scores": points}}
        shows = "R2 W3" if preset == "tarneeb_wikipedia" else "R2"
        made.add(f"forfeit-{slug}", title, shows, "ScoreHand", request, expect)


def no_hand(made: Section) -> None:
    base = {
        "rule_set": choice("saharat_classic"),
        "scores": [0, 0],
        "contract": contract("N", "8"),
        "tricks": [9, 4],
    }
    alone = {
        "rule_set": choice("saharat_400"),
        "scores": [0, 0, 0, 0],
        "bids": [3, 3, 3, 3],
        "tricks": [3, 3, 3, 4],
    }
    forfeits = {
        **base,
        "rule_set": choice("saharat_classic", {"revoke": "forfeits"}),
        "offender": "SEAT_WEST",
    }
    table = """
        fourteen-tricks | teams | C8 C67 | Fourteen tricks | tricks[1]=5 | tricks OUT_OF_RANGE
        twelve-tricks | teams | C8 C67 | Twelve tricks | tricks[0]=8 | tricks OUT_OF_RANGE
        three-counts | teams | C67 | Three counts for two teams | tricks[2]=0 | tricks WRONG_COUNT
        no-tricks | teams | C67 | No tricks at all | tricks=[] | tricks WRONG_COUNT
        seat-counts | seats | C67 | Two counts for four seats | tricks=[9, 4] | tricks WRONG_COUNT
        seat-fourteen | seats | C67 | Fourteen tricks of four seats | tricks[2]=4 | tricks OUT_OF_RANGE
        one-score | teams |  | One score | scores=[0] | scores WRONG_COUNT
        four-scores | teams |  | Four scores of two teams | scores=[0, 0, 0, 0] | scores WRONG_COUNT
        wild-score | teams |  | A score beyond a thousand million | scores[1]=1000000001 | scores[1] OUT_OF_RANGE
        no-contract | teams | A7 | No contract | -contract | contract MISSING
        contract-of-6 | teams | A1 | A contract of six | contract.tricks=6 | contract.tricks OUT_OF_RANGE
        contract-strain | teams | A8 | A strain where none is bid |
            contract.strain=STRAIN_HEARTS | contract.strain UNEXPECTED
        contract-doubled | teams | A10 | A double where there is none |
            contract.doubled=true | contract.doubled UNEXPECTED
        no-declarer | teams | A7 | A contract without a declarer | -contract.declarer | contract.declarer MISSING
        team-bids | teams | A12 | Individual bids of teams | bids=[3, 3, 3, 3] | bids UNEXPECTED
        seat-contract | seats | A12 | A contract of individual bids |
            contract.declarer=SEAT_NORTH; contract.tricks=8 | contract UNEXPECTED
        three-bids | seats | A12 | Three bids | bids=[3, 3, 5] | bids WRONG_COUNT
        bid-zero | seats | A12 C71 | A pass written as a bid of nought | bids=[0, 4, 4, 4] | bids[0] OUT_OF_RANGE
        bid-below-own | seats | A13 C74 | A bid below the own minimum |
            scores[0]=52; bids=[4, 4, 4, 4] | bids[0] OUT_OF_RANGE
        void-with-tricks | seats | A14 | Tricks of a hand that is void | bids=[2, 2, 2, 2] | tricks UNEXPECTED
        offender | teams | R1 R2 | A revoke where none forfeits | offender=SEAT_WEST | offender UNEXPECTED
        forfeit-twelve | forfeits | R2 | The side that revoked took twelve: it had no two cards left then |
            tricks=[1, 12] | tricks[1] OUT_OF_RANGE
        forfeit-twelve-seats | seats | R2 | Four players took twelve before a revoke |
            rule_set.overrides.revoke=REVOKE_FORFEITS; tricks[3]=3; offender=SEAT_WEST | tricks OUT_OF_RANGE
        no-rules | teams |  | No rules | -rule_set | rule_set MISSING
    """
    requests = {"teams": base, "seats": alone, "forfeits": forfeits}
    for slug, which, *row in rows(table, 6):
        spoilt_requests(made, "ScoreHand", requests[which], " | ".join([f"no-hand-{slug}", *row]))
    request = {**alone, "bids": [2, 2, 3, 2], "tricks": []}
    response = {"result": {"end": "HAND_END_LOW_TOTAL"}, "scores": [0, 0, 0, 0]}
    made.add(
        "void", "Bids that total nine: void, no tricks", "A14", "ScoreHand", request, {"response": response}
    )
