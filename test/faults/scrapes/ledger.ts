/** A scrape as the service tells of it. */
export interface SeenScrape {
  scrape_id: string;
  status: string;
  error?: { code: string };
  started_at?: string;
  ended_at?: string;
}

/** What a notice to a job's webhook says. */
export interface SeenNotice {
  /** `webhook-id`: the same whenever the notice is sent again. */
  id: string;
  type: string;
  scrapeId: string;
}

/** What was promised of a scrape. */
export interface Promised {
  scrapeId: string;
  /** How its page makes it end. */
  ends: "completed" | "failed";
  /** Whether its webhook is to be told. */
  isTold: boolean;
  /** The Idempotency-Key of its request. */
  key?: string;
}

export interface Verdict {
  accepted: number;
  completed: number;
  /** Given up because the service was killed twice while it was at work on them. */
  givenUp: number;
  /** One sentence for each thing that should not be. */
  wrong: string[];
}

const terminal = (notice: SeenNotice) => !notice.type.endsWith(".started");

/** What the service has promised, and what it has said since. */
export class ScrapeLedger {
  readonly #promised = new Map<string, Promised>();
  readonly #byKey = new Map<string, string>();
  readonly #ends = new Map<string, SeenScrape>();
  readonly #begun = new Set<string>();
  readonly #wrong: string[] = [];

  get ids(): string[] {
    return [...this.#promised.keys()];
  }

  /** A 202, or a 408 with the scrape's identity. The same key stands for one scrape. */
  accept(promise: Promised): void {
    const { scrapeId, key } = promise;
    this.#promised.set(scrapeId, promise);
    if (key === undefined) return;
    const earlier = this.#byKey.get(key) ?? scrapeId;
    this.#byKey.set(key, earlier);
    if (earlier !== scrapeId) this.#wrong.push(`the key ${key} stands for ${earlier} and for ${scrapeId}`);
  }

  /** An answer to a question for a scrape; once it has ended, it says the same for ever. */
  see(scrapeId: string, scrape: SeenScrape | undefined): void {
    if (scrape === undefined) {
      this.#wrong.push(`${scrapeId} was accepted and is unknown`);
      return;
    }
    if (scrape.started_at !== undefined) this.#begun.add(scrapeId);
    const before = this.#ends.get(scrapeId);
    if (before && JSON.stringify(before) !== JSON.stringify(scrape))
      this.#wrong.push(`${scrapeId} had ended at ${before.ended_at} and has changed since`);
    if (scrape.status !== "pending" && !before) this.#ends.set(scrapeId, scrape);
  }

  /** Whether it was seen at work. */
  hasBegun(scrapeId: string): boolean {
    return this.#begun.has(scrapeId);
  }

  hasEnded(scrapeId: string): boolean {
    return this.#ends.has(scrapeId);
  }

  /** Scrapes whose end is still to be announced. */
  untold(notices: SeenNotice[]): string[] {
    const told = new Set(notices.filter(terminal).map(({ scrapeId }) => scrapeId));
    return [...this.#promised.values()].flatMap(({ scrapeId, isTold }) =>
      isTold && !told.has(scrapeId) ? [scrapeId] : [],
    );
  }

  judge(notices: SeenNotice[]): Verdict {
    const ends = [...this.#ends.values()];
    const givenUp = new Set(ends.filter(isGivenUp).map(({ scrape_id }) => scrape_id));
    return {
      accepted: this.#promised.size,
      completed: ends.filter(({ status }) => status === "completed").length,
      givenUp: givenUp.size,
      wrong: [
        ...this.#wrong,
        ...[...this.#promised.values()].flatMap(each => this.#faultsOf(each, givenUp)),
        ...this.untold(notices).map(id => `nobody was told of the end of ${id}`),
        ...this.#toldWrong(notices),
      ],
    };
  }

  #faultsOf({ scrapeId, ends }: Promised, givenUp: Set<string>): string[] {
    const end = this.#ends.get(scrapeId);
    if (!end) return [`${scrapeId} was accepted and has not ended`];
    if (end.status === ends || givenUp.has(scrapeId)) return [];
    return [`${scrapeId} is ${end.status} (${end.error?.code}) and should be ${ends}`];
  }

  /** Exactly one end is told, and it is the one that the service tells of itself. */
  #toldWrong(notices: SeenNotice[]): string[] {
    const byScrape = Map.groupBy(notices.filter(terminal), ({ scrapeId }) => scrapeId);
    return [...byScrape].flatMap(([scrapeId, told]) => {
      const kinds = new Set(told.map(({ id, type }) => `${type} ${id}`));
      if (kinds.size > 1) return [`${scrapeId} has ended more than once: ${[...kinds].join(", ")}`];
      const status = this.#ends.get(scrapeId)?.status;
      const isSame = status === undefined || told[0]?.type === `scrape.${status}`;
      return isSame ? [] : [`${scrapeId} is ${status} and was told as ${told[0]?.type}`];
    });
  }
}

function isGivenUp({ error }: SeenScrape): boolean {
  return error?.code === "internal_error";
}
