package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"tarneebclient/tarneeb"
)

// vector is a conformance vector, asked; encoding/json reads its base64.
type vector struct {
	ID       string
	RPC      string
	Request  []byte
	Raw      bool
	Repeat   int
	Response []byte
	Status   *failure
}

// failure is what an error says; violations are sorted, each once.
type failure struct {
	Code       string
	Reason     string
	Problems   int
	Violations [][2]string
}

// runVectors runs all of a folder, naming each that differs on standard error.
func runVectors(ctx context.Context, client *tarneeb.Client, folder string) (passed, total int, err error) {
	file, err := os.Open(filepath.Join(folder, "vectors.jsonl"))
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	methods := methodsOf(client)
	for lines := json.NewDecoder(file); ; total++ {
		asked := vector{Repeat: 1}
		if err := lines.Decode(&asked); errors.Is(err, io.EOF) {
			return passed, total, nil
		} else if err != nil {
			return 0, 0, err
		}
		if wrong := asked.run(ctx, client, methods); wrong != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", asked.ID, wrong)
		} else {
			passed++
		}
	}
}

// run asks a vector as often as it wants, and returns what differs first.
func (v *vector) run(ctx context.Context, client *tarneeb.Client, methods map[string]method) error {
	m, there := methods[v.RPC]
	if !there {
		return fmt.Errorf("no method %s", v.RPC)
	}
	for range v.Repeat {
		answer, err := v.ask(ctx, client, m)
		if wrong := v.difference(answer, err, m); wrong != nil {
			return wrong
		}
	}
	return nil
}

func (v *vector) ask(ctx context.Context, client *tarneeb.Client, m method) (proto.Message, error) {
	if v.Raw {
		data, err := client.CallWithBytes(ctx, v.RPC, v.Request)
		if err != nil {
			return nil, err
		}
		answer := m.response()
		return answer, proto.Unmarshal(data, answer)
	}
	request := m.request()
	if err := proto.Unmarshal(v.Request, request); err != nil {
		return nil, err
	}
	return m.call(ctx, request)
}

func (v *vector) difference(answer proto.Message, err error, m method) error {
	var failed *tarneeb.Error
	switch {
	case errors.As(err, &failed) && v.Status != nil:
		if said := failureOf(failed); !reflect.DeepEqual(said, v.Status) {
			return fmt.Errorf("expected %+v, got %+v", *v.Status, *said)
		}
		return nil
	case err != nil:
		return fmt.Errorf("expected an answer, got %w", err)
	case v.Status != nil:
		return fmt.Errorf("expected %+v, got an answer", *v.Status)
	}
	wanted := m.response()
	if err := proto.Unmarshal(v.Response, wanted); err != nil {
		return err
	}
	if !proto.Equal(answer, wanted) {
		return fmt.Errorf("expected %v, got %v", wanted, answer)
	}
	return nil
}

func failureOf(failed *tarneeb.Error) *failure {
	return &failure{
		// That enum has the names as the contract has them.
		Code:       code.Code(failed.Code).String(),
		Reason:     failed.ReasonName(),
		Problems:   failed.Problems,
		Violations: slices.Compact(sorted(failed.Violations)),
	}
}

// method is one of the client's, for messages whose type is known only when it runs.
type method struct {
	request, response func() proto.Message
	call              func(context.Context, proto.Message) (proto.Message, error)
}

func of[Q, A proto.Message](call func(context.Context, Q, ...grpc.CallOption) (A, error)) method {
	return method{
		request:  made[Q],
		response: made[A],
		call: func(ctx context.Context, request proto.Message) (proto.Message, error) {
			return call(ctx, request.(Q))
		},
	}
}

// made is a new message of a type.
func made[M proto.Message]() proto.Message {
	var none M
	return none.ProtoReflect().New().Interface()
}

func methodsOf(client *tarneeb.Client) map[string]method {
	return map[string]method{
		"ListRuleSets":   of(client.ListRuleSets),
		"ResolveRuleSet": of(client.ResolveRuleSet),
		"CreateGame":     of(client.CreateGame),
		"DealHand":       of(client.DealHand),
		"ListLegalMoves": of(client.ListLegalMoves),
		"ValidateMove":   of(client.ValidateMove),
		"ApplyMove":      of(client.ApplyMove),
		"UndoMove":       of(client.UndoMove),
		"ValidateMoves":  of(client.ValidateMoves),
		"ReplayGame":     of(client.ReplayGame),
		"ValidateGame":   of(client.ValidateGame),
		"ViewGame":       of(client.ViewGame),
		"CommitDeal":     of(client.CommitDeal),
		"VerifyDeal":     of(client.VerifyDeal),
		"ScoreHand":      of(client.ScoreHand),
	}
}
