import { setTimeout as delay } from "node:timers/promises";

/** How a scrape ended. */
export interface End {
  /** `completed`, `failed`, or why nothing is known of it. */
  status: string;
  /** Of a failure. */
  code?: string;
  ms: number;
}

interface Answer {
  status: number;
  body: { scrape_id?: string; status?: string; code?: string; error?: { code: string } };
}

/** Where the service is; it changes when it is started again. */
export interface Address {
  readonly address: string;
}

const answerMs = 120_000;
const endMs = 300_000;
const lookMs = 200;

/** A client with a key of its own. */
export class Client {
  readonly #service: Address;
  readonly #key: string;

  constructor(service: Address, key: string) {
    this.#service = service;
    this.#key = key;
  }

  /** Asks for a page, and follows the scrape to its end where it goes on after the answer. */
  async scrape(request: object): Promise<End> {
    const since = performance.now();
    const end = (status: string, code?: string): End => {
      const ms = Math.round(performance.now() - since);
      return code === undefined ? { status, ms } : { status, code, ms };
    };
    const answer = await this.#ask("POST", "/web/scrape", request);
    if (answer === undefined) return end("unanswered");
    const { scrape_id: id, status = "unknown", code } = answer.body;
    if (answer.status === 200) return end(status);
    if (id === undefined) return end("failed", code);
    const last = await this.#follow(id);
    return end(last?.status ?? "unknown", last?.error?.code);
  }

  async #follow(id: string): Promise<Answer["body"] | undefined> {
    const deadline = Date.now() + endMs;
    let last: Answer["body"] | undefined;
    while (Date.now() < deadline) {
      const answer = await this.#ask("GET", `/web/scrape/${id}`);
      if (answer?.status === 404) return undefined;
      if (answer?.status === 200) last = answer.body;
      if (last && last.status !== "pending") return last;
      await delay(lookMs);
    }
    return last;
  }

  /** Undefined when no answer came. */
  async #ask(method: string, path: string, body?: object): Promise<Answer | undefined> {
    try {
      const answer = await fetch(this.#service.address + path, {
        method,
        headers: { "x-api-key": this.#key, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(answerMs),
      });
      return { status: answer.status, body: (await answer.json()) as Answer["body"] };
    } catch {
      return undefined;
    }
  }
}
