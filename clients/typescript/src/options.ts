// How a client reaches the service, and what it does when a replica fails it.

import { type ChannelCredentials, type ChannelOptions, credentials, type ServiceConfig } from "@grpc/grpc-js";

// Every call may be repeated: the service keeps nothing between two calls. CANCELLED is what a server that stops gives
// to calls it had not begun. grpc-js knows no health checks, so there is no "healthCheckConfig".
export const SERVICE_CONFIG: ServiceConfig = {
  loadBalancingConfig: [{ round_robin: {} }],
  methodConfig: [
    {
      name: [{ service: "tarneeb.v1.TarneebService" }],
      retryPolicy: {
        maxAttempts: 4,
        initialBackoff: "0.05s",
        maxBackoff: "1s",
        backoffMultiplier: 2,
        retryableStatusCodes: ["UNAVAILABLE", "CANCELLED"],
      },
    },
  ],
};

/** Roots in PEM, those of the system when there are none; certificate and key, in PEM, for mutual TLS. */
export interface Tls {
  roots?: Buffer;
  certificate?: Buffer;
  key?: Buffer;
}

export interface Options {
  /** For each call, retries included; 2000. */
  deadlineMs?: number;
  /** Plain text when it is not set; `{}` for TLS with the roots of the system. */
  tls?: Tls;
  /** Sent with each call as a bearer token; without TLS whoever listens reads it. */
  token?: string;
  /** Instead of `SERVICE_CONFIG`. */
  serviceConfig?: ServiceConfig;
  /** More options of the channel. */
  channel?: ChannelOptions;
}

export function channelOptions(options: Options): ChannelOptions {
  return {
    "grpc.service_config": JSON.stringify(options.serviceConfig ?? SERVICE_CONFIG),
    // Else a TXT record beside the name could bring another one.
    "grpc.service_config_disable_resolution": 1,
    ...options.channel,
  };
}

export function channelCredentials({ tls }: Options): ChannelCredentials {
  return tls ? credentials.createSsl(tls.roots, tls.key, tls.certificate) : credentials.createInsecure();
}

/** `host:port` by DNS, so that every replica behind the name is found; a target with a scheme as it is. */
export function fullTarget(target: string): string {
  return /^(unix|ipv4|ipv6):|:\/\//.test(target) ? target : `dns:///${target}`;
}
