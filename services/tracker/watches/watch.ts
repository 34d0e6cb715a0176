import { withoutLogin } from "../../../mixins/clients/session-logins.ts";
import type { Caller } from "../../contracts/caller.ts";
import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { SourceKind } from "../../contracts/source.ts";
import type { View, WatchChanges, WatchedSource } from "../../contracts/watch.contract.ts";
import type { Platforms } from "../connectors.ts";
import type { TrackerContext } from "../context.ts";
import { addressOf, type StoredSource, viewOf } from "../sources.store.ts";
import { beginTracking, joinKnown } from "../tracking/begin-tracking.ts";
import { type Held, heldAt, heldByName, type NamedSource, notHeld } from "../tracking/named-source.ts";
import { ownAmong, retagged, type Tracker, type Tracking } from "../tracking/subscribe.ts";
import { changeInPlace } from "./change-in-place.ts";
import { withPolicy } from "./key-policies.ts";
import { changedView, refuseInvalid, refuseInvalidChange, viewKey, watchedSource } from "./views.ts";

/** A page or feed as a request names it, and how it is to be read. */
interface Wanted {
  kind: SourceKind;
  sid: string;
  options: WatchChanges;
}

type Answer = Tracking & { notice?: string };

/** Tracks a page or feed for a key. What the options do not name stays as it is, where the key tracks it already. */
export async function watch(
  context: TrackerContext,
  tracker: Tracker,
  wanted: Wanted,
  platforms: Platforms,
): Promise<Answer> {
  const { kind, sid, options } = wanted;
  const { keyId, monitor } = tracker;
  const held = await heldAt(context, keyId, kind, sid, monitor);
  if (held) return change(context, tracker, held, options, platforms);
  const named = await changedView(context.vault, keyId, monitor === undefined ? {} : { monitor }, options);
  const view = await withPolicy(context, kind, keyId, named);
  const known = await joinKnown(context, tracker, kind, sid, view);
  if (known) return known;
  // A monitor is told to watch this page, whatever feed it names.
  const asPage = kind === "web" && monitor !== undefined;
  const resolved = await platforms.resolve({ kind, sid, ...seenBy(view), ...(asPage && { asPage }) });
  refuseInvalid(resolved.kind, options, context);
  // Only now is it known which address the `sid` means.
  const other = await heldAt(context, keyId, resolved.kind, resolved.externalId, monitor);
  if (other && viewKey(viewOf(other.source)) !== viewKey(view))
    return change(context, tracker, other, options, platforms);
  return entered(context, tracker, resolved, view, platforms);
}

const fields = { url: "options.session", session: "options.session" };

/** Changes how a key tracks a source. */
export async function changeTracked(
  context: TrackerContext,
  caller: Pick<Caller, "keyId" | "limits">,
  { options: sent, ...name }: NamedSource & { options: WatchChanges },
  platforms: Platforms,
): Promise<{ data: WatchedSource; message: string }> {
  const held = await heldByName(context, caller.keyId, name);
  refuseInvalidChange(held.source, sent, context);
  const of = { keyId: caller.keyId, url: addressOf(held.source).externalId, fields };
  const options = await withoutLogin(sent, of, context.keepLogin);
  const tracker = { ...caller, ...ownAmong(options) };
  const { source, subscription, notice } = await change(context, tracker, held, options, platforms);
  const message = ["The source is tracked as asked.", notice].filter(Boolean).join(" ");
  return { data: watchedSource(source, subscription), message };
}

/** Moves a key to another view of what it tracks. The view that it leaves is polled once more. */
async function change(
  context: TrackerContext,
  tracker: Tracker,
  held: Held,
  options: WatchChanges,
  platforms: Platforms,
): Promise<Answer> {
  const { kind, externalId } = addressOf(held.source);
  refuseInvalidChange(held.source, options, context);
  const former = viewOf(held.source);
  const changed = await changedView(context.vault, tracker.keyId, former, options);
  if (viewKey(changed) === viewKey(former)) return tagged(context, tracker, held);
  const view = await withPolicy(context, kind, tracker.keyId, changed);
  const known =
    (await joinKnown(context, tracker, kind, externalId, view)) ??
    (await changeInPlace(context, tracker, held, view));
  if (known) return known;
  const resolved = await platforms.resolve({
    kind,
    sid: externalId,
    ...seenBy(view),
    asPage: kind === "web",
  });
  return entered(context, tracker, { ...resolved, kind, externalId }, view, platforms);
}

/**
 * Moves a key, which has come to want content for other uses, to a view of its own. Where the site refuses them, the view is
 * there all the same: its polls say so, and look again.
 */
export async function separate(
  context: TrackerContext,
  { keyId, source: { _id: sourceId } }: { keyId: string; source: StoredSource },
  platforms: Platforms,
): Promise<void> {
  const subscription = await context.subscriptions.findOne({ keyId, sourceId });
  const source = subscription && (await context.sources.findById(sourceId));
  if (!source) return;
  const { kind, externalId } = addressOf(source);
  const { monitor } = viewOf(source);
  // The key has its place already: it takes no other.
  const tracker = { keyId, limits: { trackedSources: 0 }, ...(monitor !== undefined && { monitor }) };
  const view = await withPolicy(context, kind, keyId, viewOf(source));
  if (await joinKnown(context, tracker, kind, externalId, view)) return;
  const asked = { kind, sid: externalId, ...seenBy(view), asPage: kind === "web" };
  const resolved = await platforms.resolve(asked).catch(error => {
    if (codeOf(error) !== "content_refused") throw error;
    return unread(source);
  });
  await entered(context, tracker, { ...resolved, kind, externalId }, view, platforms);
}

/** What is known of a source before anything of it is read. */
function unread({ kind, externalId, username, name }: StoredSource): ResolvedSource {
  const state = kind === "site" ? { told: 0, name, baseline: true } : {};
  return { kind, externalId, username, name, state };
}

async function tagged(context: TrackerContext, { keyId, own }: Tracker, held: Held): Promise<Tracking> {
  const subscription = (await retagged(context, held.subscription, own)) ?? notHeld();
  context.onRetagged(keyId);
  const source = await context.sources.findById(subscription.sourceId);
  return { source: source ?? notHeld(), subscription, isNew: false };
}

async function entered(
  context: TrackerContext,
  tracker: Tracker,
  resolved: ResolvedSource,
  view: View,
  platforms: Platforms,
): Promise<Answer> {
  const tracking = await beginTracking(context, tracker, resolved, platforms, view);
  return { ...tracking, ...(resolved.notice !== undefined && { notice: resolved.notice }) };
}

function seenBy(view: View): { view?: View } {
  return viewKey(view) === "" ? {} : { view };
}
