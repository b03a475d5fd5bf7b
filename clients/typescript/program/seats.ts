// Who sits at the table and who looks on: each has the last view that was sent to it, and nothing else.

import { createHash, type Hash } from "node:crypto";
import { type GameView, type Seat, Viewer } from "../src/v1.js";
import * as text from "./text.js";

/** A viewer is a seat of the same number, or the spectator. */
type Watcher = Viewer | Seat;

export const VIEWERS = [Viewer.NORTH, Viewer.WEST, Viewer.SOUTH, Viewer.EAST, Viewer.SPECTATOR];

export class Seats {
  private readonly views = new Map<Watcher, GameView>();
  private digests = emptyDigests();

  /** Every view is told to `log` too, as a line. */
  constructor(private readonly log: (line: string) => void) {}

  send(views: readonly GameView[]): void {
    for (const view of views) {
      this.views.set(view.viewer, view);
      const line = text.view(view);
      this.digests.get(view.viewer)?.update(`${line}\n`);
      this.log(line);
    }
  }

  viewOf(viewer: Watcher): GameView {
    const view = this.views.get(viewer);
    if (!view) throw new RangeError(`no view for ${viewer}`);
    return view;
  }

  /** What everybody may know. */
  get public(): GameView {
    return this.viewOf(Viewer.SPECTATOR);
  }

  get toAct(): Seat {
    return this.public.seatToAct;
  }

  /** A line of all that was sent since the last one. */
  digestLine(): string {
    const told = [...this.digests].map(([viewer, hash]) => `${text.seat(viewer)} ${hash.digest("hex").slice(0, 16)}`);
    this.digests = emptyDigests();
    return `views ${told.join(" ")}`;
  }
}

function emptyDigests(): Map<Watcher, Hash> {
  return new Map(VIEWERS.map((viewer) => [viewer, createHash("sha256")]));
}
