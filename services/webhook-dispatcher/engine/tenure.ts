import type { Lease } from "../../../mixins/lease/lease.ts";

/** What can be broken off. */
interface Cuttable {
  cut(): void;
}

/** The time during which the lanes of a shard are this node's to work. */
export class Tenure {
  readonly shard: number;
  readonly #lease: Lease;
  readonly #underWay = new Set<Cuttable>();
  #isEnding = false;

  constructor(shard: number, lease: Lease) {
    this.shard = shard;
    this.#lease = lease;
  }

  /** Whether another attempt may be decided on. */
  get isOpen(): boolean {
    return !this.#isEnding && this.#lease.isHeld();
  }

  /** Whether what was decided on may be sent and written; a process that was stopped for a while finds out here. */
  get isHeld(): boolean {
    return this.#lease.isHeld();
  }

  /** What is under way may come to its end, and nothing else begins. */
  end(): void {
    this.#isEnding = true;
  }

  began(exchange: Cuttable): void {
    this.#underWay.add(exchange);
  }

  ended(exchange: Cuttable): void {
    this.#underWay.delete(exchange);
  }

  /** Breaks off what is under way: another node may be at work on these lanes soon. */
  cut(): void {
    this.#isEnding = true;
    for (const exchange of this.#underWay) exchange.cut();
  }
}
