package tarneeb

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	// The balancer asks for health through what this registers.
	_ "google.golang.org/grpc/health"
)

// Defaults.
const (
	DefaultTarget   = "localhost:50051"
	DefaultDeadline = 2 * time.Second
)

// ServiceConfig is how calls are balanced and repeated. Every call may be: the service keeps nothing between two.
// CANCELLED is what a server that stops gives to calls it had not begun.
const ServiceConfig = `{
  "loadBalancingConfig": [{"round_robin": {}}],
  "healthCheckConfig": {"serviceName": ""},
  "methodConfig": [{
    "name": [{"service": "tarneeb.v1.TarneebService"}],
    "retryPolicy": {
      "maxAttempts": 4,
      "initialBackoff": "0.05s",
      "maxBackoff": "1s",
      "backoffMultiplier": 2,
      "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"]
    }
  }]
}`

// Options are what a client can be told; the zero value has the defaults.
type Options struct {
	// Deadline is for a call whose context has none, retries included; DefaultDeadline if it is zero.
	Deadline time.Duration
	// TLS is nil for plain text; an empty one takes the system's roots. TLSConfig makes one of PEM.
	TLS *tls.Config
	// Token goes with each call as a bearer token. Without TLS whoever listens reads it.
	Token string
	// ServiceConfig replaces the one above.
	ServiceConfig string
	// Dial has more options of gRPC; they come last.
	Dial []grpc.DialOption
}

// TLSConfig is that of roots, or the system's if there are none, and of a certificate and key for mutual TLS, or
// none; all in PEM.
func TLSConfig(roots, certificate, key []byte) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if len(roots) > 0 {
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(roots) {
			return nil, errors.New("tarneeb: no certificate in the roots")
		}
	}
	if len(certificate) > 0 || len(key) > 0 {
		pair, err := tls.X509KeyPair(certificate, key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

func (o Options) dial() []grpc.DialOption {
	transport := insecure.NewCredentials()
	if o.TLS != nil {
		transport = credentials.NewTLS(o.TLS)
	}
	config := o.ServiceConfig
	if config == "" {
		config = ServiceConfig
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithDefaultServiceConfig(config),
		// Nobody keeps a config in DNS; asking for it costs a query.
		grpc.WithDisableServiceConfig(),
		grpc.WithUnaryInterceptor(o.intercept),
	}
	if o.Token != "" {
		options = append(options, grpc.WithPerRPCCredentials(bearer(o.Token)))
	}
	return append(options, o.Dial...)
}

// intercept gives each call a deadline, and each failure its details.
func (o Options) intercept(
	ctx context.Context, method string, request, response any,
	conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
	if _, set := ctx.Deadline(); !set {
		deadline := o.Deadline
		if deadline == 0 {
			deadline = DefaultDeadline
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, deadline)
		defer cancel()
	}
	return errorOf(invoke(ctx, method, request, response, conn, options...))
}

// fullTarget is `host:port` by DNS, so that every replica behind the name is found; one with a scheme as it is.
func fullTarget(target string) string {
	if target == "" {
		target = DefaultTarget
	}
	for _, scheme := range []string{"unix:", "unix-abstract:"} {
		if strings.HasPrefix(target, scheme) {
			return target
		}
	}
	if strings.Contains(target, "://") {
		return target
	}
	return "dns:///" + target
}

// bearer is a token that goes with each call.
type bearer string

func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + string(b)}, nil
}

// RequireTransportSecurity is false: within a mesh or on one machine plain text may do.
func (b bearer) RequireTransportSecurity() bool { return false }
