package main

import (
	"context"
	"errors"
	"slices"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/protobuf/proto"

	pb "tarneeb/v1"

	"tarneebclient/tarneeb"
)

// playTable plays one hand on which everything goes wrong that a backend has to stand.
func playTable(ctx context.Context, b *backend) error {
	g, err := create(ctx, b, &pb.CreateGameRequest{
		Id:    "table-1",
		First: &pb.CreateGameRequest_FirstDealer{FirstDealer: pb.Seat_SEAT_EAST},
		RuleSet: &pb.RuleSetChoice{
			PresetId: "saharat_classic",
			Overrides: &pb.RuleSet{
				Target:    proto.Uint32(31),
				FirstCard: pb.FirstCard_FIRST_CARD_TRUMP.Enum(),
				Cut:       pb.Cut_CUT_REQUIRED.Enum(),
			},
		},
	})
	if err != nil {
		return err
	}
	scenes := []func(context.Context) error{
		g.deal, g.show, g.turn, g.refusals, g.race, g.reconnect, g.toTheEnd, g.reopen, g.verify,
		func(ctx context.Context) error { return g.replay(ctx, true) },
	}
	for _, scene := range scenes {
		if err := scene(ctx); err != nil {
			return err
		}
	}
	return wrongRequest(ctx, b)
}

func (g *game) show(context.Context) error {
	for _, viewer := range viewers {
		g.tell("%s", viewText(g.table.views[viewer]))
	}
	return nil
}

// refusals are two calls that are refused: only the mover hears of them, and nothing is stored.
func (g *game) refusals(ctx context.Context) error {
	seat := g.toAct()
	for _, move := range []*pb.Move{
		bidding(seat, 14, pb.Strain_STRAIN_UNSPECIFIED), passing(atTheRight(seat)),
	} {
		if err := g.refuse(ctx, move); err != nil {
			return err
		}
	}
	return nil
}

// refuse makes a move that is refused.
func (g *game) refuse(ctx context.Context, move *pb.Move) error {
	answer, err := g.ask(ctx, move, g.row())
	if err != nil {
		return err
	}
	g.check(len(answer.Snapshot) == 0 && answer.Revision == 0 && len(answer.Views) == 0)
	return g.refused(move, answer.Verdict)
}

// race is two workers and one move: the slower finds the row changed; after an undo the move is late again.
func (g *game) race(ctx context.Context) error {
	move, read := g.choice(), g.row()
	if err := g.apply(ctx, move); err != nil {
		return err
	}
	answer, err := g.ask(ctx, move, read)
	if err != nil {
		return err
	}
	g.check(!g.store.replace(g.id, row{answer.Snapshot, answer.Revision}, read.revision))
	g.tell("lost %s at %d", moveText(move), move.GetRevision())
	if err := g.refuse(ctx, move); err != nil {
		return err
	}
	if err := g.undo(ctx); err != nil {
		return err
	}
	if err := g.refuse(ctx, move); err != nil {
		return err
	}
	return g.apply(ctx, g.choice())
}

// reconnect is South asking again for the view that it lost.
func (g *game) reconnect(ctx context.Context) error {
	answer, err := g.client.ViewGame(ctx, &pb.ViewGameRequest{
		Stored:    &pb.ViewGameRequest_Snapshot{Snapshot: g.row().snapshot},
		Viewers:   []pb.Viewer{pb.Viewer_VIEWER_SOUTH},
		OmitRules: true,
	})
	if err != nil {
		return err
	}
	same := slices.EqualFunc(answer.Views, []*pb.GameView{g.viewOf(pb.Seat_SEAT_SOUTH)},
		func(a, b *pb.GameView) bool { return proto.Equal(a, b) })
	g.tell("again S %s", g.check(same))
	return nil
}

func (g *game) toTheEnd(ctx context.Context) error {
	for g.public().Phase != pb.Phase_PHASE_AWAITING_DEAL {
		if err := g.turn(ctx); err != nil {
			return err
		}
	}
	return nil
}

// reopen takes back the move that ended the hand, and ends it again.
func (g *game) reopen(ctx context.Context) error {
	if err := g.undo(ctx); err != nil {
		return err
	}
	return g.apply(ctx, g.choice())
}

// wrongRequest is how a request is answered that can't be judged.
func wrongRequest(ctx context.Context, b *backend) error {
	_, err := b.client.CreateGame(ctx, &pb.CreateGameRequest{RuleSet: &pb.RuleSetChoice{PresetId: "none"}})
	var failed *tarneeb.Error
	if !errors.As(err, &failed) {
		b.check(false)
		return err
	}
	line := ""
	for _, each := range sorted(failed.Violations) {
		line += " | " + each[0] + " " + each[1]
	}
	b.tell("error %s %s %d%s", code.Code(failed.Code), failed.ReasonName(), failed.Problems, line)
	return nil
}

// sorted are paths and reasons in order, by bytes.
func sorted(violations []tarneeb.Violation) [][2]string {
	pairs := make([][2]string, len(violations))
	for index, each := range violations {
		pairs[index] = [2]string{each.Path, each.Reason}
	}
	slices.SortFunc(pairs, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return pairs
}
