import type { Lease } from "../../../mixins/coordination/leases/lease.ts";
import { exchangeMs } from "../../domain/delivery/delivery-options.ts";

/** An attempt that can be aborted. */
interface Abortable {
  abort(): void;
}

/** This node's ownership of a shard, as long as it holds the shard's lease. */
export class ShardOwnership {
  readonly shard: number;
  readonly #lease: Lease;
  readonly #underWay = new Set<Abortable>();
  readonly #watch = new AbortController();
  #isEnding = false;

  constructor(shard: number, lease: Lease) {
    this.shard = shard;
    this.#lease = lease;
  }

  /** Whether new attempts may start. */
  get isOpen(): boolean {
    return !this.#isEnding && this.#lease.isHeld();
  }

  /**
   * Whether attempts under way may still send and write. A process that was suspended notices here that its lease is
   * lost.
   */
  get isHeld(): boolean {
    return this.#lease.isHeld();
  }

  /** Starts no attempts, and lets those under way finish that do within the usual time of an exchange. */
  end(): void {
    this.#isEnding = true;
    setTimeout(() => this.abortExchanges(), exchangeMs).unref();
  }

  /** Calls `lost` when the lease is lost, until `forgetLease`: a lease may outlive many ownerships. */
  onLost(lost: () => void): void {
    this.#lease.signal.addEventListener("abort", lost, { once: true, signal: this.#watch.signal });
  }

  forgetLease(): void {
    this.#watch.abort();
  }

  began(exchange: Abortable): void {
    this.#underWay.add(exchange);
  }

  ended(exchange: Abortable): void {
    this.#underWay.delete(exchange);
  }

  /** Aborts exchanges under way: another node may work these lanes soon. */
  abortExchanges(): void {
    this.#isEnding = true;
    for (const exchange of this.#underWay) exchange.abort();
  }
}
