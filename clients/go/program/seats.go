package main

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"strings"

	pb "tarneeb/v1"
)

// viewers are all there are, North to spectator.
var viewers = []pb.Viewer{
	pb.Viewer_VIEWER_NORTH,
	pb.Viewer_VIEWER_WEST,
	pb.Viewer_VIEWER_SOUTH,
	pb.Viewer_VIEWER_EAST,
	pb.Viewer_VIEWER_SPECTATOR,
}

// table is who sits at it and who looks on: each has the last view that was sent to it, and nothing else.
type table struct {
	// log takes every view too, as a line.
	log    io.Writer
	views  map[pb.Viewer]*pb.GameView
	hashes map[pb.Viewer]hash.Hash
}

func newTable(log io.Writer) *table {
	t := &table{log: log, views: map[pb.Viewer]*pb.GameView{}}
	t.forget()
	return t
}

func (t *table) send(views []*pb.GameView) error {
	for _, view := range views {
		t.views[view.Viewer] = view
		line := viewText(view) + "\n"
		t.hashes[view.Viewer].Write([]byte(line))
		if _, err := io.WriteString(t.log, line); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) viewOf(seat pb.Seat) *pb.GameView { return t.views[pb.Viewer(seat)] }

// public is what everybody may know.
func (t *table) public() *pb.GameView { return t.views[pb.Viewer_VIEWER_SPECTATOR] }

func (t *table) toAct() pb.Seat { return t.public().SeatToAct }

// digests is a line of all that was sent since the last one.
func (t *table) digests() string {
	var line strings.Builder
	line.WriteString("views")
	for _, viewer := range viewers {
		fmt.Fprintf(&line, " %s %s", viewerText(viewer), short(t.hashes[viewer]))
	}
	t.forget()
	return line.String()
}

func (t *table) forget() {
	t.hashes = map[pb.Viewer]hash.Hash{}
	for _, viewer := range viewers {
		t.hashes[viewer] = sha256.New()
	}
}
