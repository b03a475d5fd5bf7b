"""What the text calls seats and cards, and how long it may be; nothing of the service is imported."""

SEAT_NAMES = ("North", "West", "South", "East")
# Cards are suit * 16 + rank, as in cards.proto.
CARD_TEXT = {
    suit * 16 + rank: letter + "  23456789TJQKA"[rank]
    for suit, letter in enumerate("CDHS", start=1)
    for rank in range(2, 15)
}
CARD_OF_TEXT = {text: card for card, text in CARD_TEXT.items()}
# As many as ReplayGame takes.
MOST_HANDS = 1_000
