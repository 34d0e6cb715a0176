import { followId } from "./follow-id.ts";
import type { Platform } from "./platform.ts";
import type { SocialConnector } from "./social-connector.ts";

/** Begins to receive what a source posts. It is heard from now on, and remembered as followed. */
export async function follow(
  { kind, network, tracked, follows, tell }: Platform,
  connector: SocialConnector,
  externalId: string,
  signal: AbortSignal,
): Promise<null> {
  await connector.follow(externalId, signal);
  await follows.upsert(followId(kind, externalId), { $set: { network } });
  tracked.add(externalId);
  tell({ what: "followed", externalId });
  return null;
}

/** Nobody tracks the source any more. The mark goes first: a source without one is followed again when it is tracked. */
export async function unfollow(
  { kind, network, foreign, tracked, follows, tell }: Platform,
  connector: SocialConnector,
  externalId: string,
  signal: AbortSignal,
): Promise<null> {
  tracked.remove(externalId);
  const mark = await follows.remove(followId(kind, externalId));
  tell({ what: "let go", externalId });
  // Whoever has the id on this network was never followed by it.
  const wasForeign = foreign.delete(externalId) || (mark && mark.network !== network);
  if (!wasForeign) await connector.unfollow(externalId, signal);
  return null;
}
