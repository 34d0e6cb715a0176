import type { CheckRun, Version } from "../../../mixins/history/history.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import type { Rehearsal } from "../../contracts/history.contract.ts";
import type { View, WatchChanges } from "../../contracts/watch.contract.ts";
import { checkApplicable } from "../../domain/watch/applicable-options.ts";
import { keptReading } from "../../domain/watch/check-reading.ts";
import { checkWatch } from "../../domain/watch/check-watch.ts";
import { meaningful } from "../../domain/watch/meaningful.ts";
import type { Reading } from "../context.ts";
import { iso } from "../shown.ts";
import { keptVersion } from "../versions.ts";
import type { RehearsedItem } from "./judge-items.ts";
import type { JudgedCheck, RehearsedPage, RehearsedStep } from "./judge-pages.ts";

/** Versions that one rehearsal judges, at most: the latest. */
const maxVersions = 2000;
/** Versions before the time asked for that are judged first, so that what is restless is known by then. */
const warmUp = 30;
/** Bytes of pages that go to a thread at a time. */
const stepBytes = 4 * 1024 * 1024;
/** Milliseconds for all of it, shorter than the route's time. */
const maxMs = 40_000;
const [maxFired, maxHeld] = [100, 20];
const dayMs = 86_400_000;

/** What changed options would have made of the kept versions. It changes nothing. */
export async function rehearse(
  reading: Reading,
  { options, days }: { options?: WatchChanges; days: number },
): Promise<Rehearsal> {
  return await rehearseView(reading, { view: wantedView(reading, options), days });
}

/** What a view would have made of them. */
export async function rehearseView(
  reading: Reading,
  { view, days }: { view: View; days: number },
): Promise<Rehearsal> {
  const { held, context } = reading;
  refuseOthers(held.shown.source);
  const now = context.now();
  const from = Math.max(now - days * dayMs, held.readsFrom);
  const past = await pastSince(reading, from);
  const judged = await (held.shown.source === "RSS" ? judgeItems : judgePages)(reading, past, view);
  const [first] = past.versions;
  const begin = first && Math.max(first.at, from);
  const checks = judged.filter(({ at }) => at >= from);
  const fired = checks.filter(({ outcome }) => outcome === "changed");
  const quiet = checks.filter(({ outcome }) => outcome === "held" || outcome === "muted");
  return {
    from: begin === undefined ? null : iso(begin),
    to: begin === undefined ? null : iso(now),
    checks: past.runs.filter(({ last }) => last >= from).reduce((sum, { count }) => sum + count, 0),
    fired: fired.length,
    events: fired.slice(-maxFired).reverse().map(shown),
    held: quiet.slice(-maxHeld).reverse().map(shown),
    why: [sentence(fired.length, { begin, now, days }), view.goal !== undefined && withoutGoal]
      .filter(Boolean)
      .join(" "),
  };
}

/** What is a change of a site depends on all of its pages; results of searches and posts are not kept as versions. */
function refuseOthers(source: string): void {
  if (source === "WEB" || source === "RSS") return;
  const what = source === "SITE" ? "A site" : "Such a source";
  throw invalid(
    "id",
    "not_applicable",
    `${what} cannot be rehearsed: options are tried on the versions of a page or a feed. Preview what they would see.`,
  );
}

function shown({ at, ...rest }: JudgedCheck): Rehearsal["events"][number] {
  return { at: iso(at), ...rest };
}

const withoutGoal = "Nothing is judged by the goal here: that is done when a change is new.";

function sentence(
  fired: number,
  { begin, now, days }: { begin: number | undefined; now: number; days: number },
): string {
  if (begin === undefined)
    return "No version is kept of this source, so there is nothing to try the options on.";
  const kept = Math.max(1, Math.round((now - begin) / dayMs));
  const span =
    kept < days
      ? `the ${kept === 1 ? "day that is" : `${kept} days that are`} kept`
      : `the last ${daysOf(days)}`;
  const times = fired === 0 ? "never have fired" : `have fired ${fired === 1 ? "once" : `${fired} times`}`;
  return `In ${span} this would ${times}.`;
}

function daysOf(days: number): string {
  return days === 1 ? "day" : `${days} days`;
}

/** The view of the key after a change of its options; throws a 400 that names what is wrong. How to fetch does not matter. */
function wantedView({ held, context }: Reading, options: WatchChanges = {}): View {
  const kind = held.shown.source.toLowerCase();
  const asked = { ...keptReading(held.view), ...options };
  const error = checkApplicable(kind, asked) ?? checkWatch(kind, asked, context.minIntervalMs);
  if (error) throw invalid(`options.${error.field}`, error.code, error.message);
  const { tags: _tags, keep: _keep, paused: _paused, ...others } = options;
  const { headers: _headers, cookies: _cookies, body: _body, session: _session, ...named } = others;
  const { sealed: _sealed, pausedBy: _pausedBy, ...former } = held.view;
  return meaningful<View>({ ...former, ...named });
}

/** Versions, oldest first, with the checks of that time. */
interface Past {
  versions: Version[];
  runs: Omit<CheckRun, "sourceId">[];
}

async function pastSince(reading: Reading, from: number): Promise<Past> {
  const versions = await versionsSince(reading, from);
  const [oldest] = versions;
  return { versions, runs: oldest ? await runsSince(reading, oldest.at) : [] };
}

const chunk = 500;

/** The versions since a time, with some before it as far as the key may read them. */
async function versionsSince({ context, held }: Reading, from: number): Promise<Version[]> {
  const newest: Version[] = [];
  let earlier = 0;
  for (let before: string | undefined; newest.length < maxVersions && earlier <= warmUp; ) {
    const some = await context.history.versions(held.id, { limit: chunk, ...(before && { before }) });
    for (const version of some) {
      if (earlier > warmUp || newest.length >= maxVersions) break;
      // The one that was there when the key began is the last that it may read.
      const isEnd = version.at < held.readsFrom;
      if (version.at >= (held.ownFrom ?? 0)) newest.push(version);
      earlier = isEnd ? warmUp + 1 : earlier + (version.at < from ? 1 : 0);
    }
    if (some.length < chunk) break;
    before = some.at(-1)?.id;
  }
  return newest.reverse();
}

async function runsSince({ context, held }: Reading, from: number): Promise<Past["runs"]> {
  const newest: Past["runs"] = held.run ? [held.run] : [];
  for (let before: number | undefined; ; ) {
    const some = await context.history.checks(held.id, {
      limit: chunk,
      ...(before !== undefined && { before }),
    });
    newest.push(...some.filter(({ first, last }) => last >= from && first !== held.run?.first));
    const oldest = some.at(-1);
    if (oldest === undefined || some.length < chunk || oldest.last < from) return newest.reverse();
    before = oldest.first;
  }
}

/** Judges pages a stretch at a time: between them other work runs. */
async function judgePages(reading: Reading, past: Past, view: View): Promise<JudgedCheck[]> {
  const { context, keyId } = reading;
  const signal = AbortSignal.any([context.closing, AbortSignal.timeout(maxMs)]);
  const judged: JudgedCheck[] = [];
  let memory: RehearsedStep["memory"];
  for await (const pages of stretches(reading, past)) {
    if (signal.aborted) throw tooLong();
    const step = { pages, view, ...(memory && { memory }) };
    const done = await context.reader.rehearse(step, keyId, context.closing);
    judged.push(...done.checks);
    memory = done.memory;
  }
  return judged;
}

function tooLong(): Error {
  return fail(
    "upstream_error",
    "The rehearsal takes too long: ask for fewer days, or with simpler selectors.",
  );
}

async function* stretches(reading: Reading, { versions, runs }: Past): AsyncIterable<RehearsedPage[]> {
  const seen = runsByVersion(versions, runs);
  let [pages, bytes]: [RehearsedPage[], number] = [[], 0];
  for (const version of versions) {
    const kept = await keptVersion(reading, version);
    pages.push({ id: version.id, kept, runs: seen.get(version.id) ?? [onceAt(version.at)] });
    bytes += kept.content.length;
    if (bytes < stepBytes) continue;
    yield pages;
    [pages, bytes] = [[], 0];
  }
  if (pages.length > 0) yield pages;
}

function onceAt(at: number): RehearsedPage["runs"][number] {
  return { first: at, last: at, count: 1 };
}

/** The checks that saw each version; one whose version is not named saw the one that was there then. */
function runsByVersion(versions: readonly Version[], runs: Past["runs"]): Map<string, Past["runs"]> {
  const known = new Set(versions.map(({ id }) => id));
  const good = runs.filter(({ outcome }) => outcome !== "failed");
  return Map.groupBy(good, ({ versionId, first }) =>
    versionId !== undefined && known.has(versionId)
      ? versionId
      : (versions.findLast(({ at }) => at <= first)?.id ?? ""),
  );
}

/** Judges the items of a feed, each for itself. */
async function judgeItems(reading: Reading, { versions }: Past, view: View): Promise<JudgedCheck[]> {
  const { context, keyId } = reading;
  const known = new Set<string>();
  const items: RehearsedItem[] = [];
  for (const version of versions) {
    const { id, at, item = "", outcome } = version;
    const isUpdate = known.has(item) || (await isKnownBefore(reading, { id, item }));
    known.add(item);
    // What was there before the feed was tracked is no news.
    if (outcome === "first") continue;
    items.push({ id, at, isUpdate, content: (await keptVersion(reading, version)).content });
  }
  return await context.reader.rehearseItems({ items, view }, keyId, context.closing);
}

async function isKnownBefore(
  { context, held }: Reading,
  { id, item }: { id: string; item: string },
): Promise<boolean> {
  return (await context.history.versions(held.id, { item, before: id, limit: 1 })).length > 0;
}
