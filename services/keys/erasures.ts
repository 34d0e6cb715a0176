import { randomUUID } from "node:crypto";
import { type Periodic, periodic } from "../../mixins/async/periodic.ts";
import { sleepUntilAborted } from "../../mixins/async/sleep.ts";
import type { Store } from "../../mixins/store/store.ts";
import { countsOf, type Erasure, type ErasureCounts, type ErasureOf } from "../contracts/erasure.contract.ts";
import { codeOf, fail, invalid } from "../contracts/errors.ts";
import { deleteKey } from "./api-keys.ts";
import { countNaming, forgetNames } from "./audit.ts";
import type { KeysContext, StoredErasure } from "./context.ts";

/** What the parts of an installation do, in the order in which they erase: without its key, nothing new begins. */
export interface ErasureSteps {
  [name: string]: (of: ErasureOf) => Promise<ErasureCounts>;
}

const leaseMs = 120_000;
const checkEveryMs = 10_000;
/** Looks for what is left, and the pause before the next erasing: some five minutes together. */
const mostLooks = 60;
const pauseMs = 5_000;

interface Wanted {
  key_id?: string;
  owner?: string;
  source?: NonNullable<ErasureOf["source"]>["kind"];
  eid?: string;
  dry_run: boolean;
}

type Answer = { data: Erasure; message: string };

/** Begins an erasure; durable once resolved. */
export async function startErasure(
  { erasures, keys, newId, now }: KeysContext,
  { key_id, owner, source: kind, eid, dry_run }: Wanted,
): Promise<Answer> {
  const named = [key_id, owner, eid].filter(name => name !== undefined);
  if (named.length !== 1)
    throw invalid("key_id", "exactly_one", "Exactly one of `key_id`, `owner` and `eid` is required.");
  if ((kind === undefined) !== (eid === undefined))
    throw invalid("source", "required", "`source`, the kind, and `eid` belong together.");
  const ofOwner = owner === undefined ? [] : await keys.find({ query: { owner } });
  const stored = await erasures.insert({
    _id: `era_${newId(now())}`,
    subject: subjectOf({ owner, eid }),
    keyIds: key_id === undefined ? ofOwner.map(({ _id }) => _id) : [key_id],
    ...(owner !== undefined && { owner }),
    ...(kind !== undefined && eid !== undefined && { source: { kind, eid } }),
    isDryRun: dry_run,
    ...{ state: "running", round: "count", step: 0, found: [], left: 0, looks: 0, until: 0 },
    createdAt: new Date(now()).toISOString(),
  });
  return {
    data: publicErasure(stored),
    message: dry_run ? "The count has begun." : "The erasure has begun.",
  };
}

function subjectOf({ owner, eid }: { owner: string | undefined; eid: string | undefined }) {
  if (eid !== undefined) return "source";
  return owner === undefined ? "key" : "owner";
}

export async function getErasure(erasures: Store<StoredErasure>, id: string): Promise<Answer> {
  const stored = await erasures.findById(id);
  if (!stored) throw fail("not_found", "There is no erasure with this id.");
  return { data: publicErasure(stored), message: messages[stored.state] };
}

const messages = {
  running: "The erasure is running.",
  completed: "The erasure has ended.",
  failed: "Something was left again and again: see the log, and start it anew.",
} as const;

function publicErasure({ _id, subject, isDryRun, state, round, found, createdAt, endedAt }: StoredErasure) {
  return {
    ...{ id: _id, subject, dry_run: isDryRun, state, step: state === "running" ? round : null },
    ...{ found, created_at: createdAt, ended_at: endedAt ?? null },
  };
}

/** The steps of this service: keys and what is counted of them, and the owner. */
export function ownStep(
  { keys, usage, owners, quotas, acts }: Pick<KeysContext, "keys" | "usage" | "owners" | "quotas" | "acts">,
  deleted: (keyId: string) => Promise<unknown>,
): ErasureSteps[string] {
  return async ({ keyIds, owner, sourceIds, dry }) => {
    if (!dry) {
      for (const id of keyIds) {
        await deleteKey({ keys, usage, quotas }, id).catch(error => {
          if (codeOf(error) !== "not_found") throw error;
        });
        // A crash may have come between the two.
        await usage.removeMany({ keyId: id });
        await quotas.drop(id);
        await deleted(id);
      }
      if (owner !== undefined) await owners.remove(owner);
      await forgetNames({ acts }, { owner, keyIds, sourceIds });
    }
    return await countsOf({
      keys: keys.count({ _id: { $in: keyIds } }),
      "days of usage": usage.count({ keyId: { $in: keyIds } }),
      owners: owner === undefined ? Promise.resolve(0) : owners.count({ _id: owner }),
      acts: countNaming({ acts }, { owner, keyIds, sourceIds }),
    });
  };
}

interface RunnerParts {
  erasures: Store<StoredErasure>;
  steps: ErasureSteps;
  /** Takes what was erased out of files; it may be repeated. */
  scrub(): Promise<void>;
  now(): number;
  onError(error: unknown): void;
  pauseMs?: number;
}

/** Works on erasures, one at a time; of several processes one has each. */
export class ErasureRunner {
  readonly #parts: RunnerParts;
  readonly #me = randomUUID();
  readonly #checking: Periodic;
  readonly #ending = new AbortController();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    const { onError } = parts;
    this.#checking = periodic(() => this.#runAll(), { everyMs: checkEveryMs, onError });
  }

  wake(): void {
    void this.#checking.run();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#checking.stop();
  }

  async #runAll(): Promise<void> {
    const open = await this.#parts.erasures.find({ query: { state: "running" }, sort: ["_id"], limit: 20 });
    for (const { _id } of open) while (!this.#ending.signal.aborted && (await this.#advance(_id)));
  }

  /** Does one step; false where there is none, or another process has it. */
  async #advance(id: string): Promise<boolean> {
    const held = await this.#hold(id);
    if (!held) return false;
    if (held.round === "clean") return await this.#end(held);
    const names = Object.keys(this.#parts.steps);
    // The tracker knows the ids of a source, which the audit log names.
    const name = (held.source ? names.reverse() : names)[held.step];
    if (name === undefined) return await this.#endRound(held);
    const { round } = held;
    const { counts, sourceIds, next } = (await this.#parts.steps[name]?.(partOf(held))) ?? { counts: [] };
    await this.#write(held, ({ cursor: _, ...found }) => ({
      ...found,
      ...(next === undefined ? { step: found.step + 1 } : { cursor: next }),
      ...(sourceIds && { sourceIds }),
      ...(round === "count" && { found: summed([...found.found, ...counts]) }),
      ...(round === "check" && { left: found.left + counts.reduce((sum, { count }) => sum + count, 0) }),
    }));
    return true;
  }

  async #endRound(held: StoredErasure): Promise<boolean> {
    const { left, looks } = held;
    // Keys stay, and what a poll was about to write comes within moments: of a source it is looked at twice.
    const isEarly = held.source !== undefined && held.round === "check" && looks === 0;
    const again = (left > 0 || isEarly) && looks + 1 < mostLooks;
    if (again) await this.#pause();
    await this.#write(held, erasure => {
      const next = { ...erasure, step: 0, left: 0 };
      if (held.round === "count" && !held.isDryRun) return { ...next, round: "erase" };
      if (held.round === "erase") return { ...next, round: "check" };
      if (again) return { ...next, round: "erase", looks: looks + 1 };
      const { keyIds: _keyIds, owner: _owner, source: _source, sourceIds: _sourceIds, ...nameless } = next;
      return { ...nameless, left, round: "clean" };
    });
    return true;
  }

  /** After the name is out of the document: the files may hold what it was before. */
  async #end(held: StoredErasure): Promise<boolean> {
    await this.#parts.scrub();
    const endedAt = new Date(this.#parts.now()).toISOString();
    const state = held.left > 0 ? "failed" : "completed";
    await this.#write(held, ({ by: _by, ...erasure }) => ({ ...erasure, state, endedAt }));
    return true;
  }

  async #pause(): Promise<void> {
    const { signal } = this.#ending;
    await sleepUntilAborted(this.#parts.pauseMs ?? pauseMs, signal);
  }

  /** The lease is longer than a step takes. A process that outlives it repeats a step, and writes nothing. */
  async #hold(id: string): Promise<StoredErasure | null> {
    const now = this.#parts.now();
    const held = await this.#parts.erasures.change(id, found =>
      found?.state === "running" && (found.by === this.#me || found.until <= now)
        ? { ...found, by: this.#me, until: now + leaseMs }
        : undefined,
    );
    return held?.by === this.#me && held.state === "running" ? held : null;
  }

  async #write(held: StoredErasure, work: (found: StoredErasure) => StoredErasure): Promise<void> {
    await this.#parts.erasures.change(held._id, found =>
      found?.by === this.#me &&
      found.round === held.round &&
      found.step === held.step &&
      found.cursor === held.cursor
        ? work(found)
        : undefined,
    );
  }
}

/** What a part is asked for. */
function partOf({ keyIds = [], owner, source, sourceIds, cursor, round }: StoredErasure): ErasureOf {
  return {
    keyIds,
    ...(owner !== undefined && { owner }),
    ...(source && { source }),
    ...(sourceIds && { sourceIds }),
    ...(cursor !== undefined && { cursor }),
    dry: round !== "erase",
  };
}

/** A step that takes several calls counts its kinds in each of them. */
function summed(counts: StoredErasure["found"]): StoredErasure["found"] {
  const sums = new Map<string, number>();
  for (const { kind, count } of counts) sums.set(kind, (sums.get(kind) ?? 0) + count);
  return [...sums].map(([kind, count]) => ({ kind, count }));
}
