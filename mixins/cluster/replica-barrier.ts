import type { RedisClientType } from "redis";

/** Shorter than the time after which a connection counts as silent. */
const roundMs = 1000;
/** Replicas get it, and no append-only file: a barrier costs no write to a disk of its own. */
const channel = "magpie:barrier";

/**
 * Confirms, for all who ask on one connection at the same time, that replicas have what the server has answered. A replica
 * with `appendfsync always` answers after its own write to the disk.
 */
export class ReplicaBarrier {
  readonly #client: RedisClientType;
  readonly #replicas: number;
  #round: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(client: RedisClientType, replicas: number) {
    this.#client = client;
    this.#replicas = replicas;
  }

  /** Rejects when fewer replicas than needed confirm in time. */
  pass(): Promise<void> {
    if (!this.#round) return this.#begin();
    // The server may have taken the present round's question before it answered what is confirmed here.
    this.#next ??= this.#round
      .catch(() => "reported to those who wait for it")
      .then(() => {
        this.#next = undefined;
        return this.#begin();
      });
    return this.#next;
  }

  #begin(): Promise<void> {
    const round = this.#ask().finally(() => {
      this.#round = undefined;
    });
    this.#round = round;
    return round;
  }

  /** WAIT counts from the last write of its connection. A repeated append may have been made on another, and writes nothing. */
  async #ask(): Promise<void> {
    const [, confirmed] = await Promise.all([
      this.#client.publish(channel, ""),
      this.#client.wait(this.#replicas, roundMs),
    ]);
    if (confirmed >= this.#replicas) return;
    throw new Error(
      `NOREPLICAS ${confirmed} of the ${this.#replicas} replicas of REDIS_REPLICAS confirmed within ${roundMs} ms`,
    );
  }
}
