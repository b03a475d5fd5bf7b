// Stands for a backend's database: one row a game, replaced only at the revision that was read.

/** What is stored of a game: the bytes as they came, and the revision beside them. */
export interface Row {
  snapshot: Uint8Array;
  revision: number;
}

export class Store {
  private readonly rows = new Map<string, Row>();

  add(id: string, { snapshot, revision }: Row): void {
    this.rows.set(id, { snapshot, revision });
  }

  load(id: string): Row {
    const row = this.rows.get(id);
    if (!row) throw new RangeError(`no game ${id}`);
    return row;
  }

  /** As `UPDATE games SET snapshot = ?, revision = ? WHERE id = ? AND revision = ?`. */
  replace(id: string, row: Row, readAt: number): boolean {
    if (this.load(id).revision !== readAt) return false;
    this.add(id, row);
    return true;
  }
}
