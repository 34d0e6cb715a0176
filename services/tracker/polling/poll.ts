import { setTimeout as sleep } from "node:timers/promises";
import type { Service } from "moleculer";
import { allEnded } from "../../../mixins/async/timeout.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import type { PollResult } from "../../contracts/connectors.contract.ts";
import type { Use } from "../../domain/crawl/content-usage.ts";
import { maxIntervalMs } from "../../domain/polling/poll-times.ts";
import { isUnavailable, retryAfterMs } from "../connectors.ts";
import type { TrackerContext } from "../context.ts";
import { Scheduler } from "../scheduler.ts";
import { shortestMs } from "../source-kinds.ts";
import { connectorState, type StoredState } from "../sources.store.ts";
import { policyOf } from "../watches/key-policies.ts";
import { type LeasedSource, leaseDueSources, nextDueAt, postponePoll } from "./due-sources.ts";
import { ingest } from "./ingest.ts";
import { finishOpenPoll } from "./open-poll.ts";
import { addressRetryMs, grouped, leaseAddress, leaseSiblings } from "./siblings.ts";

/** Concurrent polls. They mostly wait: for answers, and for a slot at the source's host. */
const concurrency = 256;

/** Polls the sources that are due; `onPolled` is called with what came of each. */
export function pollScheduler(
  context: TrackerContext,
  logger: Service["logger"],
  onPolled: (source: LeasedSource, outcome: PollOutcome) => void,
): Scheduler<LeasedSource[]> {
  return new Scheduler(
    {
      take: async max => grouped(await leaseDueSources(context, max)),
      nextAt: () => nextDueAt(context),
      run: async group => {
        const startedAt = performance.now();
        for (const { source, result } of await pollTogether(context, group)) {
          const outcome = typeof result === "string" ? result : "put off";
          onPolled(source, result);
          const durationMs = Math.round(performance.now() - startedAt);
          logEvent(logger, "source.polled", { source: source._id, kind: source.kind, outcome, durationMs });
        }
      },
      onError: error => logEvent(logger, "poll_scheduler.failed", { error }),
      now: context.now,
    },
    concurrency,
  );
}

/** Milliseconds before another try when the connectors service is unavailable. */
const absentMs = 2000;

/**
 * The poll did not run: no host slot was free, no connectors node answered, or another process polls the address. It is
 * due again after `postponeMs`.
 */
interface Postponed {
  postponeMs: number;
  cause: unknown;
}

/** `lost`: another process has taken the source over. */
export type PollOutcome = "ok" | "failed" | "lost" | Postponed;

/** A source with what its poll came to. */
interface Polled {
  source: LeasedSource;
  result: PollOutcome;
}

/**
 * Polls leased sources of one address once, with the other views of the address that are nearly due, and ingests what is
 * new: each result under its own lease, so that none waits for another. Rejects when an outcome could not be written; its
 * source is then free, and due again no sooner than its shortest interval allows.
 */
export async function pollTogether(context: TrackerContext, group: LeasedSource[]): Promise<Polled[]> {
  const address = await freedOnError(context, group, () => leaseAddress(context, group));
  if (address === null) return await handOver(context, group);
  try {
    const siblings = address ? await freedOnError(context, group, () => leaseSiblings(context, group)) : [];
    return await pollLeased(context, [...group, ...siblings]);
  } finally {
    await address?.release();
  }
}

async function freedOnError<Result>(
  context: TrackerContext,
  group: LeasedSource[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await Promise.all(group.map(source => putOff(context, source)));
    throw error;
  }
}

/** Another process polls the address now. It takes these views along if it has not sent its request yet. */
async function handOver(context: TrackerContext, group: LeasedSource[]): Promise<Polled[]> {
  const dueAt = context.now() + addressRetryMs;
  await Promise.all(group.map(source => postponePoll(context, source, dueAt)));
  const result = { postponeMs: addressRetryMs, cause: undefined };
  return group.map(source => ({ source, result }));
}

async function pollLeased(context: TrackerContext, group: LeasedSource[]): Promise<Polled[]> {
  const startedAt = context.now();
  const asked = await freedOnError(context, group, () =>
    Promise.all(group.map(source => loaded(context, source))),
  );
  // This process was suspended for longer than its lease lasts: another process polls the source.
  const [ours, lost] = partition(asked, ({ source }) => context.leaseTokens.isGood(source.lease));
  const results = await askForPolicies(context, ours);
  const written = await allEnded(
    ours.map((each, at) => write(context, each, results[at] ?? unread(each.state), startedAt)),
  );
  return [...written.flat(), ...lost.map(({ source }) => ({ source, result: "lost" as const }))];
}

/** A source that is to be polled, and its state. */
interface Asked {
  source: LeasedSource;
  stored: StoredState | null;
  state: Record<string, unknown>;
}

async function loaded(context: TrackerContext, source: LeasedSource): Promise<Asked> {
  const loaded = { source, stored: await context.states.findById(source._id) };
  const finished = await finishOpenPoll(context, loaded);
  return { ...finished, state: connectorState(finished.stored, finished.source) };
}

async function write(
  context: TrackerContext,
  { source, stored }: Asked,
  result: PollResult | Postponed,
  startedAt: number,
): Promise<Polled> {
  try {
    if ("postponeMs" in result) {
      await postponePoll(context, source, context.now() + result.postponeMs);
      return { source, result };
    }
    await ingest(context, source, stored, result, startedAt);
    return { source, result: result.ok ? "ok" : "failed" };
  } catch (error) {
    await putOff(context, source);
    throw error;
  }
}

/** Milliseconds before another try to free a source whose store takes nothing, as while its disk is full. */
const freeAgainMs = 1000;

/** If this write fails too, it is repeated beside other work: the source would only become free when its lease ends. */
async function putOff(context: TrackerContext, source: LeasedSource): Promise<void> {
  if (!(await isFreed(context, source))) void freeLater(context, source);
}

async function freeLater(context: TrackerContext, source: LeasedSource): Promise<void> {
  do await sleep(freeAgainMs, undefined, { ref: false });
  while (context.leaseTokens.isGood(source.lease) && !(await isFreed(context, source)));
}

async function isFreed(context: TrackerContext, source: LeasedSource): Promise<boolean> {
  const waitMs = Math.max(absentMs, shortestMs(context, source.kind));
  try {
    await postponePoll(context, source, context.now() + waitMs);
    return true;
  } catch {
    return false;
  }
}

/** Sources whose keys want content for the same uses are asked for together. Answers in their order. */
async function askForPolicies(context: TrackerContext, asked: Asked[]): Promise<(PollResult | Postponed)[]> {
  let policies: Use[][];
  try {
    policies = await Promise.all(asked.map(({ source }) => policyOf(context, source)));
  } catch (error) {
    const postponeMs = postponementFor(context, error) ?? absentMs;
    return asked.map(() => ({ postponeMs, cause: error }));
  }
  const groups = [...Map.groupBy(asked.keys(), at => String(policies[at])).values()];
  const results: (PollResult | Postponed)[] = [];
  for (const group of groups) {
    const found = await askConnector(
      context,
      group.map(at => asked[at] as Asked),
      policies[group[0] ?? 0] ?? [],
    );
    for (const [n, at] of group.entries()) results[at] = found[n] as PollResult | Postponed;
  }
  return results;
}

/**
 * An unexpected error counts as a failure of the source; otherwise a source that breaks its connector would stay silent
 * for ever.
 */
async function askConnector(
  context: TrackerContext,
  asked: Asked[],
  policy: Use[],
): Promise<(PollResult | Postponed)[]> {
  const [first] = asked;
  if (!first) return [];
  try {
    // A poll of a site writes its pages, under the lease of the source.
    const isPlain = first.source.view === undefined && first.source.kind !== "site" && policy.length === 0;
    if (isPlain && asked.length === 1) return [await context.pollConnector(first.source, first.state)];
    return await context.pollViews(asked.map(({ source, state }) => ({ source, state, policy })));
  } catch (error) {
    const postponeMs = postponementFor(context, error);
    if (postponeMs !== null) return asked.map(() => ({ postponeMs, cause: error }));
    context.onConnectorError(first.source, error);
    return asked.map(({ state }) => unread(state));
  }
}

function unread(state: Record<string, unknown>): PollResult {
  return { ok: false, reason: "The source could not be read.", gone: false, state };
}

function partition<Item>(items: Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter(item => !isFirst(item))];
}

/** The delay after an error that is not the source's; null for any other error. */
function postponementFor({ minIntervalMs, random }: TrackerContext, error: unknown): number | null {
  const { type } = Object(error) as { type?: unknown };
  // More sources of one host are due than its rate limit allows: spread them, and leave room for other hosts.
  if (type === "overloaded") return Math.round(minIntervalMs * (1 + random()));
  return isUnavailable(error) ? Math.min(Math.max(absentMs, retryAfterMs(error)), maxIntervalMs) : null;
}
