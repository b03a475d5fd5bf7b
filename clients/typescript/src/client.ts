// The client. Nothing of it is made for one game or one player: a process needs one.

import {
  create,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Client, Metadata } from "@grpc/grpc-js";
import { TarneebService } from "../gen/tarneeb/v1/tarneeb_service_pb.js";
import { errorOf } from "./errors.js";
import { channelCredentials, channelOptions, fullTarget, type Options } from "./options.js";

type Methods = typeof TarneebService.method;

export interface CallOptions {
  /** For this call, retries included. */
  deadlineMs?: number;
}

/** The methods of `tarneeb.v1.TarneebService`: `applyMove({ ... })` and so on. What fails throws a `TarneebError`. */
export type Calls = {
  [Name in keyof Methods]: (
    request: MessageInitShape<Methods[Name]["input"]>,
    options?: CallOptions,
  ) => Promise<MessageShape<Methods[Name]["output"]>>;
};

export interface TarneebClient extends Calls {
  /** Call a method by its name in the contract with messages as bytes, for who passes them on. */
  callWithBytes(method: string, request: Uint8Array, options?: CallOptions): Promise<Uint8Array>;
  /** Close the channel, after which the process can end. */
  close(): void;
}

/** A client with one channel, kept until `close`, to `host:port`; nothing is sent yet. */
export function createClient(target = "localhost:50051", options: Options = {}): TarneebClient {
  const channel = new Client(fullTarget(target), channelCredentials(options), channelOptions(options));
  const metadata = new Metadata();
  if (options.token !== undefined) metadata.set("authorization", `Bearer ${options.token}`);

  function call<Request, Response>(
    name: string,
    serialize: (request: Request) => Uint8Array,
    deserialize: (bytes: Uint8Array) => Response,
    request: Request,
    { deadlineMs = options.deadlineMs ?? 2000 }: CallOptions = {},
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      channel.makeUnaryRequest<Request, Response>(
        `/${TarneebService.typeName}/${name}`,
        (message) => asBuffer(serialize(message)),
        // Fields of bytes are parts of this: a Buffer has other methods than their type says.
        (buffer) => deserialize(new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)),
        request,
        metadata,
        { deadline: Date.now() + deadlineMs },
        (error, response) => (error ? reject(errorOf(error)) : resolve(response as Response)),
      );
    });
  }

  function caller({ name, input, output }: DescMethodUnary) {
    return (request: MessageInitShape<typeof input>, callOptions?: CallOptions) =>
      call(
        name,
        (message) => toBinary(input, message),
        (bytes) => fromBinary(output, bytes),
        create(input, request),
        callOptions,
      );
  }

  const calls = Object.fromEntries(
    Object.entries(TarneebService.method).map(([name, method]) => [name, caller(method)]),
  ) as Calls;
  const same = (bytes: Uint8Array) => bytes;
  return {
    ...calls,
    callWithBytes: (method, request, callOptions) => call(method, same, same, request, callOptions),
    close: () => channel.close(),
  };
}

/** The same memory as grpc-js wants it. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
