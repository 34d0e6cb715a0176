import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { sealFields } from "../../../mixins/clients/job-vault.ts";
import { type KeepLogin, keepingOnce, withoutLogin } from "../../../mixins/clients/session-logins.ts";
import { secretOptions, withoutTyped } from "../../../mixins/clients/watch-secrets.ts";
import { RequestBudget } from "../../../reader/text/request-budget.ts";
import { invalid } from "../../contracts/errors.ts";
import { mostSources, type NewMonitor } from "../../contracts/monitors.contract.ts";
import { hiddenValue, viewRecord, type WatchOptions } from "../../contracts/watch.contract.ts";
import { checkGoal } from "../../domain/goal/check-goal.ts";
import { cronOfText, examples } from "../../domain/monitor/schedule-text.ts";
import { checkCron, nextCron } from "../../domain/watch/cron.ts";
import { isTimeZone } from "../../domain/watch/schedule.ts";
import type { TrackerContext } from "../context.ts";
import { refuseInvalid } from "../watches/views.ts";
import type { StoredMember, StoredMonitor, StoredTarget } from "./monitors.store.ts";

/** Units for the options of all targets: ten times those of one request. */
const budgetUnits = 50_000;

type Installation = Pick<TrackerContext, "minIntervalMs" | "hasModel" | "vault" | "keepLogin">;
type WantedTargets = NewMonitor["targets"];

/** The targets as they are stored. Throws a 400 that names the field of what is wrong. */
export async function storedTargets(
  context: Installation,
  keyId: string,
  wanted: WantedTargets,
): Promise<StoredTarget[]> {
  refuseTooMany(wanted);
  const budget = new RequestBudget(budgetUnits);
  const keepLogin = keepingOnce(context.keepLogin);
  const targets: StoredTarget[] = [];
  const named = new Set<string>();
  for (const [number, { id = randomUUID(), source, sids, options = {} }] of wanted.entries()) {
    const field = `targets.${number}`;
    if (targets.some(each => each.id === id))
      throw invalid(`${field}.id`, "duplicate", "Another target has this id.");
    refuseOwn(options, `${field}.options`);
    refuseInvalid(source, options, context, `${field}.options`, budget);
    for (const [at, sid] of sids.entries()) refuseSid(`${field}.sids.${at}`, { source, sid }, named);
    const of = { keyId, sids, field };
    const kept = await sealedOptions(context, keyId, await keptLogins(keepLogin, of, options));
    targets.push({ id, source, sids, ...kept });
  }
  return targets;
}

function refuseTooMany(wanted: WantedTargets): void {
  const sources = wanted.reduce((total, { sids }) => total + sids.length, 0);
  if (sources <= mostSources) return;
  const message = `A monitor has ${mostSources.toLocaleString("en")} sources at most; these are ${sources}.`;
  throw invalid("targets", "too_many", message);
}

/** Options that the monitor has for all of its sources. */
const ofMonitor = ["tags", "keep", "interval", "schedule", "paused", "goal", "judge"] as const;

function refuseOwn(options: WatchOptions, field: string): void {
  const other = ofMonitor.find(name => options[name] !== undefined && options[name] !== null);
  if (other === undefined) return;
  const message = `The monitor has \`${other}\` for all its sources, or decides it: leave it out here.`;
  throw invalid(`${field}.${other}`, "not_applicable", message);
}

function refuseSid(
  field: string,
  { source, sid }: { source: StoredTarget["source"]; sid: string },
  named: Set<string>,
): void {
  const { protocol } = URL.parse(sid) ?? {};
  if (source !== "search" && protocol !== "http:" && protocol !== "https:")
    throw invalid(field, "invalid_url", "Give the address of a page, beginning with http:// or https://.");
  const name = nameOf({ kind: source, sid });
  if (named.has(name)) throw invalid(field, "duplicate", "It is named twice. Name each source once.");
  named.add(name);
}

/** The options with the name of their session alone: a login is kept for the site of each address. */
async function keptLogins(
  keepLogin: KeepLogin,
  { keyId, sids, field }: Pick<StoredTarget, "sids"> & { keyId: string; field: string },
  options: WatchOptions,
): Promise<WatchOptions> {
  let kept = options;
  for (const [at, url] of sids.entries()) {
    const fields = { url: `${field}.sids.${at}`, session: `${field}.options.session` };
    kept = await withoutLogin(options, { keyId, url, fields }, keepLogin);
  }
  return kept;
}

async function sealedOptions(
  { vault }: Installation,
  keyId: string,
  options: WatchOptions,
): Promise<Pick<StoredTarget, "options" | "secrets">> {
  const { headers, cookies, actions, body } = options;
  const sealed = await sealFields(vault, viewRecord(keyId), options, secretOptions);
  if (!headers && !cookies && !actions && body === undefined) return { options: sealed };
  const secrets = {
    ...{ headers: Object.keys(headers ?? {}), cookies: Object.keys(cookies ?? {}) },
    ...(actions && { actions: withoutTyped(actions) }),
    ...(body !== undefined && { body: hiddenValue }),
  };
  return { options: sealed, secrets };
}

/** Throws a 400 where nobody could judge by a goal that is to be judged by. */
export function refuseGoal(
  { hasModel }: Pick<TrackerContext, "hasModel">,
  { goal, judge }: { goal?: string | null; judge: boolean },
): void {
  const error = judge ? checkGoal({ goal: goal ?? null }, hasModel) : null;
  if (error) throw invalid(error.field, error.code, error.message);
}

/** The times of a monitor. `seed` spreads what words leave open. Throws a 400 that names the field. */
export function storedSchedule(
  { minIntervalMs }: Pick<TrackerContext, "minIntervalMs">,
  { cron, text, time_zone = "UTC" }: NewMonitor["schedule"],
  seed: number,
): StoredMonitor["schedule"] {
  if ((cron === undefined) === (text === undefined))
    throw invalid("schedule", "exactly_one", "Give exactly one of `schedule.cron` and `schedule.text`.");
  if (!isTimeZone(time_zone))
    throw invalid("schedule.time_zone", "unknown_time_zone", `There is no time zone \`${time_zone}\`.`);
  const times = { cron: cron ?? cronIn(text ?? "", seed), time_zone };
  const field = cron === undefined ? "schedule.text" : "schedule.cron";
  const problem = checkCron(times, minIntervalMs);
  if (problem !== null) throw invalid(field, "cron", problem);
  return { ...times, ...(text !== undefined && { text }) };
}

function cronIn(text: string, seed: number): string {
  const cron = cronOfText(text, seed);
  if (cron !== null) return cron;
  const message = `These words are no schedule. Magpie understands ${examples}; \`schedule.cron\` takes any other.`;
  throw invalid("schedule.text", "unknown_schedule", message);
}

/** When a monitor is checked next; undefined where it never is. */
export function nextTime(
  { schedule, paused }: Pick<StoredMonitor, "schedule" | "paused">,
  after: number,
): number | undefined {
  return paused ? undefined : (nextCron(schedule, after) ?? undefined);
}

/**
 * Makes the members those of the targets: those that stay keep their source, others are marked to go. A repeat changes
 * nothing more.
 */
export async function renewMembers(
  { members, newId, now }: Pick<TrackerContext, "members" | "newId" | "now">,
  { _id: monitorId, keyId, targets }: StoredMonitor,
): Promise<void> {
  const known = await members.find({ query: { monitorId }, sort: ["_id"] });
  const left = new Map(known.map(member => [nameOf(member), member]));
  for (const { id: target, source: kind, sids } of targets)
    for (const sid of sids) {
      const former = left.get(nameOf({ kind, sid }));
      left.delete(nameOf({ kind, sid }));
      if (!former) await members.insert({ _id: newId(now()), monitorId, keyId, target, kind, sid });
      else if (former.target !== target || former.isStale)
        await members.update(former._id, { $set: { target }, $unset: { isStale: true } });
    }
  for (const { _id, isStale } of left.values())
    if (!isStale) await members.update(_id, { $set: { isStale: true } });
}

function nameOf({ kind, sid }: Pick<StoredMember, "kind" | "sid">): string {
  return `${kind} ${sid}`;
}

/** Whether a change of a monitor is one of how its sources are read. */
export function isOtherwiseRead(before: StoredMonitor, after: StoredMonitor): boolean {
  const read = ({ targets, goal, judge, retentionDays }: StoredMonitor) => ({
    targets: targets.map(({ source, sids, options }) => ({ source, sids, options })),
    goal,
    judge,
    retentionDays,
  });
  return !isDeepStrictEqual(read(before), read(after));
}
