import type { Context } from "moleculer";
import type { JobVault } from "../../mixins/clients/job-vault.ts";
import {
  bodyOrFormer,
  hasHidden,
  typedIn,
  unsealedSecrets,
  withFormer,
  withTyped,
} from "../../mixins/clients/watch-secrets.ts";
import { call } from "../contracts/action.ts";
import type { CallMeta } from "../contracts/caller.ts";
import type { DueView, PollResult } from "../contracts/connectors.contract.ts";
import { codeOf, isCallTimeout, isServiceUnavailable } from "../contracts/errors.ts";
import { tryView } from "../contracts/history.contract.ts";
import type { SourceKind } from "../contracts/source.ts";
import { heldSecrets, rememberedView } from "../contracts/tracker.contract.ts";
import {
  hiddenValue,
  type Secrets,
  type View,
  type ViewPast,
  type WatchOptions,
} from "../contracts/watch.contract.ts";
import { present } from "../domain/json/fields.ts";
import {
  type ConnectorTools,
  failedPoll,
  type PolledConnector,
  type PolledSource,
  type Remembered,
} from "./connector.ts";
import { askingOnce } from "./tools.ts";

/**
 * Polls the views of one source with one request for it. A view that breaks is a failed poll of that view alone; when all of
 * them break, the first reason is thrown.
 */
export async function pollViews(
  connector: PolledConnector,
  externalId: string,
  views: DueView[],
  tools: ConnectorTools,
): Promise<PollResult[]> {
  const sources = views.map(each => sourceOf(externalId, each));
  if (connector.pollTogether) return connector.pollTogether(sources, tools);
  const once = askingOnce(tools);
  const polled = await Promise.allSettled(sources.map(source => connector.poll(source, once)));
  const [first] = polled;
  if (first?.status === "rejected" && polled.every(({ status }) => status === "rejected")) throw first.reason;
  return polled.map((each, at) => {
    if (each.status === "fulfilled") return each.value;
    if (codeOf(each.reason) === "overloaded") throw each.reason;
    const { state = {}, failures = 0 } = views[at] ?? {};
    return failedPoll({ externalId, state, failures }, tools, "The source could not be read.");
  });
}

/** The default view is none. */
function sourceOf(externalId: string, { view, ...due }: DueView): PolledSource {
  const isDefault = Object.keys(view).length === 0;
  return { externalId, ...due, ...(!isDefault && { view }) };
}

/** The secrets of a view, for the site of an address; undefined without any. */
export async function secretsOf(
  vault: JobVault,
  view: View,
  address: string,
): Promise<(Secrets & { origin: string; keyId: string }) | undefined> {
  if (!view.sealed) return undefined;
  const origin = URL.parse(address.trim())?.origin ?? "";
  return { origin, keyId: view.sealed.keyId, ...(await unsealedSecrets(vault, view)) };
}

const timeoutMs = 5000;

/** What a key's own watch of a page remembers, or why there is nothing to compare with. */
export async function rememberedBy(
  ctx: Context<unknown, CallMeta>,
  wanted: { keyId: string; externalId: string; options: WatchOptions },
): Promise<Remembered> {
  try {
    const { tracked, state } = await call(ctx as Context, rememberedView, wanted, { timeout: timeoutMs });
    if (state) return { state };
    return {
      reason: tracked
        ? "This key tracks the page with other options, so no earlier check shows what these see"
        : "This key does not track the page, so there is no earlier check to compare with",
    };
  } catch (error) {
    const isAbsent = isServiceUnavailable(error) || isCallTimeout(error) || codeOf(error) === "overloaded";
    if (!isAbsent) throw error;
    return { reason: "The tracker does not answer now, so there is no earlier check to compare with" };
  }
}

/** How far back a preview looks, and how long it waits for what it finds there. */
const [pastDays, pastMs] = [30, 6000];

/** What a view would have made of the versions that a key's own watch of a page has kept; null where that is not known now. */
export async function pastOf(
  ctx: Context<unknown, CallMeta>,
  wanted: { keyId: string; kind: SourceKind; externalId: string; view: View },
): Promise<ViewPast | null> {
  try {
    const asked = { ...wanted, days: pastDays };
    return (await call(ctx as Context, tryView, asked, { timeout: pastMs })).past;
  } catch (error) {
    // A preview is of use without it.
    if (isServiceUnavailable(error) || isCallTimeout(error) || codeOf(error) !== undefined) return null;
    throw error;
  }
}

/**
 * The options with the values that an answer has hidden: those of the key's own watch of exactly this address. The address
 * is theirs, so that they go to no other site. Throws a 400 that names the first value that is not known.
 */
export async function withHeldSecrets(
  ctx: Context<unknown, CallMeta>,
  vault: JobVault,
  { options, ...address }: { keyId: string; kind: SourceKind; externalId: string; options: WatchOptions },
): Promise<WatchOptions> {
  const { headers, cookies, actions, body } = options;
  const typed = actions && typedIn(actions);
  if (!hasHidden(headers, cookies, typed) && body !== hiddenValue) return options;
  const held = await call(ctx as Context, heldSecrets, address, { timeout: timeoutMs });
  const before = await unsealedSecrets(vault, held);
  return {
    ...options,
    ...(headers && { headers: withFormer("headers", headers, before.headers) }),
    ...(cookies && { cookies: withFormer("cookies", cookies, before.cookies) }),
    ...(actions && { actions: withTyped(actions, withFormer("typed", typed, before.typed)) }),
    ...(body !== undefined && present({ body: bodyOrFormer(body, before.body) })),
  };
}
