package tarneeb

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"net"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
	"google.golang.org/grpc/status"

	pb "tarneeb/v1"
)

// replica stands for one of the service: it counts its calls, and fails the first ones.
type replica struct {
	pb.UnimplementedTarneebServiceServer
	healthpb.UnimplementedHealthServer
	address string
	ill     bool
	calls   atomic.Int32
	// failing is how many calls fail, with code.
	failing int32
	code    codes.Code
	token   string
}

func (r *replica) ListRuleSets(ctx context.Context, _ *pb.ListRuleSetsRequest) (*pb.ListRuleSetsResponse, error) {
	if got, _ := metadata.FromIncomingContext(ctx); len(got["authorization"]) > 0 {
		r.token = got["authorization"][0]
	}
	if r.calls.Add(1) <= r.failing {
		return nil, status.Error(r.code, "not now")
	}
	return &pb.ListRuleSetsResponse{RulesRevision: 3}, nil
}

// Watch tells whether it serves. That of gRPC's package health would bring the client's part with it, which is what is
// to be tested.
func (r *replica) Watch(_ *healthpb.HealthCheckRequest, stream healthpb.Health_WatchServer) error {
	said := healthpb.HealthCheckResponse_SERVING
	if r.ill {
		said = healthpb.HealthCheckResponse_NOT_SERVING
	}
	if err := stream.Send(&healthpb.HealthCheckResponse{Status: said}); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

// ViewGame never answers in time.
func (r *replica) ViewGame(ctx context.Context, _ *pb.ViewGameRequest) (*pb.ViewGameResponse, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// serve starts a replica on a port of this machine.
func serve(t *testing.T, r *replica, options ...grpc.ServerOption) *replica {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(options...)
	r.address = listener.Addr().String()
	pb.RegisterTarneebServiceServer(server, r)
	healthpb.RegisterHealthServer(server, r)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return r
}

func client(t *testing.T, target string, options Options) *Client {
	t.Helper()
	made, err := New(target, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { made.Close() })
	return made
}

func ask(t *testing.T, c *Client) error {
	t.Helper()
	_, err := c.ListRuleSets(t.Context(), &pb.ListRuleSetsRequest{})
	return err
}

func TestWhatMayPassIsRepeated(t *testing.T) {
	for _, code := range []codes.Code{codes.Unavailable, codes.Canceled} {
		r := serve(t, &replica{failing: 3, code: code})
		if err := ask(t, client(t, r.address, Options{Deadline: 10 * time.Second})); err != nil {
			t.Errorf("%s: %v after %d calls", code, err, r.calls.Load())
		}
	}
}

func TestFourAttemptsAreAllAndOthersHaveOne(t *testing.T) {
	for code, wanted := range map[codes.Code]int32{codes.Unavailable: 4, codes.ResourceExhausted: 1} {
		r := serve(t, &replica{failing: 9, code: code})
		err := ask(t, client(t, r.address, Options{Deadline: 10 * time.Second}))
		var failed *Error
		if !errors.As(err, &failed) || failed.Code != code || failed.Message != "not now" || r.calls.Load() != wanted {
			t.Errorf("%v after %d calls, not %d", err, r.calls.Load(), wanted)
		}
	}
}

func TestEveryCallHasADeadline(t *testing.T) {
	c := client(t, serve(t, &replica{}).address, Options{Deadline: 50 * time.Millisecond})
	long, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	for least, ctx := range map[time.Duration]context.Context{
		50 * time.Millisecond: t.Context(), 200 * time.Millisecond: long,
	} {
		start := time.Now()
		_, err := c.ViewGame(ctx, &pb.ViewGameRequest{})
		if took := time.Since(start); status.Code(err) != codes.DeadlineExceeded || took < least {
			t.Errorf("%v after %v", err, took)
		}
	}
}

func TestTheTokenGoesWithACall(t *testing.T) {
	r := serve(t, &replica{})
	if err := ask(t, client(t, r.address, Options{Token: "secret"})); err != nil || r.token != "Bearer secret" {
		t.Errorf("%v, %q", err, r.token)
	}
}

func TestBytesGoAsTheyAre(t *testing.T) {
	c := client(t, serve(t, &replica{}).address, Options{})
	if answer, err := c.CallWithBytes(t.Context(), "ListRuleSets", nil); err != nil || string(answer) != "\x10\x03" {
		t.Errorf("%v, %q", err, answer)
	}
}

func TestCallsGoRoundThoseThatServe(t *testing.T) {
	for _, ill := range []bool{false, true} {
		first, second := serve(t, &replica{ill: ill}), serve(t, &replica{})
		found := manual.NewBuilderWithScheme("replicas")
		found.InitialState(resolver.State{Endpoints: []resolver.Endpoint{
			{Addresses: []resolver.Address{{Addr: first.address}}}, {Addresses: []resolver.Address{{Addr: second.address}}},
		}})
		c := client(t, "replicas:///", Options{Dial: []grpc.DialOption{grpc.WithResolvers(found)}})
		both := func() bool { return first.calls.Load() > 0 && second.calls.Load() > 0 }
		for start := time.Now(); time.Since(start) < 2*time.Second && !both(); {
			if err := ask(t, c); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
		}
		if both() == ill || second.calls.Load() == 0 {
			t.Errorf("ill %t: the first had %d calls, the second %d", ill, first.calls.Load(), second.calls.Load())
		}
	}
}

func TestTLS(t *testing.T) {
	// It has a certificate for 127.0.0.1.
	web := httptest.NewTLSServer(nil)
	defer web.Close()
	roots := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw})
	r := serve(t, &replica{}, grpc.Creds(credentials.NewServerTLSFromCert(&web.TLS.Certificates[0])))
	trusting, err := TLSConfig(roots, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := ask(t, client(t, r.address, Options{TLS: trusting})); err != nil {
		t.Error(err)
	}
	for name, config := range map[string]*tls.Config{"the system's roots": {}, "plain text": nil} {
		if err := ask(t, client(t, r.address, Options{TLS: config})); status.Code(err) != codes.Unavailable {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := TLSConfig([]byte("no roots"), nil, nil); err == nil {
		t.Error("roots without a certificate were taken")
	}
	if _, err := TLSConfig(nil, roots, nil); err == nil {
		t.Error("a certificate without a key was taken")
	}
}

func TestTargets(t *testing.T) {
	for target, wanted := range map[string]string{
		"": "dns:///localhost:50051", "rules:443": "dns:///rules:443", "[::1]:5": "dns:///[::1]:5",
		"dns:///a:1": "dns:///a:1", "unix:/run/a": "unix:/run/a",
	} {
		if found := fullTarget(target); found != wanted {
			t.Errorf("%q is %q, not %q", target, found, wanted)
		}
	}
}
