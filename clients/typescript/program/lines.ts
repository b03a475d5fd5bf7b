// A file of lines, hashed as they are written.

import { createHash } from "node:crypto";
import { createWriteStream, openSync } from "node:fs";
import { finished } from "node:stream/promises";

export class Lines {
  private readonly stream: NodeJS.WritableStream;
  private readonly hash = createHash("sha256");

  /** To a file, or to standard output where there is none. */
  constructor(path?: string) {
    this.stream = path === undefined ? process.stdout : createWriteStream(path, { fd: openSync(path, "w") });
  }

  write(line: string): void {
    this.hash.update(`${line}\n`);
    this.stream.write(`${line}\n`);
  }

  /** The first 16 hex digits of the SHA-256 of all that was written. */
  get digest(): string {
    return this.hash.copy().digest("hex").slice(0, 16);
  }

  async close(): Promise<void> {
    if (this.stream === process.stdout) return;
    this.stream.end();
    await finished(this.stream);
  }
}
