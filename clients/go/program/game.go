package main

import (
	"context"
	"crypto/sha256"
	"fmt"

	"google.golang.org/protobuf/proto"

	pb "tarneeb/v1"

	"tarneebclient/choosing"
)

// game is one as a backend runs it, from CreateGame to its end: its row in the store, its seats, its record.
type game struct {
	*backend
	*table
	id     string
	rules  *pb.RuleSet
	record *pb.GameRecord
	// seeded is the deal of the hand, and held what each seat was shown of it first.
	seeded *pb.SeededDeal
	held   [4][]pb.Card
	// said are the refusals that were told of attempts, by reason and rule.
	said map[string]bool
}

// create makes a game, stores it, and starts its record.
func create(ctx context.Context, b *backend, request *pb.CreateGameRequest) (*game, error) {
	request.Viewers, request.Form = viewers, pb.GameForm_GAME_FORM_SNAPSHOT
	made, err := b.client.CreateGame(ctx, request)
	if err != nil {
		return nil, err
	}
	g := &game{backend: b, table: newTable(b.views), id: request.Id, said: map[string]bool{}}
	b.store.add(g.id, row{made.Snapshot, made.Revision})
	if err := g.send(made.Views); err != nil {
		return nil, err
	}
	first := g.public()
	g.rules = first.Rules
	g.record = &pb.GameRecord{
		Id:            g.id,
		RuleSet:       &pb.RuleSetChoice{PresetId: first.PresetId, Overrides: first.Rules},
		FirstDealer:   first.NextDealer,
		RulesRevision: first.RulesRevision,
	}
	g.tell("game %s %s dealer %s", g.id, first.PresetId, seatText(first.NextDealer))
	return g, nil
}

func (g *game) row() row { return g.store.load(g.id) }

// step keeps the game that an answer gave, sends its views, and tells its events. Here nobody else writes, so that
// the row read is the row stored.
func (g *game) step(read, following row, views []*pb.GameView, events []*pb.Event) error {
	if !g.store.replace(g.id, following, read.revision) {
		return fmt.Errorf("somebody else moved in %s", g.id)
	}
	g.tell("%d %s", following.revision, eventsText(events))
	return g.send(views)
}

// turn lets the seat to act choose from its own view, and makes its move; in the first hand others are tried before.
func (g *game) turn(ctx context.Context) error {
	if g.public().HandNumber == 1 {
		seat := g.toAct()
		if err := g.attempt(ctx, beforeTurn(seat, g.viewOf(seat), g.row().revision)); err != nil {
			return err
		}
	}
	return g.apply(ctx, g.choice())
}

// attempt has moves judged, all in one call; the first refusal of each kind is said.
func (g *game) attempt(ctx context.Context, moves []*pb.Move) error {
	stored := &pb.ValidateMoveRequest_Snapshot{Snapshot: g.row().snapshot}
	request := &pb.ValidateMovesRequest{}
	for _, move := range moves {
		request.Items = append(request.Items, &pb.ValidateMoveRequest{Stored: stored, Move: move})
	}
	answer, err := g.client.ValidateMoves(ctx, request)
	if err != nil {
		return err
	}
	if len(answer.Results) != len(moves) {
		return fmt.Errorf("%d moves were answered with %d results", len(moves), len(answer.Results))
	}
	for index, result := range answer.Results {
		verdict := result.GetVerdict()
		if verdict == nil {
			return fmt.Errorf("%s could not be judged: %v", moveText(moves[index]), result.GetProblems())
		}
		kind := verdict.Reason.String() + " " + verdict.RuleId
		if verdict.Ruling == pb.Ruling_RULING_REFUSED && !g.said[kind] {
			g.said[kind] = true
			if err := g.refused(moves[index], verdict); err != nil {
				return err
			}
		}
	}
	return nil
}

// choice is the move of the seat to act, made for what it sees.
func (g *game) choice() *pb.Move {
	view := g.viewOf(g.toAct())
	chosen := proto.CloneOf(choosing.Choose(view))
	chosen.Revision = proto.Uint32(view.Revision)
	return chosen
}

// apply makes a move that is legal; one that ends a hand brings its record.
func (g *game) apply(ctx context.Context, move *pb.Move) error {
	read := g.row()
	answer, err := g.ask(ctx, move, read)
	if err != nil {
		return err
	}
	if answer.Verdict.Ruling == pb.Ruling_RULING_REFUSED {
		return fmt.Errorf("%s was refused: %s", moveText(move), answer.Verdict.Message)
	}
	if err := g.step(read, row{answer.Snapshot, answer.Revision}, answer.Views, answer.Events); err != nil {
		return err
	}
	if answer.HandRecord != nil {
		g.handEnded(answer.HandRecord)
	}
	return nil
}

// ask has a move judged in a row, and stores nothing.
func (g *game) ask(ctx context.Context, move *pb.Move, read row) (*pb.ApplyMoveResponse, error) {
	return g.client.ApplyMove(ctx, &pb.ApplyMoveRequest{
		Stored:    &pb.ApplyMoveRequest_Snapshot{Snapshot: read.snapshot},
		Move:      move,
		Viewers:   viewers,
		OmitRules: true,
	})
}

// undo takes back the last move; a hand that it opens again leaves the record.
func (g *game) undo(ctx context.Context) error {
	read := g.row()
	answer, err := g.client.UndoMove(ctx, &pb.UndoMoveRequest{
		Stored:    &pb.UndoMoveRequest_Snapshot{Snapshot: read.snapshot},
		Viewers:   viewers,
		OmitRules: true,
	})
	if err != nil {
		return err
	}
	if err := g.step(read, row{answer.Snapshot, answer.Revision}, answer.Views, answer.Events); err != nil {
		return err
	}
	for _, event := range answer.Events {
		if event.GetMoveUndone().GetHandReopened() {
			g.record.Hands = g.record.Hands[:len(g.record.Hands)-1]
			g.tell("%s", g.digests())
		}
	}
	return nil
}

// refused tells the mover why, in Arabic.
func (g *game) refused(move *pb.Move, verdict *pb.Verdict) error {
	sentence, err := g.words.refusal(move, verdict)
	if err != nil {
		return err
	}
	g.tell("no %s %s %s | %s", moveText(move), reasonText(verdict.Reason), verdict.RuleId, sentence)
	return nil
}

// replay plays the record again: it leads to the game that is stored; after undos that one's revision is ahead.
func (g *game) replay(ctx context.Context, undone bool) error {
	answer, err := g.client.ReplayGame(ctx, &pb.ReplayGameRequest{
		Record: g.record, Form: pb.GameForm_GAME_FORM_SNAPSHOT,
	})
	if err != nil {
		return err
	}
	reached, err := parsed(answer.Snapshot)
	if err != nil {
		return err
	}
	here, err := parsed(g.row().snapshot)
	if err != nil {
		return err
	}
	if undone {
		reached.Revision = here.Revision
	}
	whole := answer.AcceptedSteps == answer.TotalSteps && answer.Refused == nil
	g.tell("replay %d/%d %s", answer.AcceptedSteps, answer.TotalSteps, g.check(whole && proto.Equal(reached, here)))
	return nil
}

// parsed is for a look inside; what is stored and sent are the bytes as they came.
func parsed(snapshot []byte) (*pb.Game, error) {
	inside := &pb.Game{}
	return inside, proto.Unmarshal(snapshot, inside)
}

// digest is bytes that stand for random ones, so that all programs deal alike.
func digest(words string) []byte {
	sum := sha256.Sum256([]byte(words))
	return sum[:]
}
