import type { ServiceBroker } from "moleculer";
import { call } from "../../services/contracts/action.ts";
import { isServiceUnavailable } from "../../services/contracts/errors.ts";
import { sourcesOfTags } from "../../services/contracts/source-lists.contract.ts";

const timeoutMs = 5000;
/** Services start in any order, those of other nodes too. */
const startMs = 10_000;
const checkMs = 200;
/** For a reader that missed the broadcast `sources.retagged`. */
const maxAgeMs = 30_000;
const mostKeys = 1000;

type Ask = (keyId: string, tags: string[]) => Promise<string[]>;

interface Answer {
  ids: Promise<ReadonlySet<string>>;
  askedAt: number;
}

/**
 * The sources that have any of some tags of a key, for readers of its log: an answer is kept until the service hears
 * `sources.retagged` and calls `forget`, and for 30 s at most. Rejects when the tracker does not answer.
 */
export class TaggedSources {
  readonly #ask: Ask;
  readonly #now: () => number;
  readonly #keys = new Map<string, Map<string, Answer>>();

  constructor(ask: Ask, now: () => number = () => performance.now()) {
    this.#ask = ask;
    this.#now = now;
  }

  /** Asks the tracker by calls. Waits for it where there is none yet. */
  static through(broker: ServiceBroker): TaggedSources {
    const ask: Ask = async (keyId, tags) =>
      (await call(broker, sourcesOfTags, { keyId, tags }, { timeout: timeoutMs })).ids;
    return new TaggedSources((keyId, tags) =>
      ask(keyId, tags).catch(async error => {
        if (!isServiceUnavailable(error)) throw error;
        await broker.waitForServices("tracker", startMs, checkMs);
        return await ask(keyId, tags);
      }),
    );
  }

  of(keyId: string, tags: readonly string[]): Promise<ReadonlySet<string>> {
    const name = JSON.stringify(tags);
    const known = this.#keys.get(keyId)?.get(name);
    if (known && this.#now() - known.askedAt < maxAgeMs) return known.ids;
    const ids = this.#ask(keyId, [...tags]).then(found => new Set(found));
    this.#keep(keyId, name, { ids, askedAt: this.#now() });
    return ids;
  }

  /** What was asked before may be old; a question on its way, too. */
  forget(keyId: string): void {
    this.#keys.delete(keyId);
  }

  #keep(keyId: string, name: string, answer: Answer): void {
    const ofKey = this.#keys.get(keyId) ?? new Map<string, Answer>();
    ofKey.set(name, answer);
    this.#keys.delete(keyId);
    if (this.#keys.size >= mostKeys) this.#keys.delete(this.#keys.keys().next().value ?? "");
    this.#keys.set(keyId, ofKey);
    answer.ids.catch(() => {
      if (ofKey.get(name) === answer) ofKey.delete(name);
    });
  }
}
