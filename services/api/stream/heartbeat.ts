interface Beat {
  /** False when a ping would be late for reasons of its own; the next one is tried then. */
  ping(): boolean;
  /** A pong did not come in time. */
  dead(): void;
}

/** Pings a connection at intervals, and tells when a pong is missing. */
export class Heartbeat {
  readonly #beat: Beat;
  readonly #everyMs: number;
  readonly #pongMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(beat: Beat, everyMs: number, pongMs: number) {
    this.#beat = beat;
    this.#everyMs = everyMs;
    this.#pongMs = pongMs;
  }

  /** Begins, and begins anew with every pong. */
  start(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ping(), this.#everyMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #ping(): void {
    if (this.#beat.ping()) this.#timer = setTimeout(() => this.#beat.dead(), this.#pongMs);
    else this.start();
  }
}
