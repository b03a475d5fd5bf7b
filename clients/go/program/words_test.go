package main

import (
	"testing"

	"google.golang.org/protobuf/proto"

	pb "tarneeb/v1"
)

func TestTheFirstSentenceThatIsWholeIsSaid(t *testing.T) {
	w := &words{
		Seats:    map[string]string{"N": "north"},
		Refusals: map[string][]string{"STALE_REVISION": {"{seat} {made_for} {game_revision}", "{game_revision}"}},
	}
	move := passing(pb.Seat_SEAT_NORTH)
	verdict := &pb.Verdict{
		Reason: pb.RefusalReason_REFUSAL_REASON_STALE_REVISION, GameRevision: proto.Uint32(7),
	}
	if said, err := w.refusal(move, verdict); err != nil || said != "7" {
		t.Errorf("%v, %q", err, said)
	}
	move.Revision = proto.Uint32(0)
	if said, err := w.refusal(move, verdict); err != nil || said != "north 0 7" {
		t.Errorf("%v, %q", err, said)
	}
	verdict.GameRevision = nil
	if said, err := w.refusal(move, verdict); err == nil {
		t.Errorf("said %q", said)
	}
}

func TestOneRowIsReplacedOnce(t *testing.T) {
	s := store{rows: map[string]row{"a": {[]byte("0"), 0}}}
	if !s.replace("a", row{[]byte("1"), 1}, 0) || s.replace("a", row{[]byte("2"), 1}, 0) {
		t.Error("the second worker was not refused")
	}
	if found := s.load("a"); string(found.snapshot) != "1" || found.revision != 1 {
		t.Error(found)
	}
}
