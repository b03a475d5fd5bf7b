package com.tarneeb.client;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How a client reaches the service, and what it does when a replica fails it.
 *
 * @param deadline for each call, retries included
 * @param credentials {@code TlsChannelCredentials} for TLS; plain text by default
 * @param token sent as a bearer token with each call; null for none. Without TLS whoever listens reads it
 * @param serviceConfig balancing, health checks and retries, as gRPC takes it
 */
public record Options(
    Duration deadline, ChannelCredentials credentials, String token, Map<String, ?> serviceConfig) {

  /**
   * Every call may be repeated: the service keeps nothing between two calls. CANCELLED is what a server that stops gives
   * to calls it had not begun.
   */
  public static final Map<String, ?> SERVICE_CONFIG =
      Map.of(
          "loadBalancingConfig", List.of(Map.of("round_robin", Map.of())),
          "healthCheckConfig", Map.of("serviceName", ""),
          "methodConfig",
              List.of(
                  Map.of(
                      "name", List.of(Map.of("service", "tarneeb.v1.TarneebService")),
                      "retryPolicy",
                          Map.of(
                              "maxAttempts", 4.0,
                              "initialBackoff", "0.05s",
                              "maxBackoff", "1s",
                              "backoffMultiplier", 2.0,
                              "retryableStatusCodes", List.of("UNAVAILABLE", "CANCELLED")))));

  /** Two seconds a call, plain text, no token. */
  public Options() {
    this(Duration.ofSeconds(2), InsecureChannelCredentials.create(), null, SERVICE_CONFIG);
  }

  /** The same with another deadline. */
  public Options withDeadline(Duration seconds) {
    return new Options(seconds, credentials, token, serviceConfig);
  }

  /** The same over TLS, or mutual TLS. */
  public Options withCredentials(ChannelCredentials tls) {
    return new Options(deadline, tls, token, serviceConfig);
  }

  /** The same with a bearer token. */
  public Options withToken(String bearer) {
    return new Options(deadline, credentials, bearer, serviceConfig);
  }
}
