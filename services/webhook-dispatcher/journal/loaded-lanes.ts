import type { Lane } from "../../domain/delivery/lane.ts";

/** The lanes in memory. */
export class LoadedLanes {
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that are being read and were not written here since the read began. */
  readonly #loading = new Set<string>();

  get(laneId: string): Lane | undefined {
    return this.#lanes.get(laneId);
  }

  /** Takes the lane as it was just read or written; null if it is gone. A lane that was not requested is not kept. */
  note(laneId: string, lane: Lane | null): void {
    const isWanted = this.#loading.delete(laneId) || this.#lanes.has(laneId);
    if (lane === null) this.#lanes.delete(laneId);
    else if (isWanted) this.#lanes.set(laneId, lane);
  }

  /** Loads or replaces lanes. What was noted during the read is newer than what `read` found. */
  async load(laneIds: string[], read: () => Promise<Map<string, Lane>>): Promise<void> {
    for (const laneId of laneIds) this.#loading.add(laneId);
    try {
      const found = await read();
      for (const laneId of laneIds)
        if (this.#loading.has(laneId)) this.note(laneId, found.get(laneId) ?? null);
    } finally {
      for (const laneId of laneIds) this.#loading.delete(laneId);
    }
  }

  unload(laneId: string): void {
    this.#lanes.delete(laneId);
  }
}
