import type { Lease, Leases, ShareWatch } from "../../mixins/coordination/leases/lease.ts";

/** One node's place in a pool. */
export interface Member {
  leases: Pick<Leases, "share">;
  /** Nobody tells it, but its leases are held no more and go to the others: a node that was stopped for a while. */
  lapse(): void;
  /** It hears of what it has lost. */
  hear(): void;
}

interface Seat {
  on: ShareWatch;
  held: Map<number, { lease: Lease; end: AbortController; isHeld: boolean }>;
}

/** Shards that are shared out fairly among the members of one process, without a server or a clock. */
export class SharedOut {
  readonly #count: number;
  readonly #seats = new Set<Seat>();
  #fence = 0;
  #settled: Promise<unknown> = Promise.resolve();

  constructor(count: number) {
    this.#count = count;
  }

  member(): Member {
    let seat: Seat | undefined;
    const lapsed: AbortController[] = [];
    return {
      leases: {
        share: async (_pool, _count, on) => {
          const mine: Seat = { on, held: new Map() };
          seat = mine;
          this.#seats.add(mine);
          await this.#balance();
          return { close: () => this.#leave(mine) };
        },
      },
      lapse: () => {
        if (!seat) return;
        this.#seats.delete(seat);
        for (const held of seat.held.values()) {
          held.isHeld = false;
          lapsed.push(held.end);
        }
        seat.held.clear();
        void this.#balance();
      },
      hear: () => {
        for (const end of lapsed.splice(0)) end.abort();
      },
    };
  }

  /** Resolves when all that changes hands has done so. */
  async settled(): Promise<void> {
    await this.#settled;
  }

  async #leave(seat: Seat): Promise<void> {
    this.#seats.delete(seat);
    await Promise.all([...seat.held.keys()].map(shard => this.#giveUp(seat, shard)));
    await this.#balance();
  }

  #balance(): Promise<void> {
    const balanced = this.#settled.then(() => this.#shareOut());
    this.#settled = balanced;
    return balanced;
  }

  async #shareOut(): Promise<void> {
    const most = Math.ceil(this.#count / Math.max(this.#seats.size, 1));
    const above = [...this.#seats].flatMap(seat =>
      [...seat.held.keys()].slice(most).map(shard => ({ seat, shard })),
    );
    await Promise.all(above.map(({ seat, shard }) => this.#giveUp(seat, shard)));
    const taken = new Set([...this.#seats].flatMap(({ held }) => [...held.keys()]));
    const free = Array.from({ length: this.#count }, (_, shard) => shard).filter(shard => !taken.has(shard));
    for (const seat of this.#seats)
      for (const shard of free.splice(0, most - seat.held.size)) this.#give(seat, shard);
  }

  #give(seat: Seat, shard: number): void {
    const end = new AbortController();
    this.#fence += 1;
    const held = { end, isHeld: true, lease: undefined as unknown as Lease };
    held.lease = {
      name: `lanes/${shard}`,
      fence: this.#fence,
      signal: end.signal,
      isHeld: () => held.isHeld,
      release: async () => end.abort(),
    };
    seat.held.set(shard, held);
    seat.on.gained(shard, held.lease);
  }

  async #giveUp(seat: Seat, shard: number): Promise<void> {
    const held = seat.held.get(shard);
    await seat.on.lost(shard);
    if (!held || seat.held.get(shard) !== held) return;
    seat.held.delete(shard);
    held.isHeld = false;
    held.end.abort();
  }
}
