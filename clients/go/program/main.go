// Program plays the games of clients/PROGRAM.md, prints the transcript and its hash, and runs the vectors.
package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	pb "tarneeb/v1"

	"tarneebclient/fairdeal"
	"tarneebclient/tarneeb"
)

const (
	// gameNumber is of each of the ten games; by this one they show every refusal there is.
	gameNumber = 21
	// deadline of a call; long, since all languages are tried at once on a machine that does other things too.
	deadline = 30 * time.Second
)

// flags are the command line.
type flags struct {
	target, words, transcript, views, vectors, ca, tokenFile string
}

func main() {
	var f flags
	flag.StringVar(&f.target, "target", tarneeb.DefaultTarget, "`HOST:PORT` of the service")
	flag.StringVar(&f.words, "words", "clients/words/ar.json", "`file` with the table of sentences")
	flag.StringVar(&f.transcript, "transcript", "", "`file` for the transcript; standard output without one")
	flag.StringVar(&f.views, "views", "", "`file` for every view, a line each")
	flag.StringVar(&f.vectors, "vectors", "", "`folder` of vectors.jsonl")
	flag.StringVar(&f.ca, "ca", "", "`file` of roots for TLS, in PEM")
	flag.StringVar(&f.tokenFile, "token-file", "", "`file` with a bearer token")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "unexpected: %s\n", strings.Join(flag.Args(), " "))
		flag.Usage()
		os.Exit(2)
	}
	sound, err := run(context.Background(), f)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", f.target, err)
	}
	if err != nil || !sound {
		os.Exit(1)
	}
}

// connected is the client that the command line wants.
func (f flags) connected() (*tarneeb.Client, error) {
	options := tarneeb.Options{Deadline: deadline}
	if f.tokenFile != "" {
		token, err := os.ReadFile(f.tokenFile)
		if err != nil {
			return nil, err
		}
		options.Token = strings.TrimSpace(string(token))
	}
	if f.ca != "" {
		roots, err := os.ReadFile(f.ca)
		if err != nil {
			return nil, err
		}
		if options.TLS, err = tarneeb.TLSConfig(roots, nil, nil); err != nil {
			return nil, fmt.Errorf("%s: %w", f.ca, err)
		}
	}
	return tarneeb.New(f.target, options)
}

// run plays and prints, and returns whether every check came out well.
func run(ctx context.Context, f flags) (sound bool, err error) {
	client, err := f.connected()
	if err != nil {
		return false, err
	}
	defer client.Close()
	words, err := readWords(f.words)
	if err != nil {
		return false, err
	}
	out, closeOut, err := opened(f.transcript, os.Stdout)
	if err != nil {
		return false, err
	}
	defer closeOut()
	log, closeLog, err := opened(f.views, io.Discard)
	if err != nil {
		return false, err
	}
	defer closeLog()
	views := bufio.NewWriter(log)
	b := &backend{
		client:     client,
		store:      store{rows: map[string]row{}},
		words:      words,
		transcript: newTranscript(out),
		views:      views,
	}
	games, err := b.play(ctx)
	// What was played before a failure is of use to whoever looks for its cause.
	for _, flush := range []func() error{b.out.Flush, views.Flush} {
		if failed := flush(); err == nil {
			err = failed
		}
	}
	if err != nil {
		return false, err
	}
	summary := fmt.Sprintf("%d games, transcript %s", games, short(b.hash))
	if f.vectors != "" {
		passed, total, err := runVectors(ctx, client, f.vectors)
		if err != nil {
			return false, err
		}
		b.check(passed == total)
		summary += fmt.Sprintf(", %d/%d vectors", passed, total)
	}
	fmt.Println("go: " + summary)
	return !b.unsound, nil
}

// play plays the table and a game of each preset, and returns how many games that were.
func (b *backend) play(ctx context.Context) (int, error) {
	b.tell("tarneeb transcript 1")
	if err := playTable(ctx, b); err != nil {
		return 0, err
	}
	presets, err := b.client.ListRuleSets(ctx, &pb.ListRuleSetsRequest{})
	if err != nil {
		return 0, err
	}
	for _, preset := range presets.RuleSets {
		if err := wholeGame(ctx, b, preset.PresetId); err != nil {
			return 0, err
		}
	}
	return len(presets.RuleSets), nil
}

func wholeGame(ctx context.Context, b *backend, presetID string) error {
	id := fmt.Sprintf("%s-%d", presetID, gameNumber)
	seed := digest("dealer " + id)
	shown, err := b.client.CommitDeal(ctx, &pb.CommitDealRequest{
		// Hand 0 stands for the first dealer.
		GameId: id, HandNumber: proto.Uint32(0), Seed: seed,
	})
	if err != nil {
		return err
	}
	g, err := create(ctx, b, &pb.CreateGameRequest{
		Id:      id,
		RuleSet: &pb.RuleSetChoice{PresetId: presetID},
		First:   &pb.CreateGameRequest_FirstDealerSeed{FirstDealerSeed: seed},
	})
	if err != nil {
		return err
	}
	fair := bytes.Equal(shown.Commitment, fairdeal.Commitment(seed, id, 0)) &&
		g.record.FirstDealer == fairdeal.FirstDealer(seed, id)
	g.tell("dealer %x %s", shown.Commitment, g.check(fair))
	for g.public().Phase != pb.Phase_PHASE_GAME_OVER {
		next := g.turn
		if g.public().Phase == pb.Phase_PHASE_AWAITING_DEAL {
			next = g.deal
		}
		if err := next(ctx); err != nil {
			return err
		}
	}
	if err := g.attempt(ctx, []*pb.Move{passing(pb.Seat_SEAT_NORTH)}); err != nil {
		return err
	}
	if err := g.replay(ctx, false); err != nil {
		return err
	}
	end := g.public()
	g.tell("over %s %s %d %s", id, teamText(end.Outcome.Winner), end.HandNumber, joined(end.Scores, ",", number))
	return nil
}
