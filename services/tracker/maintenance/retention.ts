import type { ExistingKeys } from "../../../mixins/clients/existing-keys.ts";
import type { Keep } from "../../../mixins/history/history.ts";
import { pagesOf } from "../../../mixins/store/pages.ts";
import type { SourceKind } from "../../contracts/source.ts";
import { changesSourcesOf, keyOfChanges } from "../../domain/page-changes/changes-source.ts";
import type { TrackerContext } from "../context.ts";
import type { StoredSubscription } from "../sources.store.ts";

/** What may be kept of all sources, by the settings. */
export interface Retention {
  days: number;
  /** For each key. */
  bytes: number;
  /** Milliseconds for which an event exists. */
  eventsMs: number;
}

const dayMs = 86_400_000;
/** Sources that one round of maintenance looks at; the next one goes on after them. */
const sourcesPerRound = 5000;
const pageSize = 200;
const idsAtOnce = 1000;
/** Milliseconds. A source that is about to be made has its first version already; an event is appended after its version. */
const slackMs = 3_600_000;

/**
 * Removes the past that is beyond the retention, of some sources at a time, and what is left of sources that nobody tracks.
 * Where several keys track a source, what the most generous of them wants is kept.
 */
export class Pruning {
  readonly #context: TrackerContext;
  readonly #retention: Retention;
  readonly #existing: ExistingKeys;
  #after = "";

  constructor(context: TrackerContext, retention: Retention, existing: ExistingKeys) {
    this.#context = context;
    this.#existing = existing;
    this.#retention = retention;
  }

  /** Answers how many versions went. */
  async round(signal: AbortSignal): Promise<number> {
    const { history } = this.#context;
    const shares = new Shares(this.#context, this.#retention.bytes, signal);
    let removed = 0;
    for (let seen = 0; seen < sourcesPerRound && !signal.aborted; seen += pageSize) {
      const ids = await history.sourceIds(this.#after, pageSize);
      removed += await this.#pruneAll(ids, shares, signal);
      this.#after = ids.length < pageSize ? "" : (ids.at(-1) ?? "");
      if (this.#after === "") break;
    }
    await history.sweep();
    return removed;
  }

  async #pruneAll(ids: string[], shares: Shares, signal: AbortSignal): Promise<number> {
    const { sources, history } = this.#context;
    const found = await sources.find({ query: { _id: { $in: ids } } });
    const kinds = new Map(found.map(({ _id, kind }) => [_id, kind]));
    const bytes = await history.bytesOf(ids);
    let removed = 0;
    for (const id of ids) {
      if (signal.aborted) break;
      const [kind, keyId] = [kinds.get(id), keyOfChanges(id)];
      if (keyId !== undefined)
        removed += await this.#pruneChanges(id, keyId, { bytes: bytes.get(id) ?? 0, shares, signal });
      else if (kind) removed += await this.#prune({ id, kind }, bytes.get(id) ?? 0, shares);
      else await this.#eraseLeft(id, signal);
    }
    return removed;
  }

  async #prune(
    { id, kind }: { id: string; kind: SourceKind },
    bytes: number,
    shares: Shares,
  ): Promise<number> {
    const { subscriptions, history, now } = this.#context;
    const held = await subscriptions.find({ query: { sourceId: id } });
    if (held.length === 0) return 0;
    const days = mostGenerous(held, "days", this.#retention.days);
    const readsFrom = Math.min(...held.map(each => each.readsFrom));
    const before = now() - days * dayMs;
    return history.prune(id, {
      ...(kind === "site" ? agesOfPages(Math.max(before, readsFrom)) : { before, readsFrom }),
      versions: mostGenerous(held, "versions", Number.MAX_SAFE_INTEGER),
      bytes: await shares.of(held, bytes),
      eventsFrom: now() - this.#retention.eventsMs - slackMs,
    });
  }

  /** What scrapes of a key have read, to compare the next ones with: no source, and no version has an event. */
  async #pruneChanges(
    id: string,
    keyId: string,
    { bytes, shares, signal }: { bytes: number; shares: Shares; signal: AbortSignal },
  ): Promise<number> {
    const { history, now } = this.#context;
    if ((await this.#existing([keyId])).length === 0) {
      await this.#eraseLeft(id, signal);
      return 0;
    }
    return history.prune(id, {
      ...agesOfPages(now() - this.#retention.days * dayMs),
      versions: Number.MAX_SAFE_INTEGER,
      bytes: await shares.of([{ keyId }], bytes),
      eventsFrom: now(),
    });
  }

  /**
   * A process has died, or lost its lease, while it wrote the past of a source that was made or deleted; or there was more
   * than could be erased at once.
   */
  async #eraseLeft(id: string, signal: AbortSignal): Promise<void> {
    const { history, now, forgetPictures } = this.#context;
    const [newest] = await history.versions(id, { limit: 1 });
    const [run] = await history.checks(id, { limit: 1 });
    if (Math.max(newest?.at ?? 0, run?.last ?? 0) >= now() - slackMs) return;
    while (!signal.aborted && !(await history.erase(id)));
    forgetPictures(id);
  }
}

/**
 * Only versions go by age that a newer one had replaced by then (ms). The newest of an address stays: a version is as old as
 * what it says, and the page may have said the same today.
 */
function agesOfPages(then: number): Pick<Keep, "before" | "readsFrom"> {
  return { before: 0, readsFrom: then };
}

/** A key that names nothing wants as much as is allowed. */
function mostGenerous(
  held: readonly Pick<StoredSubscription, "keep">[],
  name: "days" | "versions",
  allowed: number,
): number {
  return Math.min(allowed, Math.max(...held.map(({ keep }) => keep?.[name] ?? allowed)));
}

/**
 * How many bytes each key leaves to each of its sources. Where all of them are more than its share, the largest ones are cut
 * to the same size.
 */
class Shares {
  readonly #context: TrackerContext;
  readonly #bytes: number;
  readonly #signal: AbortSignal;
  readonly #ofKeys = new Map<string, number>();
  readonly #changes = new Map<string, string[]>();

  constructor(context: TrackerContext, bytes: number, signal: AbortSignal) {
    this.#context = context;
    this.#bytes = bytes;
    this.#signal = signal;
  }

  /** The most that any of the keys leaves to a source, which has so many bytes now. */
  async of(held: readonly Pick<StoredSubscription, "keyId">[], bytes: number): Promise<number> {
    let most = 0;
    for (const { keyId } of held) {
      most = Math.max(most, await this.#ofKey(keyId, bytes));
      if (most >= bytes) return Number.MAX_SAFE_INTEGER;
    }
    return most;
  }

  async #ofKey(keyId: string, bytes: number): Promise<number> {
    const known = this.#ofKeys.get(keyId);
    if (known !== undefined) return known;
    const { sources = 0 } = (await this.#context.tallies.findById(keyId)) ?? {};
    const ofChanges = this.#changes.get(keyId) ?? (await changesOf(this.#context.history, keyId));
    this.#changes.set(keyId, ofChanges);
    // Nobody has to add up what all sources of the key take.
    if (bytes * Math.max(1, sources + ofChanges.length) <= this.#bytes) return bytes;
    const share = fairShare(await this.#sizesOf(keyId, ofChanges), this.#bytes);
    this.#ofKeys.set(keyId, share);
    return share;
  }

  async #sizesOf(keyId: string, ofChanges: string[]): Promise<number[]> {
    const { subscriptions, history } = this.#context;
    const sizes: number[] = [];
    for (let at = 0; at < ofChanges.length; at += pageSize)
      sizes.push(...(await history.bytesOf(ofChanges.slice(at, at + pageSize))).values());
    const wanted = { query: { keyId }, limit: pageSize, signal: this.#signal };
    for await (const some of pagesOf(subscriptions, wanted))
      sizes.push(...(await history.bytesOf(some.map(({ sourceId }) => sourceId))).values());
    return sizes;
  }
}

/** The ids under which scrapes of a key have kept what they read, of all tags. */
export async function changesOf(
  history: Pick<TrackerContext["history"], "sourceIds">,
  keyId: string,
): Promise<string[]> {
  const start = changesSourcesOf(keyId);
  const found: string[] = [];
  for (let after = start; ; ) {
    const own = (await history.sourceIds(after, idsAtOnce)).filter(id => id.startsWith(start));
    found.push(...own);
    const last = own.at(-1);
    if (last === undefined || own.length < idsAtOnce) return found;
    after = last;
  }
}

/** The size to which the largest ones are cut so that all of them fit. */
export function fairShare(sizes: readonly number[], bytes: number): number {
  let left = bytes;
  const rising = [...sizes].sort((a, b) => a - b);
  for (const [n, size] of rising.entries()) {
    const share = left / (rising.length - n);
    if (size > share) return Math.floor(share);
    left -= size;
  }
  return Number.MAX_SAFE_INTEGER;
}
