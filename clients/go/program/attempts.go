package main

import (
	"slices"

	"google.golang.org/protobuf/proto"

	pb "tarneeb/v1"
)

// beforeTurn is what is tried while it is a seat's turn, most of which is refused; the view is the seat's own.
func beforeTurn(seat pb.Seat, view *pb.GameView, revision uint32) []*pb.Move {
	right := atTheRight(seat)
	moves := []*pb.Move{
		passing(right),
		naming(right, pb.Strain_STRAIN_HEARTS),
		passing(seat),
		bidding(seat, 7, pb.Strain_STRAIN_HEARTS),
		bidding(seat, 7, pb.Strain_STRAIN_UNSPECIFIED),
		bidding(seat, 6, pb.Strain_STRAIN_UNSPECIFIED),
		bidding(seat, 14, pb.Strain_STRAIN_UNSPECIFIED),
		calling(seat, &pb.Call{Kind: pb.CallKind_CALL_KIND_DOUBLE}),
		naming(seat, pb.Strain_STRAIN_NO_TRUMP),
		playing(seat, pb.Card_CARD_CLUBS_TWO),
	}
	illegal := slices.IndexFunc(view.GetHand().GetHolding(), func(card pb.Card) bool {
		return !slices.ContainsFunc(view.LegalMoves, func(move *pb.Move) bool { return move.GetCard() == card })
	})
	if illegal >= 0 {
		moves = append(moves, playing(seat, view.Hand.Holding[illegal]))
	}
	late := passing(seat)
	late.Revision = proto.Uint32(revision - 1)
	return append(moves, late)
}

func atTheRight(seat pb.Seat) pb.Seat { return seat%4 + 1 }

func passing(seat pb.Seat) *pb.Move {
	return calling(seat, &pb.Call{Kind: pb.CallKind_CALL_KIND_PASS})
}

func bidding(seat pb.Seat, tricks uint32, strain pb.Strain) *pb.Move {
	return calling(seat, &pb.Call{Kind: pb.CallKind_CALL_KIND_BID, Tricks: tricks, Strain: strain})
}

func calling(seat pb.Seat, call *pb.Call) *pb.Move {
	return &pb.Move{Seat: seat, Action: &pb.Move_Call{Call: call}}
}

func naming(seat pb.Seat, trump pb.Strain) *pb.Move {
	return &pb.Move{Seat: seat, Action: &pb.Move_Trump{Trump: trump}}
}

func playing(seat pb.Seat, card pb.Card) *pb.Move {
	return &pb.Move{Seat: seat, Action: &pb.Move_Card{Card: card}}
}
