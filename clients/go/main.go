// A game backend in small: it keeps a game, has each move judged, and stores what comes back.
//
//	first-call [host:port]
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	pb "tarneebclient/gen/tarneeb/v1"
)

// Every call may be repeated: nothing is kept between two calls. CANCELLED is what a server that stops gives to
// calls it had not begun.
const serviceConfig = `{
  "methodConfig": [{
    "name": [{"service": "tarneeb.v1.TarneebService"}],
    "timeout": "2s",
    "retryPolicy": {
      "maxAttempts": 4,
      "initialBackoff": "0.05s",
      "maxBackoff": "1s",
      "backoffMultiplier": 2,
      "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"]
    }
  }]
}`

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
	tarneeb pb.TarneebServiceClient
	store   store
}

func (b backend) start(ctx context.Context, id string) error {
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

func (b backend) legalMoves(ctx context.Context, id string) ([]*pb.Move, error) {
	answer, err := b.tarneeb.ListLegalMoves(ctx, &pb.ListLegalMovesRequest{
		Stored: &pb.ListLegalMovesRequest_Snapshot{Snapshot: b.store[id].snapshot},
	})
	return answer.GetMoves(), err
}

// move makes a move; one that came too late meets the game as it is by then.
func (b backend) move(ctx context.Context, id string, move *pb.Move) (*pb.Verdict, error) {
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
	conn, err := grpc.NewClient(target,
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultServiceConfig(serviceConfig))
	if err != nil {
		return err
	}
	defer conn.Close()
	b := backend{pb.NewTarneebServiceClient(conn), store{}}
	if err := b.start(ctx, "first-call"); err != nil {
		return err
	}
	moves, err := b.legalMoves(ctx, "first-call")
	if err != nil {
		return err
	}
	var bids []string
	for _, move := range moves {
		if call := move.GetCall(); call.GetKind() == pb.CallKind_CALL_KIND_BID {
			bids = append(bids, strconv.Itoa(int(call.Tricks)))
		}
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
		verdict, err := b.move(ctx, "first-call", try.move)
		if err != nil {
			return err
		}
		fmt.Println(try.says, told(verdict))
	}
	return nil
}

func main() {
	target := "localhost:50051"
	if len(os.Args) > 1 {
		target = os.Args[1]
	}
	if err := run(context.Background(), target); err != nil {
		log.Fatal(err)
	}
}
