import type { SourceKind } from "../../contracts/source.ts";
import type { View } from "../../contracts/watch.contract.ts";
import { joinedUses } from "../../domain/crawl/content-policy.ts";
import type { Use } from "../../domain/crawl/content-usage.ts";
import type { TrackerContext } from "../context.ts";
import { type StoredSource, viewOf } from "../sources.store.ts";

/*
 * A key may say what it wants content for. Its pages and sites are polled for these uses, and refused where their sites
 * refuse one. Keys that want other uses have views of their own, so that no key decides what another one is refused.
 */

type Policies = Pick<TrackerContext, "keyUses">;

/** The view with what its key wants content for now. */
export async function withPolicy(
  { keyUses }: Policies,
  kind: SourceKind,
  keyId: string,
  { policy: _, ...view }: View,
): Promise<View> {
  const policy = isBound(kind) ? joinedUses((await keyUses()).get(keyId)) : [];
  return policy.length > 0 ? { ...view, policy } : view;
}

/**
 * What the keys of a source want content for now. A key that has come to want other uses than the others is reported, to leave
 * for a view of its own; until then the source is polled for the uses of all.
 */
export async function policyOf(context: TrackerContext, source: StoredSource): Promise<Use[]> {
  const { policy = [] } = viewOf(source);
  if (!isBound(source.kind)) return [];
  const uses = await context.keyUses();
  if (uses.size === 0 && policy.length === 0) return [];
  const held = await context.subscriptions.find({ query: { sourceId: source._id } });
  const wanted = held.map(({ keyId }) => joinedUses(uses.get(keyId)));
  const isShared = new Set(wanted.map(String)).size > 1;
  for (const [at, { keyId }] of held.entries())
    if (isShared && String(wanted[at]) !== String(joinedUses(policy))) context.onOtherPolicy(keyId, source);
  return joinedUses(...wanted);
}

function isBound(kind: SourceKind): boolean {
  return kind === "web" || kind === "site";
}
