import { setTimeout as sleep, setImmediate as yieldToLoop } from "node:timers/promises";
import { logEvent } from "../../../mixins/log/log-events.ts";
import type { Query, Store } from "../../../mixins/store/store.ts";
import type { Attempted, ListedAttempt, StoredAttempts } from "../webhooks.store.ts";
import { attemptsIn, rowsOf } from "./attempt-rows.ts";

const rowsTogether = 256;
const retryMs = [200, 500, 1_000, 2_000];

/**
 * Stores the list of attempts apart from their lanes, many at a time: deliveries do not depend on the list. An attempt
 * is missing there if the process dies at that moment or the store refuses it for some seconds.
 */
export class AttemptList {
  readonly #rows: Store<StoredAttempts>;
  readonly #logger: { error(...args: unknown[]): void };
  readonly #pausesMs: number[];
  #waiting: StoredAttempts[] = [];
  #running: Promise<void> | undefined;

  constructor(rows: Store<StoredAttempts>, logger: { error(...args: unknown[]): void }, pausesMs = retryMs) {
    this.#rows = rows;
    this.#logger = logger;
    this.#pausesMs = pausesMs;
  }

  /** Adds what one write of a lane has come to. */
  add(attempts: readonly Attempted[]): void {
    if (attempts.length === 0) return;
    this.#waiting.push(...rowsOf(attempts, Date.now()));
    this.#running ??= this.#run();
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Store the attempts of one tick together.
    await null;
    while (this.#waiting.length > 0) await this.#list(this.#waiting.splice(0, rowsTogether));
    this.#running = undefined;
  }

  async #list(rows: StoredAttempts[]): Promise<void> {
    try {
      await this.#insert(rows);
    } catch (error) {
      const attempts = rows.reduce((sum, { each }) => sum + each.length, 0);
      logEvent(this.#logger, "attempt_list.failed", { attempts, error });
    }
  }

  /** After a failure some may be stored: the answer may have been lost. */
  async #insert(rows: StoredAttempts[]): Promise<void> {
    for (let tries = 0; ; tries += 1)
      try {
        const rest = tries === 0 ? rows : await this.#withoutStored(rows);
        if (rest.length > 0) await this.#rows.insertMany(rest, "end of process");
        return;
      } catch (error) {
        const pause = this.#pausesMs[tries];
        if (pause === undefined) throw error;
        await sleep(pause);
      }
  }

  async #withoutStored(rows: StoredAttempts[]): Promise<StoredAttempts[]> {
    const ids = rows.map(({ _id }) => _id);
    const stored = new Set((await this.#rows.valuesOf(["_id"], { _id: { $in: ids } })).flat());
    return rows.filter(({ _id }) => !stored.has(_id));
  }
}

/** Lists an attempt that no lane made. */
export async function listAlone(
  rows: Pick<Store<StoredAttempts>, "insert">,
  attempt: Attempted,
): Promise<ListedAttempt> {
  const [row] = rowsOf([attempt], Date.now()) as [StoredAttempts];
  await rows.insert(row);
  return attemptsIn(row)[0] as ListedAttempt;
}

/** Attempts that are removed at once, but for the first row: each row has up to 128, and answers may be long. */
const removedTogether = 500;
const [fewestRows, mostRows] = [4, 128];

/**
 * Removes the rows that match a query, oldest first, in slices that let other work run; the signal stops it
 * between two slices.
 */
export async function removeAttempts(
  rows: Pick<Store<StoredAttempts>, "find" | "removeMany">,
  query: Query<StoredAttempts>,
  signal?: AbortSignal,
): Promise<void> {
  for (let many = fewestRows; !signal?.aborted; ) {
    const found = await rows.find({ query, sort: ["_id"], limit: many });
    const slice = firstOf(found);
    const last = slice.at(-1);
    if (!last) return;
    await rows.removeMany({ ...query, _id: { $lte: last._id } });
    if (found.length < many && slice.length === found.length) return;
    many = slice.length < found.length ? slice.length : Math.min(many * 2, mostRows);
    await yieldToLoop();
  }
}

/** The first row, and those after it while they are few attempts together. */
function firstOf(rows: StoredAttempts[]): StoredAttempts[] {
  let attempts = 0;
  const end = rows.findIndex(({ each }, n) => {
    attempts += each.length;
    return n > 0 && attempts > removedTogether;
  });
  return end < 0 ? rows : rows.slice(0, end);
}
