import assert from "node:assert/strict";
import test from "node:test";
import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { status } from "@grpc/grpc-js";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
  StatusSchema,
} from "../gen/google/rpc/error_details_pb.js";
import { TarneebError } from "../src/index.js";
import { ErrorReason } from "../src/v1.js";

const DOMAIN = "tarneeb.v1.TarneebService";

function packed<Schema extends DescMessage>(schema: Schema, init: MessageInitShape<Schema>) {
  return anyPack(schema, create(schema, init));
}

function errorWith(...details: ReturnType<typeof packed>[]): TarneebError {
  const bytes = toBinary(StatusSchema, create(StatusSchema, { details }));
  return new TarneebError(status.INVALID_ARGUMENT, "no", bytes);
}

test("all details are read", () => {
  const error = errorWith(
    packed(ErrorInfoSchema, { domain: DOMAIN, reason: "INVALID_REQUEST", metadata: { problems: "40" } }),
    packed(BadRequestSchema, { fieldViolations: [{ field: "game.id", reason: "MISSING", description: "Set it." }] }),
    packed(RetryInfoSchema, { retryDelay: { seconds: 1n, nanos: 500_000_000 } }),
  );
  assert.equal(error.codeName, "INVALID_ARGUMENT");
  assert.equal(error.message, "no");
  assert.equal(error.reason, ErrorReason.INVALID_REQUEST);
  assert.equal(error.reasonName, "INVALID_REQUEST");
  assert.equal(error.problems, 40);
  assert.deepEqual(error.violations, [{ path: "game.id", reason: "MISSING", message: "Set it." }]);
  assert.equal(error.retryAfterMs, 1500);
});

test("a reason of another domain is not ours", () => {
  const error = errorWith(
    packed(ErrorInfoSchema, { domain: "example.com", reason: "OVERLOADED", metadata: { a: "b" } }),
  );
  assert.equal(error.reason, ErrorReason.UNSPECIFIED);
  assert.deepEqual(error.metadata, {});
});

test("a reason that is not known is kept as none", () => {
  for (const reason of ["TOO_NEW", "1", "toString"]) {
    assert.equal(errorWith(packed(ErrorInfoSchema, { domain: DOMAIN, reason })).reason, ErrorReason.UNSPECIFIED);
  }
});

test("without details, or with broken ones, there are code and message", () => {
  for (const details of [undefined, Buffer.from([255, 1, 2])]) {
    const error = new TarneebError(status.UNAVAILABLE, "gone", details);
    assert.equal(error.codeName, "UNAVAILABLE");
    assert.equal(error.reasonName, "UNSPECIFIED");
    assert.deepEqual(error.violations, []);
    assert.equal(error.problems, 0);
    assert.equal(error.retryAfterMs, undefined);
  }
});
