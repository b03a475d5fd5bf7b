// How a client reaches the service, and what it does when a replica fails it.
#ifndef TARNEEB_OPTIONS_H_
#define TARNEEB_OPTIONS_H_

#include <grpcpp/support/channel_arguments.h>

#include <chrono>
#include <optional>
#include <string>

namespace tarneeb {

// Every call may be repeated: the service keeps nothing between two calls. CANCELLED is what a server that stops gives
// to calls it had not begun. There is no "timeout" in here: the deadline goes with each call.
inline constexpr char kServiceConfig[] = R"({
  "loadBalancingConfig": [{"round_robin": {}}],
  "healthCheckConfig": {"serviceName": ""},
  "methodConfig": [{
    "name": [{"service": "tarneeb.v1.TarneebService"}],
    "retryPolicy": {
      "maxAttempts": 4, "initialBackoff": "0.05s", "maxBackoff": "1s", "backoffMultiplier": 2,
      "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"]
    }
  }]
})";

// All in PEM. Without roots those of the system serve; certificate and key are for mutual TLS.
struct Tls {
  std::string roots;
  std::string certificate;
  std::string key;
};

struct Options {
  // For a call, retries included.
  std::chrono::milliseconds deadline{2000};
  // Plain text without it.
  std::optional<Tls> tls;
  // Sent as a bearer token with each call; none when empty. Without TLS whoever listens reads it.
  std::string token;
  std::string service_config = kServiceConfig;
  // Anything else that gRPC's channel can be told.
  grpc::ChannelArguments channel;
};

// `host:port` by DNS, so that every replica behind the name is found; a target with a scheme as it is.
std::string FullTarget(const std::string& target);

}  // namespace tarneeb

#endif  // TARNEEB_OPTIONS_H_
