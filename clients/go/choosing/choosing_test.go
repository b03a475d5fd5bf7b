package choosing

import (
	"testing"

	pb "tarneeb/v1"
)

func TestNothingIsChosenFromNothing(t *testing.T) {
	if move := Choose(&pb.GameView{}); move != nil {
		t.Error(move)
	}
}

func TestQuarters(t *testing.T) {
	holding := []pb.Card{
		pb.Card_CARD_CLUBS_ACE, pb.Card_CARD_DIAMONDS_KING, pb.Card_CARD_HEARTS_QUEEN,
		pb.Card_CARD_SPADES_TWO, pb.Card_CARD_SPADES_QUEEN,
	}
	for trump, wanted := range map[pb.Strain]int{
		pb.Strain_STRAIN_UNSPECIFIED: 4 + 2 + 1 + 1,
		pb.Strain_STRAIN_SPADES:      4 + 2 + 1 + 2 + 3,
		pb.Strain_STRAIN_CLUBS:       3 + 2 + 1 + 1,
	} {
		if found := quarters(holding, trump); found != wanted {
			t.Errorf("%s: %d, not %d", trump, found, wanted)
		}
	}
}

func TestACardThatBeatsIsAsLowAsItCanBe(t *testing.T) {
	play := func(card pb.Card) *pb.Move { return &pb.Move{Action: &pb.Move_Card{Card: card}} }
	view := &pb.GameView{
		Hand: &pb.HandView{
			Trump: pb.Strain_STRAIN_CLUBS, Trick: &pb.Trick{Cards: []pb.Card{pb.Card_CARD_HEARTS_TEN}},
		},
		LegalMoves: []*pb.Move{
			play(pb.Card_CARD_HEARTS_TWO), play(pb.Card_CARD_HEARTS_KING), play(pb.Card_CARD_HEARTS_JACK),
		},
	}
	if found := Choose(view).GetCard(); found != pb.Card_CARD_HEARTS_JACK {
		t.Errorf("a jack beats a ten, and %s was played", found)
	}
	view.Hand.Trick.Cards = append(view.Hand.Trick.Cards, pb.Card_CARD_CLUBS_TWO)
	if found := Choose(view).GetCard(); found != pb.Card_CARD_HEARTS_TWO {
		t.Errorf("nothing beats a trump, and %s was played", found)
	}
}
