package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	pb "tarneeb/v1"

	"tarneebclient/fairdeal"
)

// deal deals the next hand from a seed that the players were shown the commitment of, and a player's cut.
func (g *game) deal(ctx context.Context) error {
	view, read := g.public(), g.row()
	hand := view.HandNumber + 1
	seed := digest(fmt.Sprintf("seed %s %d", g.id, hand))
	commit, err := g.client.CommitDeal(ctx, &pb.CommitDealRequest{GameId: g.id, HandNumber: &hand, Seed: seed})
	if err != nil {
		return err
	}
	g.tell("commit %d %x", hand, commit.Commitment)
	cut := digest(fmt.Sprintf("cut %s %d", g.id, hand))[:16]
	g.tell("cut %d %s %x", hand, seatText(view.Cutter), cut)
	g.seeded = &pb.SeededDeal{Seed: seed, Commitment: commit.Commitment, Cut: cut}
	dealt, err := g.client.DealHand(ctx, &pb.DealHandRequest{
		Stored:    &pb.DealHandRequest_Snapshot{Snapshot: read.snapshot},
		Deal:      &pb.Deal{Source: &pb.Deal_Seeded{Seeded: g.seeded}},
		Viewers:   viewers,
		OmitRules: true,
	})
	if err != nil {
		return err
	}
	if err := g.step(read, row{dealt.Snapshot, dealt.Revision}, dealt.Views, dealt.Events); err != nil {
		return err
	}
	for place := range g.held {
		g.held[place] = g.viewOf(pb.Seat(place + 1)).Hand.Holding
	}
	return nil
}

// handEnded appends the hand to the record, shows the seed, and checks the deal as any player can.
func (g *game) handEnded(record *pb.RecordedHand) {
	// Of the dealt hands that the service gives, and the seed, the record keeps what proves the deal.
	g.record.Hands = append(g.record.Hands, &pb.RecordedHand{
		Deal:  &pb.Deal{Source: &pb.Deal_Seeded{Seeded: g.seeded}},
		Moves: record.Moves,
	})
	g.tell("%s", g.digests())
	number := uint32(len(g.record.Hands))
	g.tell("fair %d %x %s", number, g.seeded.Seed, g.check(g.fair(record.Deal.GetHands(), number)))
}

func (g *game) fair(dealt *pb.DealtHands, number uint32) bool {
	seed := g.seeded.Seed
	deck := fairdeal.Deck(seed, g.seeded.Cut, g.id, number)
	hands := fairdeal.Hands(deck, g.public().Dealer, g.rules.GetDealOrder())
	if len(dealt.GetHands()) != len(hands) {
		return false
	}
	for place, hand := range hands {
		if !slices.Equal(hand, dealt.Hands[place].Cards) || !slices.Equal(hand, g.held[place]) {
			return false
		}
	}
	turned := dealt.TurnedCard
	return bytes.Equal(fairdeal.Commitment(seed, g.id, number), g.seeded.Commitment) &&
		(turned == pb.Card_CARD_UNSPECIFIED || turned == deck[len(deck)-1]) &&
		turned == g.public().Hand.TurnedCard
}

// verify asks for the service's own word on the deal, beside the program's.
func (g *game) verify(ctx context.Context) error {
	stored, err := parsed(g.row().snapshot)
	if err != nil {
		return err
	}
	view := g.public()
	said, err := g.client.VerifyDeal(ctx, &pb.VerifyDealRequest{
		GameId:     g.id,
		HandNumber: view.HandNumber,
		Dealer:     view.Dealer,
		DealOrder:  g.rules.GetDealOrder(),
		Seeded:     g.seeded,
		Dealt:      &pb.DealtHands{Hands: stored.Hand.Dealt},
	})
	if err != nil {
		return err
	}
	g.tell("verified %s %s %s", g.check(said.Fair), g.check(said.CommitmentMatches), g.check(said.CardsMatch))
	return nil
}
