"""Impossible games: what is given, and the cards."""

from typing import Any

from conformance.runner import card_json, cards_json
from conformance.statements.changed_games import game_problems, gone, to
from conformance.statements.notation import CLASSIC, ONE_SUIT_EACH, seat
from conformance.statements.positions import Setup, at
from conformance.statements.section import Section

JSON = Any


def given(made: Section) -> None:
    setup = at(CLASSIC, "W:7")
    rows: tuple[tuple[str, str, str, list[JSON], str], ...] = (
        ("untouched", "An untouched game has no problem", "", [], ""),
        ("no-id", "No id", "", [gone("id")], "game.id MISSING"),
        (
            "preset-65",
            "A preset's name of 65 letters",
            "",
            [to("preset_id", "p" * 65)],
            "game.preset_id OUT_OF_RANGE",
        ),
        (
            "preset-other",
            "The preset's name is for display; the rules count",
            "C86",
            [to("preset_id", "house rules")],
            "",
        ),
        ("no-revision", "No rules revision", "", [gone("rules_revision")], "game.rules_revision MISSING"),
        ("no-rules", "No rules", "C86", [gone("rules")], "game.rules MISSING"),
        ("rule-missing", "A rule left out", "C86", [gone("rules.target")], "game.rules.target MISSING"),
        (
            "rule-odd",
            "A rule's number that nobody knows",
            "",
            [to("rules.doubling", 9)],
            "game.rules.doubling UNKNOWN_VALUE",
        ),
        (
            "rules-contradict",
            "Rules that contradict",
            "C86",
            [to("rules.opening_lead", "OPENING_LEAD_DEALER"), to("rules.first_card", "FIRST_CARD_TRUMP")],
            "game.rules.first_card CONTRADICTION",
        ),
        ("dealer-5", "A fifth dealer", "", [to("dealer", 5)], "game.dealer UNKNOWN_VALUE"),
        ("no-dealer", "No dealer", "", [gone("dealer")], "game.dealer MISSING"),
        ("hand-0", "Hand number nought", "", [gone("hand_number")], "game.hand_number OUT_OF_RANGE"),
        (
            "scores-3",
            "Three scores before the hand",
            "",
            [to("hand.scores_before[2]", 0)],
            "game.hand.scores_before WRONG_COUNT",
        ),
        (
            "score-wild",
            "A score beyond a thousand million",
            "",
            [to("hand.scores_before[0]", 1_000_000_001)],
            "game.hand.scores_before[0] OUT_OF_RANGE",
        ),
        (
            "hand-gone",
            "The hand left out",
            "C157",
            [gone("hand")],
            "game.hand MISSING, game.dealer UNEXPECTED, game.next_dealer MISSING",
        ),
        (
            "dealer-moved",
            "Another dealer: the bid came out of turn",
            "C130",
            [to("dealer", seat("W"))],
            "game.hand.calls[0].seat MISMATCH",
        ),
    )
    for slug, title, shows, edits, found in rows:
        game_problems(made, slug, title, shows, setup, edits, found)
    new = Setup(CLASSIC)
    game_problems(
        made,
        "new-no-dealer",
        "A new game without a dealer to come",
        "",
        new,
        [gone("next_dealer")],
        "game.next_dealer MISSING",
    )
    game_problems(
        made,
        "new-phase",
        "A new game in the auction",
        "",
        new,
        [to("phase", "PHASE_AUCTION")],
        "game.phase MISMATCH",
    )
    game_problems(
        made, "new-phase-0", "A new game in no phase", "C128", new, [gone("phase")], "game.phase MISSING"
    )


def hands(made: Section) -> None:
    setup = at(CLASSIC, "W:7")
    deal = ONE_SUIT_EACH
    first, second = "hand.dealt[0].cards", "hand.dealt[1].cards"
    thirteen = to(f"{first}[13]", card_json("H2"))
    rows: tuple[tuple[str, str, str, list[JSON], str], ...] = (
        (
            "twice",
            "A card in two hands",
            "C130",
            [to(f"{second}[0]", card_json("S2"))],
            "game.hand.dealt[1].cards[0] DUPLICATE",
        ),
        (
            "12-14",
            "Twelve and fourteen cards",
            "C130",
            [thirteen, gone(f"{second}[0]")],
            "game.hand.dealt[0].cards WRONG_COUNT, game.hand.dealt[1].cards WRONG_COUNT",
        ),
        (
            "card-0",
            "A card that is none",
            "",
            [to(f"{first}[3]", 0)],
            "game.hand.dealt[0].cards[3] UNKNOWN_VALUE",
        ),
        (
            "card-99",
            "A forged card",
            "C130 C145",
            [to(f"{first}[3]", 99)],
            "game.hand.dealt[0].cards[3] UNKNOWN_VALUE",
        ),
        ("three", "Three hands", "", [gone("hand.dealt[3]")], "game.hand.dealt WRONG_COUNT"),
        ("five", "Five hands", "", [to("hand.dealt[4]", {"cards": []})], "game.hand.dealt WRONG_COUNT"),
        (
            "turned",
            "A turned card where none is turned",
            "T3",
            [to("hand.turned_card", card_json("SA"))],
            "game.hand.turned_card UNEXPECTED",
        ),
        (
            "any-order",
            "A hand in another order is the same hand",
            "C1",
            [to(first, cards_json(" ".join(reversed(deal["N"].split()))))],
            "",
        ),
    )
    for slug, title, shows, edits, found in rows:
        game_problems(made, f"hand-{slug}", title, shows, setup, edits, found)
    syrian = at("saharat_syrian_41", "W:3")
    game_problems(
        made,
        "hand-unturned",
        "The turned card left out",
        "T3",
        syrian,
        [gone("hand.turned_card")],
        "game.hand.turned_card MISSING",
    )
    game_problems(
        made,
        "hand-turned-other",
        "The turned card of another",
        "T3",
        syrian,
        [to("hand.turned_card", card_json("HA"))],
        "game.hand.turned_card NOT_DEALT",
    )
    game_problems(
        made,
        "hand-turned-same-suit",
        "Another card of the dealer's, same suit: it can't be told",
        "T3",
        syrian,
        [to("hand.turned_card", card_json("S2"))],
        "",
    )
