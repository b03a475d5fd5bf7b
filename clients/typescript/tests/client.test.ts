import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { toBinary } from "@bufbuild/protobuf";
import { status } from "@grpc/grpc-js";
import { createClient, type Options, TarneebError } from "../src/index.js";
import { fullTarget } from "../src/options.js";
import { CommitDealResponseSchema, TarneebService } from "../src/v1.js";
import { ANSWER, FakeService } from "./fake_service.js";

/** A client of so many services, both gone at the end of the test. */
async function clientOf(context: TestContext, options: Options = {}, number = 1) {
  const services = Array.from({ length: number }, () => new FakeService());
  const addresses = await Promise.all(services.map(async (each) => `127.0.0.1:${await each.start()}`));
  const client = createClient(`ipv4:${addresses.join()}`, options);
  context.after(() => {
    client.close();
    for (const service of services) service.stop();
  });
  return { client, services, service: services[0] as FakeService };
}

function failsWith(code: status) {
  return (error: unknown) => error instanceof TarneebError && error.code === code;
}

test("three failures that pass are not noticed", async (context) => {
  const { client, service } = await clientOf(context);
  service.failures = [status.UNAVAILABLE, status.CANCELLED, status.UNAVAILABLE];
  assert.deepEqual((await client.commitDeal({ gameId: "g-1" })).commitment, ANSWER.commitment);
  assert.equal(service.tokens.length, 4);
});

test("the fourth is", async (context) => {
  const { client, service } = await clientOf(context);
  service.failures = Array(9).fill(status.UNAVAILABLE);
  await assert.rejects(client.commitDeal({}), failsWith(status.UNAVAILABLE));
  assert.equal(service.tokens.length, 4);
});

test("what would fail again is not repeated", async (context) => {
  const { client, service } = await clientOf(context);
  service.failures = [status.INVALID_ARGUMENT];
  await assert.rejects(client.commitDeal({}), failsWith(status.INVALID_ARGUMENT));
  assert.equal(service.tokens.length, 1);
});

test("calls go round all replicas", async (context) => {
  const { client, services } = await clientOf(context, {}, 2);
  // Until both are connected one alone may answer.
  for (let call = 0; call < 100 && services.some(({ tokens }) => tokens.length === 0); call++) {
    await client.commitDeal({});
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const before = services.map(({ tokens }) => tokens.length);
  for (let call = 0; call < 10; call++) await client.commitDeal({});
  assert.deepEqual(
    services.map(({ tokens }, index) => tokens.length - (before[index] ?? 0)),
    [5, 5],
  );
});

test("a call ends at its deadline, or at the client's", async (context) => {
  const { client, service } = await clientOf(context, { deadlineMs: 400 });
  service.silent = true;
  for (const [options, least, most] of [
    [{}, 390, 10_000],
    [{ deadlineMs: 50 }, 40, 390],
  ] as const) {
    const started = performance.now();
    await assert.rejects(client.commitDeal({}, options), failsWith(status.DEADLINE_EXCEEDED));
    const taken = performance.now() - started;
    assert.ok(taken >= least && taken < most, `took ${taken} ms`);
  }
});

test("each call has the token", async (context) => {
  const { client, service } = await clientOf(context, { token: "secret" });
  await client.commitDeal({});
  await client.callWithBytes("CommitDeal", new Uint8Array());
  assert.deepEqual(service.tokens, ["Bearer secret", "Bearer secret"]);
});

test("bytes go and come as they are", async (context) => {
  const { client } = await clientOf(context);
  const bytes = await client.callWithBytes("CommitDeal", new Uint8Array());
  assert.deepEqual(bytes, toBinary(CommitDealResponseSchema, ANSWER));
  await assert.rejects(client.callWithBytes("NoMethod", bytes), failsWith(status.UNIMPLEMENTED));
});

test("there is a call for each method", async (context) => {
  const { client } = await clientOf(context);
  assert.equal(TarneebService.methods.length, 15);
  for (const { localName } of TarneebService.methods) assert.ok(Object.hasOwn(client, localName), localName);
});

test("a bare target is looked up, any other is taken as it is", () => {
  assert.equal(fullTarget("tarneeb:50051"), "dns:///tarneeb:50051");
  for (const target of ["dns:///a:1", "unix:/run/a", "ipv4:1.2.3.4:5", "xds:///a"]) {
    assert.equal(fullTarget(target), target);
  }
});
