// Package choosing is the choosing rule of clients/PROGRAM.md: what a seat does, by its own view alone.
package choosing

import (
	"slices"

	pb "tarneeb/v1"
)

// In quarters of a trick: what a partner is taken to be worth to a bidder, and to one who doubles.
const (
	biddersPartner  = 11
	doublersPartner = 12
)

// Choose is the move of the seat to act, of the legal moves that its own view has; nil if there are none.
func Choose(view *pb.GameView) *pb.Move {
	legal := view.LegalMoves
	if len(legal) == 0 {
		return nil
	}
	switch legal[0].Action.(type) {
	case *pb.Move_Card:
		return card(view)
	case *pb.Move_Trump:
		return first(legal, func(move *pb.Move) int { return quarters(view.Hand.Holding, move.GetTrump()) })
	}
	if len(view.Scores) == 4 {
		return ownBid(view)
	}
	return call(view)
}

// quarters is what a holding is worth with a trump, in quarters of a trick.
func quarters(holding []pb.Card, trump pb.Strain) int {
	total := 0
	for _, card := range holding {
		switch rank := rankOf(card); {
		case suitOf(card) == int(trump) && rank >= 12:
			total += 3
		case suitOf(card) == int(trump):
			total += 2
		case rank == 14:
			total += 4
		case rank == 13:
			total += 2
		case rank == 12:
			total++
		}
	}
	return total
}

// ownBid is that of a game in which each plays for himself.
func ownBid(view *pb.GameView) *pb.Move {
	worth := quarters(view.Hand.Holding, view.Hand.Trump) / 4
	// Bids are listed from low to high.
	for _, bid := range slices.Backward(view.LegalMoves) {
		if int(bid.GetCall().Tricks) <= worth {
			return bid
		}
	}
	return view.LegalMoves[0]
}

func call(view *pb.GameView) *pb.Move {
	hand, legal := view.Hand, view.LegalMoves
	pass, double := ofKind(legal, pb.CallKind_CALL_KIND_PASS), ofKind(legal, pb.CallKind_CALL_KIND_DOUBLE)
	if last := lastBid(hand.Calls); last != nil {
		if (int(last.Seat)-int(view.Viewer))%2 == 0 && pass != nil {
			return pass
		}
		worth := quarters(hand.Holding, last.Strain) + doublersPartner
		if double != nil && worth >= 4*(14-int(last.Tricks)) {
			return double
		}
	}
	best := hand.Trump
	if best == pb.Strain_STRAIN_UNSPECIFIED {
		suits := []pb.Strain{
			pb.Strain_STRAIN_CLUBS, pb.Strain_STRAIN_DIAMONDS, pb.Strain_STRAIN_HEARTS, pb.Strain_STRAIN_SPADES,
		}
		best = first(suits, func(suit pb.Strain) int { return quarters(hand.Holding, suit) })
	}
	limit := (quarters(hand.Holding, best) + biddersPartner) / 4
	for _, move := range legal {
		bid := move.GetCall()
		fits := bid.Strain == best || bid.Strain == pb.Strain_STRAIN_UNSPECIFIED
		if bid.Kind == pb.CallKind_CALL_KIND_BID && int(bid.Tricks) <= limit && fits {
			return move
		}
	}
	if pass != nil {
		return pass
	}
	return legal[0]
}

func ofKind(legal []*pb.Move, kind pb.CallKind) *pb.Move {
	for _, move := range legal {
		if move.GetCall().Kind == kind {
			return move
		}
	}
	return nil
}

func lastBid(calls []*pb.CallMade) *pb.CallMade {
	for _, call := range slices.Backward(calls) {
		if call.Kind == pb.CallKind_CALL_KIND_BID {
			return call
		}
	}
	return nil
}

func card(view *pb.GameView) *pb.Move {
	legal, trick := view.LegalMoves, view.Hand.Trick.GetCards()
	if len(trick) == 0 {
		return first(legal, func(move *pb.Move) int { return rankOf(move.GetCard()) })
	}
	power := func(card pb.Card) int {
		switch suitOf(card) {
		case int(view.Hand.Trump):
			return rankOf(card) + 32
		case suitOf(trick[0]):
			return rankOf(card) + 16
		}
		return rankOf(card)
	}
	highest := 0
	for _, card := range trick {
		highest = max(highest, power(card))
	}
	var beating []*pb.Move
	for _, move := range legal {
		if power(move.GetCard()) > highest {
			beating = append(beating, move)
		}
	}
	if len(beating) > 0 {
		return first(beating, func(move *pb.Move) int { return -power(move.GetCard()) })
	}
	return first(legal, func(move *pb.Move) int { return -rankOf(move.GetCard()) })
}

// first is the thing of most worth; the first of equals.
func first[T any](things []T, worth func(T) int) T {
	return slices.MaxFunc(things, func(a, b T) int { return worth(a) - worth(b) })
}

func suitOf(card pb.Card) int { return int(card) >> 4 }
func rankOf(card pb.Card) int { return int(card) & 15 }
