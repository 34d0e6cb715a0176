import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "../../dev/start-cluster.ts";

/** Longer than a tracker waits for a poll that is under way, and a gateway for its services. */
const answerMs = 75_000;
const timeoutMs = 300_000;
const againMs = 200;
/** The service says that it has not taken the request, or cannot tell: a client asks again. */
const passing = new Set([429, 502, 503, 504]);

/** The gateways of a cluster, asked in turn by a client that tries again. */
export class Gateways {
  readonly #addresses: string[];
  readonly #adminKey: string;
  readonly #faults = new Map<string, number>();
  #turn = 0;
  /** Requests that were repeated. */
  repeats = 0;

  constructor({ nodes, adminKey }: Cluster) {
    // A gateway keeps its port when it is started anew.
    this.#addresses = nodes.flatMap(({ address }) => address ?? []);
    this.#adminKey = adminKey;
  }

  /** Of the next one. */
  get address(): string {
    this.#turn += 1;
    return this.#addresses[this.#turn % this.#addresses.length] ?? "";
  }

  /** Answers that a client must not get, in sentences. */
  get wrong(): string[] {
    return [...this.#faults].map(([answer, count]) => `${count} times ${answer}`);
  }

  admin(method: string, path: string, body?: object): Promise<unknown> {
    return this.#ask({ "x-admin-key": this.#adminKey }, method, path, body);
  }

  as(key: string, method: string, path: string, body?: object): Promise<unknown> {
    return this.#ask({ "x-api-key": key }, method, path, body);
  }

  async #ask(headers: object, method: string, path: string, body?: object): Promise<unknown> {
    const giveUpAt = Date.now() + timeoutMs;
    for (;;) {
      const answer = await this.#askOnce(headers, method, path, body);
      if (answer?.ok) return answer.body;
      const said = answer ? `${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}` : "no answer";
      if (answer && !passing.has(answer.status)) this.#note(`${method} ${path.split("?")[0]}: ${said}`);
      if (Date.now() > giveUpAt) throw new Error(`${method} ${path}: ${said}`);
      this.repeats += 1;
      await delay(againMs);
    }
  }

  #note(answer: string): void {
    this.#faults.set(answer, (this.#faults.get(answer) ?? 0) + 1);
  }

  async #askOnce(headers: object, method: string, path: string, body?: object) {
    try {
      const answer = await fetch(this.address + path, {
        method,
        headers: { ...headers, ...(body && { "content-type": "application/json" }) },
        signal: AbortSignal.timeout(answerMs),
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, ok: answer.ok, body: (await answer.json()) as unknown };
    } catch {
      // It was killed before it answered, or is not there.
      return undefined;
    }
  }
}
