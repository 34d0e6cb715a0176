import { Worker } from "node:worker_threads";
import { settledWithin } from "../../../mixins/async/timeout.ts";
import type { Refused } from "../../../mixins/egress/egress.ts";
import type { Sums } from "../lanes/attempt-sums.ts";
import type { DispatcherOptions } from "../lanes/context.ts";
import {
  type FromThread,
  joinsWake,
  type LaneThreadCalls,
  type MainThread,
  type PassedShards,
  type ThreadSettings,
  type ToThread,
} from "./messages.ts";
import { lineOf } from "./plain-error.ts";
import { Port } from "./port.ts";

/** A stop waits for what is under way, which ends within 5 s, and for outcomes that cannot be written for some seconds. */
const stopMs = 15_000;

/** What a thread of lanes needs of the main one. */
export interface ThreadOptions {
  settings: ThreadSettings;
  answers: Omit<MainThread, "mail">;
  /** Sends a mail; the signal aborts it. */
  mail(
    signal: AbortSignal,
    ...mail: Parameters<MainThread["mail"]> extends [number, ...infer Rest] ? Rest : never
  ): ReturnType<MainThread["mail"]>;
  onAttempted(sums: Sums): void;
  onExpired(events: number): void;
  onRefused(refused: Refused): void;
  logger: DispatcherOptions["logger"];
}

/** What happens to a thread. */
export interface ThreadEvents {
  ready(): void;
  passed(shards: PassedShards): void;
  admit(laneIds: readonly string[]): void;
  attempted(requests: number): void;
  /** It was stopped, or has failed with this error. */
  ended(error: unknown): void;
}

/** A thread that works lanes, as the main one sees it. */
export class LaneThread {
  readonly #options: ThreadOptions;
  readonly #events: ThreadEvents;
  readonly #worker: Worker;
  readonly #port: Port<ToThread, LaneThreadCalls>;
  readonly #mails = new Map<number, AbortController>();
  readonly #answers: MainThread;
  readonly #exit: Promise<void>;
  #error: unknown;

  constructor(options: ThreadOptions, events: ThreadEvents) {
    this.#options = options;
    this.#events = events;
    this.#answers = { ...options.answers, mail: (...mail) => this.#mail(...mail) };
    this.#worker = new Worker(new URL("./lane.worker.ts", import.meta.url), { workerData: options.settings });
    this.#port = new Port(this.#worker);
    this.#worker.on("message", (messages: FromThread[]) => {
      for (const message of messages) this.#take(message);
    });
    this.#worker.on("error", error => {
      this.#error = error;
    });
    this.#exit = new Promise(resolve => this.#worker.on("exit", () => resolve(this.#ended())));
    this.#worker.unref();
  }

  post(message: ToThread): void {
    this.#port.post(message, joinsWake(message));
  }

  get ask(): Port<ToThread, LaneThreadCalls>["ask"] {
    return (name, ...given) => this.#port.ask(name, ...given);
  }

  /** Ends it once what is under way is recorded. */
  async stop(): Promise<void> {
    this.#worker.ref();
    this.post({ is: "stop" });
    this.#port.flush();
    await settledWithin(stopMs, [this.#exit]);
    await this.#worker.terminate();
  }

  /** Ends it at once, because of an error. It has ended when `ended` is called. */
  kill(error: unknown): void {
    this.#error = error;
    void this.#worker.terminate();
  }

  #take(message: FromThread): void {
    const { onAttempted, onExpired, onRefused, logger } = this.#options;
    if (this.#port.take(message, this.#answers)) return;
    if (message.is === "ready") this.#events.ready();
    else if (message.is === "passed") this.#events.passed(message);
    else if (message.is === "admit") this.#events.admit(message.laneIds);
    else if (message.is === "attempted") {
      onAttempted(message.sums);
      this.#events.attempted(message.requests);
    } else if (message.is === "expired") onExpired(message.events);
    else if (message.is === "refused") onRefused(message.refused);
    else if (message.is === "abort") this.#mails.get(message.mail)?.abort();
    else if (message.is === "logged") logger[message.level](...lineOf(message.line));
  }

  async #mail(...[number, target, events]: Parameters<MainThread["mail"]>): ReturnType<MainThread["mail"]> {
    const stop = new AbortController();
    this.#mails.set(number, stop);
    try {
      return await this.#options.mail(stop.signal, target, events);
    } finally {
      this.#mails.delete(number);
    }
  }

  #ended(): void {
    this.#port.close();
    for (const mail of this.#mails.values()) mail.abort();
    this.#events.ended(this.#error);
  }
}
