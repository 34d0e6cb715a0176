import { Worker } from "node:worker_threads";
import type { Egress } from "../../../mixins/egress/egress.ts";
import { type Answer, anyOwner, type ExchangeOwner, type Send, type WebhookRequest } from "./send.ts";
import type { FromThread, ToThread } from "./send.worker.ts";

/** So many requests within so long are worth a thread, which takes half a second of the CPU to start, and some memory. */
const manyRequests = 1_000;
const manyWithinMs = 5_000;
/** The thread ends when fewer requests than this come in this time. */
const idleMs = 60_000;
/** How long no thread sends after one has failed. */
const restMs = 60_000;

export interface SendingOptions {
  egress: Pick<Egress, "settings" | "report">;
  /** Sends in the thread of the caller. */
  here: Send;
  onError(error: unknown): void;
  many?: number;
  idleMs?: number;
}

export interface SendingThread {
  send: Send;
  /** Whether there is a thread. */
  isRunning(): boolean;
  /** Ends the thread; call it when nothing is under way. */
  close(): Promise<void>;
}

/** A sending thread that is none: it sends in the thread of the caller. */
export function sendingHere(here: Send): SendingThread {
  return { send: here, isRunning: () => false, close: async () => undefined };
}

/**
 * Sends in a thread while there is much to send, and in this one otherwise. The thread does not ask again whether an
 * exchange is still ours at the moment of writing: use it only where no other process can take over while this one lives.
 */
export function openSendingThread(options: SendingOptions): SendingThread {
  const { here, many = manyRequests } = options;
  let thread: Thread | undefined;
  let [since, count] = [0, 0];
  let notBefore = Number.NEGATIVE_INFINITY;
  const areMany = () => {
    const now = performance.now();
    if (now - since > manyWithinMs) [since, count] = [now, 0];
    count += 1;
    return count >= many && now >= notBefore;
  };
  const onError = (error: unknown) => {
    notBefore = performance.now() + restMs;
    options.onError(error);
  };
  const onEnd = () => {
    thread = undefined;
  };
  return {
    send: (request, within = anyOwner) => {
      if (!thread && areMany()) thread = new Thread({ ...options, onError }, onEnd);
      return thread?.isReady && within.isHeld ? thread.send(request, within) : here(request, within);
    },
    isRunning: () => thread !== undefined,
    close: async () => {
      notBefore = Number.POSITIVE_INFINITY;
      await thread?.close();
    },
  };
}

/** What ends with the thread: the endpoint is not to blame, and the event is sent again. */
const lost: Answer = {
  status: null,
  error: "interrupted",
  retryAfter: undefined,
  text: "",
  blame: "nobody",
};
const aborted: Answer = { status: null, error: "interrupted", retryAfter: undefined, text: "" };

class Thread {
  readonly #options: SendingOptions;
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  readonly #underWay = new Map<number, Exchange>();
  #next: ToThread = { requests: [], aborted: [] };
  #isFilling = false;
  #isReady = false;
  #lastNumber = 0;
  #requests = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: SendingOptions, onEnd: () => void) {
    this.#options = options;
    this.#onEnd = onEnd;
    this.#worker = new Worker(new URL("./send.worker.ts", import.meta.url), {
      workerData: options.egress.settings,
    });
    this.#worker.on("message", (message: FromThread) => this.#receive(message));
    this.#worker.on("error", error => options.onError(error));
    this.#worker.on("exit", () => this.#ended());
    this.#worker.unref();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  send(request: WebhookRequest, within: ExchangeOwner): Promise<Answer> {
    this.#requests += 1;
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const { origin, pathname, search } = request.url;
    this.#filled().requests.push([number, { ...request, url: { origin, pathname, search } }]);
    return new Promise(resolve => {
      const abort = () => {
        this.#filled().aborted.push(number);
        this.#answered(number, aborted);
      };
      const exchange = { within, abort, resolve };
      this.#underWay.set(number, exchange);
      within.began(exchange);
    });
  }

  async close(): Promise<void> {
    this.#isReady = false;
    await this.#worker.terminate();
  }

  /** Messages of one tick go as one: each message costs as much as five requests. */
  #filled(): ToThread {
    if (!this.#isFilling)
      setImmediate(() => {
        this.#worker.postMessage(this.#next);
        this.#next = { requests: [], aborted: [] };
        this.#isFilling = false;
      });
    this.#isFilling = true;
    return this.#next;
  }

  #receive({ answers, refused }: FromThread): void {
    if (!this.#idle) this.#begin();
    for (const each of refused) this.#options.egress.report(each);
    for (const [number, answer] of answers) this.#answered(number, answer);
  }

  #begin(): void {
    const { idleMs: forMs = idleMs } = this.#options;
    this.#isReady = true;
    this.#idle = setInterval(() => this.#endIfIdle(), forMs).unref();
  }

  #endIfIdle(): void {
    const { many = manyRequests } = this.#options;
    if (this.#requests < many && this.#underWay.size === 0) void this.close();
    this.#requests = 0;
  }

  #answered(number: number, answer: Answer): void {
    const exchange = this.#underWay.get(number);
    this.#underWay.delete(number);
    exchange?.within.ended(exchange);
    exchange?.resolve(answer);
  }

  #ended(): void {
    clearInterval(this.#idle);
    this.#isReady = false;
    this.#onEnd();
    for (const number of [...this.#underWay.keys()]) this.#answered(number, lost);
  }
}

interface Exchange {
  within: ExchangeOwner;
  abort(): void;
  resolve(answer: Answer): void;
}
