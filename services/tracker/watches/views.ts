import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { JobVault } from "../../../mixins/clients/job-vault.ts";
import {
  bodyOrFormer,
  sealedSecrets,
  typedIn,
  unsealedSecrets,
  withFormer,
  withoutTyped,
} from "../../../mixins/clients/watch-secrets.ts";
import type { RequestBudget } from "../../../reader/text/request-budget.ts";
import { invalid } from "../../contracts/errors.ts";
import type { SourceKind } from "../../contracts/source.ts";
import {
  hiddenValue,
  type Secrets,
  type View,
  type WatchChanges,
  type WatchedSource,
  type WatchOptions,
} from "../../contracts/watch.contract.ts";
import { checkGoal } from "../../domain/goal/check-goal.ts";
import { present } from "../../domain/json/fields.ts";
import { checkApplicable } from "../../domain/watch/applicable-options.ts";
import { keptReading } from "../../domain/watch/check-reading.ts";
import { checkWatch } from "../../domain/watch/check-watch.ts";
import { meaningful } from "../../domain/watch/meaningful.ts";
import type { TrackerContext } from "../context.ts";
import { publicSource, type StoredSource, type StoredSubscription, viewOf } from "../sources.store.ts";

/** What decides whether options can be had here. */
export type Installation = Pick<TrackerContext, "minIntervalMs" | "hasModel">;

/**
 * Throws a 400 that names the first option which is wrong, or which sources of this kind do not have. `budget`: what the
 * options of the request may cost.
 */
export function refuseInvalid(
  kind: SourceKind,
  options: WatchChanges,
  { minIntervalMs, hasModel }: Installation,
  field = "options",
  budget?: RequestBudget,
): void {
  const error =
    checkApplicable(kind, options) ??
    checkWatch(kind, options, minIntervalMs, budget) ??
    checkGoal(options, hasModel);
  if (error) throw invalid(`${field}.${error.field}`, error.code, error.message);
}

/** Throws a 400 likewise where the options contradict how the source is read, which they leave as it is. */
export function refuseInvalidChange(
  source: StoredSource,
  options: WatchChanges,
  installation: Installation,
): void {
  refuseInvalid(source.kind, { ...keptReading(viewOf(source)), ...options }, installation);
}

/** The view of a key after a change: what is not named stays, null removes. What is secret is sealed anew. */
export async function changedView(
  vault: JobVault,
  keyId: string,
  former: View,
  {
    tags: _tags,
    keep: _keep,
    edits: _edits,
    headers,
    cookies,
    body,
    paused,
    actions,
    ...named
  }: WatchChanges,
): Promise<View> {
  const { sealed, ...open } = former;
  const pausedBy = paused === undefined ? former.pausedBy : paused ? keyId : null;
  const session = named.session === undefined ? former.session : named.session;
  const sessionOf = session ? keyId : null;
  const shown = actions === undefined ? {} : { actions: actions && withoutTyped(actions) };
  const changed = meaningful<View>({
    ...{ ...open, ...named, ...shown, pausedBy, sessionOf },
    session: session && { name: session.name },
  });
  if ([headers, cookies, actions, body].every(each => each === undefined))
    return { ...changed, ...(sealed && { sealed }) };
  const before = await unsealedSecrets(vault, former);
  const typed = actions === undefined ? undefined : typedIn(actions ?? []);
  const after: Secrets = {
    headers: withFormer("headers", headers, before.headers),
    cookies: withFormer("cookies", cookies, before.cookies),
    typed: withFormer("typed", typed, before.typed),
    ...present({ body: bodyOrFormer(body, before.body) }),
  };
  if (sealed && isDeepStrictEqual(after, { headers: {}, cookies: {}, typed: {}, ...before }))
    return { ...changed, sealed };
  const next = await sealedSecrets(vault, keyId, after);
  return { ...changed, ...(next && { sealed: next }) };
}

/** Names a view among those of its source; "" for the default one. */
export function viewKey(view: View): string {
  const text = JSON.stringify(sorted(view));
  return text === "{}" ? "" : createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}

/** The options that each key has for itself. With any of the others the source is another one. */
export type OwnOptions = Pick<StoredSubscription, "tags" | "keep" | "edits">;

/** The source as the key sees it, with its options and without their secrets. */
export function watchedSource(source: StoredSource, subscription: OwnOptions): WatchedSource {
  return { ...publicSource(source), ...shownAs(source, subscription) };
}

/** The options of a key where it has chosen any. */
export function shownAs(source: StoredSource, subscription: OwnOptions): Pick<WatchedSource, "options"> {
  const options = shownOptions(viewOf(source), subscription);
  return Object.keys(options).length > 0 ? { options } : {};
}

export function shownOptions(
  { sealed, pausedBy, sessionOf: __, monitor: _, policy: ___, ...open }: View,
  { tags, keep, edits }: OwnOptions,
): WatchOptions {
  return {
    ...(tags && { tags }),
    ...(keep && { keep }),
    ...(edits && { edits }),
    ...open,
    ...(pausedBy !== undefined && { paused: true }),
    ...(sealed && sealed.headers.length > 0 && { headers: hidden(sealed.headers) }),
    ...(sealed && sealed.cookies.length > 0 && { cookies: hidden(sealed.cookies) }),
    ...(sealed?.body && { body: hiddenValue }),
  };
}

function hidden(names: string[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, hiddenValue]));
}
