// The conformance vectors, asked through the stubs.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { equals, fromBinary, type Message, toJsonString } from "@bufbuild/protobuf";
import { type TarneebClient, TarneebError } from "../src/index.js";
import { TarneebService } from "../src/v1.js";

/** A line of `vectors.jsonl`, as clients/PROGRAM.md has it. */
interface Vector {
  id: string;
  rpc: string;
  request: string;
  raw?: boolean;
  repeat?: number;
  response?: string;
  status?: Status;
}

interface Status {
  code: string;
  reason: string;
  problems: number;
  violations: string[][];
}

/** Run all of a folder, naming each that differs on standard error; how many of how many passed. */
export async function runVectors(client: TarneebClient, folder: string): Promise<{ passed: number; total: number }> {
  const lines = readFileSync(join(folder, "vectors.jsonl"), "utf8").trimEnd().split("\n");
  let passed = 0;
  for (const line of lines) {
    const vector: Vector = JSON.parse(line);
    const found = await firstDifference(client, vector);
    if (found) console.error(`${vector.id}: ${found}`);
    else passed += 1;
  }
  return { passed, total: lines.length };
}

async function firstDifference(client: TarneebClient, vector: Vector): Promise<string | undefined> {
  for (let time = 0; time < (vector.repeat ?? 1); time++) {
    const found = await difference(client, vector);
    if (found) return found;
  }
  return undefined;
}

/** What is wrong with the answer to a vector. */
async function difference(client: TarneebClient, vector: Vector): Promise<string | undefined> {
  const { response, status } = vector;
  const method = TarneebService.methods.find(({ name }) => name === vector.rpc);
  if (!method) return `no method ${vector.rpc}`;
  const request = Buffer.from(vector.request, "base64");
  try {
    let answer: Message;
    if (vector.raw) {
      answer = fromBinary(method.output, await client.callWithBytes(method.name, request));
    } else {
      // Of all methods the one that takes this message: more than types can say.
      const call = client[method.localName as keyof TarneebClient] as (request: Message) => Promise<Message>;
      answer = await call(fromBinary(method.input, request));
    }
    if (response === undefined) return `expected ${JSON.stringify(status)}, got an answer`;
    const wanted = fromBinary(method.output, Buffer.from(response, "base64"));
    if (equals(method.output, answer, wanted)) return undefined;
    return `expected ${toJsonString(method.output, wanted)}, got ${toJsonString(method.output, answer)}`;
  } catch (error) {
    if (!(error instanceof TarneebError)) throw error;
    const said = statusOf(error);
    return isDeepStrictEqual(said, status)
      ? undefined
      : `expected ${status ? JSON.stringify(status) : "an answer"}, got ${JSON.stringify(said)}: ${error.message}`;
  }
}

/** An error as vectors have it: violations by path, then reason, each once. */
function statusOf(error: TarneebError): Status {
  // No path and no reason has a line's end, which comes before all else in them.
  const violations = new Set(error.violations.map(({ path, reason }) => `${path}\n${reason}`));
  return {
    code: error.codeName,
    reason: error.reasonName,
    problems: error.problems,
    violations: [...violations].sort().map((each) => each.split("\n")),
  };
}
