import type { SourceKind } from "../../contracts/source.ts";
import type { View, WatchOptions } from "../../contracts/watch.contract.ts";
import type { TrackerContext } from "../context.ts";
import { connectorState, viewOf } from "../sources.store.ts";
import { heldAt } from "../tracking/named-source.ts";
import { changedView, viewKey } from "./views.ts";

/** What a key's watch of a page remembers, if it sees what these options would see. When it polls does not matter. */
export async function rememberedView(
  context: TrackerContext,
  { keyId, externalId, options }: { keyId: string; externalId: string; options: WatchOptions },
): Promise<{ tracked: boolean; state?: Record<string, unknown> }> {
  const held = await heldAt(context, keyId, "web", externalId);
  if (held?.source.kind !== "web") return { tracked: false };
  const former = viewOf(held.source);
  const { headers = null, cookies = null, actions = null, body = null, ...open } = options;
  const secrets = former.sealed ? { sealed: former.sealed } : {};
  const wanted = { ...open, headers, cookies, actions, body };
  const view = await changedView(context.vault, keyId, secrets, wanted);
  if (viewKey(sight(view)) !== viewKey(sight(former))) return { tracked: true };
  const stored = await context.states.findById(held.source._id);
  return { tracked: true, state: connectorState(stored, held.source.moved) };
}

/** What a key's watch of exactly this address sends in secret, encrypted; none where it has none. */
export async function heldSecrets(
  context: TrackerContext,
  { keyId, kind, externalId }: { keyId: string; kind: SourceKind; externalId: string },
): Promise<Pick<View, "sealed">> {
  const held = await heldAt(context, keyId, kind, externalId);
  const sealed = held && viewOf(held.source).sealed;
  return sealed ? { sealed } : {};
}

function sight({
  interval: _,
  schedule: __,
  screenshot: ___,
  pausedBy: ____,
  monitor: _____,
  content_uses: ______,
  policy: _______,
  ...seen
}: View): View {
  return seen;
}
