// Firstcall is a game backend in small: it keeps a game, has each move judged, and stores what comes back.
//
//	firstcall [host:port]
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	pb "tarneeb/v1"

	"tarneebclient/tarneeb"
)

const id = "first-call"

// row is what is stored of a game: the bytes as they came, and the revision beside them.
type row struct {
	snapshot []byte
	revision uint32
}

// store stands for the backend's database: one row a game, replaced only at the revision that was read.
type store map[string]row

// replace is as `UPDATE games SET snapshot = ?, revision = ? WHERE id = ? AND revision = ?`.
func (s store) replace(id string, following row, readAt uint32) bool {
	if s[id].revision != readAt {
		return false
	}
	s[id] = following
	return true
}

type backend struct {
	tarneeb *tarneeb.Client
	store   store
}

func (b backend) start(ctx context.Context) error {
	created, err := b.tarneeb.CreateGame(ctx, &pb.CreateGameRequest{
		Id:      id,
		RuleSet: &pb.RuleSetChoice{PresetId: "saharat_classic"},
		First:   &pb.CreateGameRequest_FirstDealer{FirstDealer: pb.Seat_SEAT_EAST},
		Form:    pb.GameForm_GAME_FORM_SNAPSHOT,
	})
	if err != nil {
		return err
	}
	b.store[id] = row{created.Snapshot, created.Revision}
	seed := make([]byte, 32)
	rand.Read(seed)
	dealt, err := b.tarneeb.DealHand(ctx, &pb.DealHandRequest{
		Stored: &pb.DealHandRequest_Snapshot{Snapshot: created.Snapshot},
		Deal:   &pb.Deal{Source: &pb.Deal_Seeded{Seeded: &pb.SeededDeal{Seed: seed}}},
	})
	if err != nil {
		return err
	}
	b.store.replace(id, row{dealt.Snapshot, dealt.Revision}, created.Revision)
	return nil
}

// legalBids are those of the seat to act.
func (b backend) legalBids(ctx context.Context) ([]string, error) {
	answer, err := b.tarneeb.ListLegalMoves(ctx, &pb.ListLegalMovesRequest{
		Stored: &pb.ListLegalMovesRequest_Snapshot{Snapshot: b.store[id].snapshot},
	})
	var bids []string
	for _, move := range answer.GetMoves() {
		if call := move.GetCall(); call.GetKind() == pb.CallKind_CALL_KIND_BID {
			bids = append(bids, strconv.Itoa(int(call.Tricks)))
		}
	}
	return bids, err
}

// move makes a move; one that came too late meets the game as it is by then.
func (b backend) move(ctx context.Context, move *pb.Move) (*pb.Verdict, error) {
	for {
		read := b.store[id]
		answer, err := b.tarneeb.ApplyMove(ctx, &pb.ApplyMoveRequest{
			Stored: &pb.ApplyMoveRequest_Snapshot{Snapshot: read.snapshot}, Move: move,
		})
		if err != nil || answer.Verdict.Ruling == pb.Ruling_RULING_REFUSED {
			return answer.GetVerdict(), err
		}
		if b.store.replace(id, row{answer.Snapshot, answer.Revision}, read.revision) {
			return answer.Verdict, nil
		}
	}
}

func bid(seat pb.Seat, tricks uint32) *pb.Move {
	call := &pb.Call{Kind: pb.CallKind_CALL_KIND_BID, Tricks: tricks}
	return &pb.Move{Seat: seat, Action: &pb.Move_Call{Call: call}}
}

// told says a verdict to its mover; a front end would say the reason and its parameters in its own language.
func told(verdict *pb.Verdict) string {
	if verdict.Ruling == pb.Ruling_RULING_LEGAL {
		return "legal"
	}
	reason := strings.TrimPrefix(verdict.Reason.String(), "REFUSAL_REASON_")
	return fmt.Sprintf("refused, %s (%s): %s", reason, verdict.RuleId, verdict.Message)
}

func run(ctx context.Context, target string) error {
	client, err := tarneeb.New(target, tarneeb.Options{})
	if err != nil {
		return err
	}
	defer client.Close()
	b := backend{client, store{}}
	if err := b.start(ctx); err != nil {
		return err
	}
	bids, err := b.legalBids(ctx)
	if err != nil {
		return err
	}
	fmt.Println("North may pass or bid", strings.Join(bids, ", "))
	late := bid(pb.Seat_SEAT_WEST, 10)
	late.Revision = proto.Uint32(1)
	for _, try := range []struct {
		says string
		move *pb.Move
	}{
		{"North bids 9:", bid(pb.Seat_SEAT_NORTH, 9)},
		{"West bids 8:", bid(pb.Seat_SEAT_WEST, 8)},
		{"West bids 10, made for revision 1:", late},
	} {
		verdict, err := b.move(ctx, try.move)
		if err != nil {
			return err
		}
		fmt.Println(try.says, told(verdict))
	}
	return nil
}

func main() {
	target := tarneeb.DefaultTarget
	if len(os.Args) > 1 {
		target = os.Args[1]
	}
	if err := run(context.Background(), target); err != nil {
		log.Fatal(err)
	}
}
