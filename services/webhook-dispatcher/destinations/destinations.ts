import { untilAborted, withTimeout } from "../../../mixins/async/timeout.ts";
import { failureClass } from "../../../mixins/egress/failure-class.ts";
import type { DestinationOptions } from "../../contracts/destinations.ts";
import { exchangeMs } from "../../domain/delivery/delivery-options.ts";
import { keyOf } from "../../domain/delivery/lane.ts";
import type { Vault } from "../endpoints/vault.ts";
import { type Answer, anyOwner, type ExchangeOwner } from "../sending/send.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import { type Destination, type DestinationWays, isRefusal, type WrittenBatch } from "./destination.ts";
import { openDestination } from "./open-destination.ts";

/** An endpoint with a destination, and what is read of it. */
export type DestinationEndpoint = Pick<
  StoredEndpoint,
  "_id" | "webhookId" | "revision" | "destination" | "sealedDestination" | "timeoutMs"
>;

interface Opened {
  /** That of the endpoint which it was opened for. */
  revision: number;
  destination: Promise<Destination>;
  /** Writes under way. */
  writes: number;
  /** It takes no further write, and closes after the last one. */
  isLeaving: boolean;
  idle?: NodeJS.Timeout;
}

/** Milliseconds after which a destination without a write is closed. */
const idleMs = 30_000;

/** The destinations of endpoints: each is opened by its first write, and kept while it is used. */
export class Destinations {
  readonly #ways: DestinationWays;
  readonly #vault: Pick<Vault, "unsealDestination">;
  readonly #opened = new Map<string, Opened>();
  readonly #closing = new Set<Promise<unknown>>();

  constructor(ways: DestinationWays, vault: Pick<Vault, "unsealDestination">) {
    this.#ways = ways;
    this.#vault = vault;
  }

  /** Writes once, within the time of the endpoint. Never rejects. Nothing is written when the lease is lost. */
  async write(
    endpoint: DestinationEndpoint,
    batch: WrittenBatch,
    within: ExchangeOwner = anyOwner,
  ): Promise<Answer> {
    const stop = new AbortController();
    const exchange = { abort: () => stop.abort() };
    if (!within.isHeld) return answered({ error: "interrupted" });
    within.began(exchange);
    try {
      const written = (signal: AbortSignal) => this.#write(endpoint, batch, signal);
      await withTimeout(endpoint.timeoutMs ?? exchangeMs, stop.signal, written);
      return answered({});
    } catch (error) {
      return stop.signal.aborted ? answered({ error: "interrupted" }) : answerFor(error);
    } finally {
      within.ended(exchange);
    }
  }

  /** Closes all of them, after the writes under way. */
  async close(): Promise<void> {
    for (const [id, opened] of this.#opened) this.#leave(id, opened);
    await Promise.all(this.#closing);
  }

  async #write(endpoint: DestinationEndpoint, batch: WrittenBatch, signal: AbortSignal): Promise<void> {
    const opened = this.#openedFor(endpoint, signal);
    opened.writes += 1;
    clearTimeout(opened.idle);
    try {
      const destination = await untilAborted(opened.destination, signal);
      await untilAborted(destination.write(batch, signal), signal);
    } catch (error) {
      // Whatever it was: the next attempt begins with a new connection.
      this.#leave(endpoint.webhookId, opened);
      throw error;
    } finally {
      opened.writes -= 1;
      this.#rest(endpoint.webhookId, opened);
    }
  }

  #openedFor(endpoint: DestinationEndpoint, signal: AbortSignal): Opened {
    const { webhookId, revision } = endpoint;
    const known = this.#opened.get(webhookId);
    if (known?.revision === revision) return known;
    if (known) this.#leave(webhookId, known);
    const destination = this.#open(endpoint, signal);
    const opened = { revision, destination, writes: 0, isLeaving: false };
    this.#opened.set(webhookId, opened);
    return opened;
  }

  async #open({ _id, webhookId, destination, sealedDestination }: DestinationEndpoint, signal: AbortSignal) {
    if (!destination) throw new Error("The endpoint has no destination");
    const secrets = sealedDestination ? this.#vault.unsealDestination(webhookId, sealedDestination) : {};
    const options = { ...destination, ...secrets } as DestinationOptions;
    return await openDestination(options, { keyId: keyOf(_id), webhookId }, this.#ways, signal);
  }

  /** Closes it when it has nothing to write for a while, or at once where it takes no further write. */
  #rest(id: string, opened: Opened): void {
    if (opened.writes > 0) return;
    if (opened.isLeaving) this.#close(opened);
    else opened.idle = setTimeout(() => this.#leave(id, opened), idleMs).unref();
  }

  #leave(id: string, opened: Opened): void {
    if (opened.isLeaving) return;
    opened.isLeaving = true;
    clearTimeout(opened.idle);
    if (this.#opened.get(id) === opened) this.#opened.delete(id);
    if (opened.writes === 0) this.#close(opened);
  }

  #close({ destination }: Opened): void {
    // Nothing more can be done for what could not be opened, or does not close.
    const closing = destination.then(each => each.close()).catch(() => undefined);
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }
}

function answered(said: Partial<Answer>): Answer {
  return { status: null, error: null, retryAfter: undefined, text: "", ...said };
}

/** A failed write as an attempt: the words of the destination in the place of a body. */
function answerFor(error: unknown): Answer {
  if (isRefusal(error)) {
    const { status, message: text, blame, retryAfter } = error;
    const failure = status === undefined ? "destination" : (`status_${status}` as const);
    return answered({ status: status ?? null, error: failure, text, retryAfter, ...(blame && { blame }) });
  }
  if (Object(error).name === "TimeoutError") return answered({ error: "timeout_answer" });
  return answered({ error: failureClass(error) });
}
