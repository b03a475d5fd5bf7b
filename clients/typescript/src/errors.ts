// A call that failed, with what the service says of it.

import { fromBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { type ServiceError, status } from "@grpc/grpc-js";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
  StatusSchema,
} from "../gen/google/rpc/error_details_pb.js";
import { ErrorReason } from "../gen/tarneeb/v1/errors_pb.js";

const DOMAIN = "tarneeb.v1.TarneebService";
// Where gRPC keeps the whole status; grpc-js gives its bytes alone.
const TRAILER = "grpc-status-details-bin";

/** One thing that is wrong with a request. */
export interface Violation {
  path: string;
  reason: string;
  message: string;
}

/** A call failed; without details from the service, only code and message say how. */
export class TarneebError extends Error {
  override readonly name = "TarneebError";
  readonly code: status;
  readonly reason: ErrorReason = ErrorReason.UNSPECIFIED;
  readonly metadata: Readonly<Record<string, string>> = {};
  readonly violations: readonly Violation[] = [];
  readonly retryAfterMs: number | undefined;

  /** `details` is a serialised `google.rpc.Status`. */
  constructor(code: status, message: string, details: Uint8Array = new Uint8Array(), options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    for (const detail of statusOf(details)) {
      const info = anyUnpack(detail, ErrorInfoSchema);
      if (info?.domain === DOMAIN) {
        this.metadata = info.metadata;
        this.reason = reasonOf(info.reason);
      }
      const request = anyUnpack(detail, BadRequestSchema);
      if (request) {
        this.violations = request.fieldViolations.map(({ field, reason, description }) => ({
          path: field,
          reason,
          message: description,
        }));
      }
      const delay = anyUnpack(detail, RetryInfoSchema)?.retryDelay;
      if (delay) this.retryAfterMs = Number(delay.seconds) * 1000 + delay.nanos / 1e6;
    }
  }

  /** The code as text, `INVALID_ARGUMENT`. */
  get codeName(): string {
    return status[this.code];
  }

  /** The reason as text, `INVALID_REQUEST`; `UNSPECIFIED` when there is none. */
  get reasonName(): string {
    return ErrorReason[this.reason];
  }

  /** How many problems there are in all; `violations` has the first 32. */
  get problems(): number {
    return Number(this.metadata.problems ?? 0);
  }
}

/** What a failed call of grpc-js says. */
export function errorOf(error: ServiceError): TarneebError {
  const [details] = error.metadata.get(TRAILER);
  const bytes = typeof details === "string" ? undefined : details;
  return new TarneebError(error.code, error.details, bytes, { cause: error });
}

function statusOf(details: Uint8Array) {
  try {
    return fromBinary(StatusSchema, details).details;
  } catch {
    // Something between us and the service put it there.
    return [];
  }
}

function reasonOf(name: string): ErrorReason {
  const reason = ErrorReason[name as keyof typeof ErrorReason];
  return typeof reason === "number" ? reason : ErrorReason.UNSPECIFIED;
}
