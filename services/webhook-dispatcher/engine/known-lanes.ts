import type { Lane } from "../../domain/delivery/lane.ts";

/** The lanes that are in memory. */
export class KnownLanes {
  readonly #lanes = new Map<string, Lane>();
  /** Keys whose lanes are being read, and were not written here since that began. */
  readonly #loading = new Set<string>();

  get(keyId: string): Lane | undefined {
    return this.#lanes.get(keyId);
  }

  /** The lane as it was just read or written; null when it is gone. One that nobody asked for is not kept. */
  note(keyId: string, lane: Lane | null): void {
    const isWanted = this.#loading.delete(keyId) || this.#lanes.has(keyId);
    if (lane === null) this.#lanes.delete(keyId);
    else if (isWanted) this.#lanes.set(keyId, lane);
  }

  /** Takes lanes into memory, or replaces them there. What was noted in the meantime is newer than what `read` found. */
  async load(keyIds: string[], read: () => Promise<Map<string, Lane>>): Promise<void> {
    for (const keyId of keyIds) this.#loading.add(keyId);
    try {
      const found = await read();
      for (const keyId of keyIds) if (this.#loading.has(keyId)) this.note(keyId, found.get(keyId) ?? null);
    } finally {
      for (const keyId of keyIds) this.#loading.delete(keyId);
    }
  }

  letGo(keyId: string): void {
    this.#lanes.delete(keyId);
  }
}
