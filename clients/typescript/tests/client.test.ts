// The client against a server of this process, which fails as it is told to.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { Metadata, Server, ServerCredentials, status } from "@grpc/grpc-js";
import { createClient, type Options, type TarneebClient, TarneebError } from "../src/index.js";
import { CommitDealResponseSchema, TarneebService } from "../src/v1.js";

const server = new Server();
const ANSWER = create(CommitDealResponseSchema, { commitment: new Uint8Array([1, 2, 3]) });
let port = 0;
// What the next calls fail with; after them they succeed. And what was received.
let failures: status[] = [];
let tokens: unknown[] = [];
let silent = false;

before(async () => {
  const bytes = (message: Buffer) => message;
  const path = `/${TarneebService.typeName}/CommitDeal`;
  const method = { path, requestStream: false, responseStream: false } as const;
  const codec = {
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  };
  server.addService(
    { CommitDeal: { ...method, ...codec } },
    {
      CommitDeal: (call: { metadata: Metadata }, respond: (error: object | null, bytes?: Buffer) => void) => {
        tokens.push(call.metadata.get("authorization")[0]);
        const code = failures.shift();
        if (silent) return;
        if (code === undefined) respond(null, Buffer.from(toBinary(CommitDealResponseSchema, ANSWER)));
        else respond({ code, details: "as told", metadata: new Metadata() });
      },
    },
  );
  port = await new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
});

beforeEach(() => {
  failures = [];
  tokens = [];
  silent = false;
});

after(() => server.forceShutdown());

async function using(options: Options, use: (client: TarneebClient) => Promise<void>): Promise<void> {
  const client = createClient(`127.0.0.1:${port}`, options);
  try {
    await use(client);
  } finally {
    client.close();
  }
}

function failsWith(code: status) {
  return (error: unknown) => error instanceof TarneebError && error.code === code;
}

test("three failures that pass are not noticed", () =>
  using({}, async (client) => {
    failures = [status.UNAVAILABLE, status.CANCELLED, status.UNAVAILABLE];
    assert.deepEqual((await client.commitDeal({ gameId: "g-1" })).commitment, ANSWER.commitment);
    assert.equal(tokens.length, 4);
  }));

test("the fourth is", () =>
  using({}, async (client) => {
    failures = Array(9).fill(status.UNAVAILABLE);
    await assert.rejects(client.commitDeal({}), failsWith(status.UNAVAILABLE));
    assert.equal(tokens.length, 4);
  }));

test("what would fail again is not repeated", () =>
  using({}, async (client) => {
    failures = [status.INVALID_ARGUMENT];
    await assert.rejects(client.commitDeal({}), failsWith(status.INVALID_ARGUMENT));
    assert.equal(tokens.length, 1);
  }));

test("a call ends at its deadline, or at the client's", () =>
  using({ deadlineMs: 150 }, async (client) => {
    silent = true;
    for (const [options, least] of [
      [{}, 140],
      [{ deadlineMs: 50 }, 40],
    ] as const) {
      const started = performance.now();
      await assert.rejects(client.commitDeal({}, options), failsWith(status.DEADLINE_EXCEEDED));
      assert.ok(performance.now() - started >= least);
    }
  }));

test("each call has the token", () =>
  using({ token: "secret" }, async (client) => {
    await client.commitDeal({});
    await client.callWithBytes("CommitDeal", new Uint8Array());
    assert.deepEqual(tokens, ["Bearer secret", "Bearer secret"]);
  }));

test("bytes go and come as they are", () =>
  using({}, async (client) => {
    const bytes = await client.callWithBytes("CommitDeal", new Uint8Array());
    assert.deepEqual(bytes, toBinary(CommitDealResponseSchema, ANSWER));
    await assert.rejects(client.callWithBytes("NoMethod", bytes), failsWith(status.UNIMPLEMENTED));
  }));

test("there is a call for each method", () =>
  using({}, async (client) => {
    assert.equal(TarneebService.methods.length, 15);
    for (const { localName } of TarneebService.methods) assert.ok(Object.hasOwn(client, localName), localName);
  }));
