import { setTimeout as delay } from "node:timers/promises";

export interface Answer {
  status: number;
  body: {
    message?: string;
    error?: unknown;
    retry_after?: number;
    status?: string;
    scrape_id?: string;
    data?: { id: string };
    services?: unknown;
    missing?: { name: string; detail?: string }[];
    next_cursor?: string | null;
  };
}

export type Ask = (method: string, path: string, body?: object) => Promise<Answer>;

const waitMs = 60_000;

/** Asks one service with these headers; rejects when no answer comes. */
export function asker(address: () => string, headers: Record<string, string>): Ask {
  const once: Ask = async (method, path, body) => {
    const answer = await fetch(address() + path, {
      method,
      headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(waitMs),
    });
    return { status: answer.status, body: (await answer.json()) as Answer["body"] };
  };
  // A service that was held up may close a connection that was idle just when it is used.
  return (method, path, body) =>
    once(method, path, body).catch(error => {
      if (method !== "GET") throw error;
      return once(method, path, body);
    });
}

export interface Illness {
  name: string;
  /** What a refusal must say. */
  cause: RegExp;
}

/** Makes keys, starts scrapes and reads, one after the other, and keeps what was acknowledged. */
export class Acts {
  readonly #keys: string[] = [];
  readonly #scrapes: string[] = [];
  readonly #admin: Ask;
  readonly #client: Ask;
  readonly #page: string;
  readonly wrong: string[] = [];
  /** What the disk has now, if anything. */
  illness: Illness | undefined;
  refused = 0;
  /** Requests without an answer while the disk was slow. */
  unanswered = 0;
  /** No answer is due: the service is being restarted. */
  isPaused = false;

  constructor(admin: Ask, client: Ask, page: string) {
    this.#admin = admin;
    this.#client = client;
    this.#page = page;
  }

  get accepted(): number {
    return this.#keys.length + this.#scrapes.length;
  }

  async work(signal: AbortSignal): Promise<void> {
    for (let n = 0; !signal.aborted; n += 1) {
      await delay(50);
      if (this.isPaused) continue;
      await this.#act(n);
    }
  }

  async #act(n: number): Promise<void> {
    const key = await this.#try("POST /internal/keys", () =>
      this.#admin("POST", "/internal/keys", { owner: "acts", name: `key ${n}` }),
    );
    if (key?.body.data) this.#keys.push(key.body.data.id);
    const scrape = await this.#try("POST /web/scrape", () =>
      this.#client("POST", "/web/scrape", { url: `${this.#page}?${n}`, mode: "async" }),
    );
    if (scrape?.body.scrape_id) this.#scrapes.push(scrape.body.scrape_id);
    const read = await this.#try("GET /webhook", () => this.#client("GET", "/webhook"));
    if (read === undefined && this.illness && !this.isPaused)
      this.wrong.push(`the disk was ${this.illness.name}, and nothing could be read`);
  }

  /** The answer to what was accepted. A refusal must have its cause, and a time to try again. */
  async #try(what: string, ask: () => Promise<Answer>): Promise<Answer | undefined> {
    const { illness } = this;
    try {
      const answer = await ask();
      if (answer.status < 300) return answer;
      const cause = illness?.cause ?? this.illness?.cause;
      const { message = "", retry_after = 0 } = answer.body;
      this.refused += 1;
      if (answer.status !== 503 || retry_after < 1 || !cause?.test(message))
        this.wrong.push(`${what}, disk ${illness?.name ?? "well"}: ${answer.status} ${message}`);
    } catch (error) {
      // A checkpoint holds the process until the disk has all of it.
      if (illness?.name === "slow") this.unanswered += 1;
      else if (!this.isPaused) this.wrong.push(`${what}, disk ${illness?.name ?? "well"}: ${error}`);
    }
    return undefined;
  }

  /** Sentences on what was acknowledged and is not there. */
  async judge(deadline: number): Promise<string[]> {
    const kept = await this.#keptKeys();
    const lost = this.#keys.filter(id => !kept.has(id)).map(id => `key ${id} was made and is lost`);
    for (const id of this.#scrapes) {
      let ended = await this.#client("GET", `/web/scrape/${id}`);
      while (ended.body.status !== "completed" && ended.status === 200 && Date.now() < deadline) {
        await delay(200);
        ended = await this.#client("GET", `/web/scrape/${id}`);
      }
      if (ended.body.status !== "completed")
        lost.push(
          `scrape ${id} was accepted and is ${ended.status} ${ended.body.status} ${JSON.stringify(ended.body.error ?? "")}`,
        );
    }
    return lost;
  }

  async #keptKeys(): Promise<Set<string>> {
    const ids = new Set<string>();
    for (let cursor: string | null | undefined = ""; typeof cursor === "string"; ) {
      const page: Answer = await this.#admin(
        "GET",
        `/internal/keys?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      for (const { id } of page.body.data as unknown as { id: string }[]) ids.add(id);
      cursor = page.body.next_cursor;
    }
    return ids;
  }
}
