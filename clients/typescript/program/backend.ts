// What all games of a backend share.

import type { TarneebClient } from "../src/index.js";
import type { Store } from "./store.js";
import * as text from "./text.js";
import type { Words } from "./words.js";

export interface Backend {
  client: TarneebClient;
  store: Store;
  words: Words;
  /** Prints a line of the transcript. */
  tell: (line: string) => void;
  /** Prints a view. */
  log: (line: string) => void;
  /** Whether every check came out well. */
  sound: boolean;
}

/** A check as text; the backend remembers one that came out badly. */
export function checked(backend: Backend, good: boolean): string {
  backend.sound &&= good;
  return text.check(good);
}
