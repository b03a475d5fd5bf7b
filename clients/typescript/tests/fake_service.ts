// A server of CommitDeal that answers and fails as it is told to.

import { create, toBinary } from "@bufbuild/protobuf";
import { type Metadata, Server, ServerCredentials, type sendUnaryData, type status } from "@grpc/grpc-js";
import { CommitDealResponseSchema, TarneebService } from "../src/v1.js";

export const ANSWER = create(CommitDealResponseSchema, { commitment: new Uint8Array([1, 2, 3]) });

const bytes = (message: Buffer) => message;
const DEFINITION = {
  CommitDeal: {
    path: `/${TarneebService.typeName}/CommitDeal`,
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  },
} as const;

export class FakeService {
  /** What the next calls fail with; after them they succeed. */
  failures: status[] = [];
  /** Whether calls are not answered at all. */
  silent = false;
  /** The `authorization` of each call that came. */
  readonly tokens: unknown[] = [];
  private readonly server = new Server();

  /** Serves on a port of its own, which is returned. */
  start(): Promise<number> {
    this.server.addService(DEFINITION, {
      CommitDeal: (call: { metadata: Metadata }, respond: sendUnaryData<Buffer>) => {
        this.tokens.push(call.metadata.get("authorization")[0]);
        const code = this.failures.shift();
        if (this.silent) return;
        if (code === undefined) respond(null, Buffer.from(toBinary(CommitDealResponseSchema, ANSWER)));
        else respond({ code, details: "as told" });
      },
    });
    return new Promise((resolve, reject) => {
      this.server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      );
    });
  }

  stop(): void {
    this.server.forceShutdown();
  }
}
