import { createHash } from "node:crypto";
import * as deleteRecord from "@atcute/atproto/types/repo/deleteRecord";
import * as putRecord from "@atcute/atproto/types/repo/putRecord";
import * as putActivitySubscription from "@atcute/bluesky/types/app/notification/putActivitySubscription";
import { ClientResponseError, ok } from "@atcute/client";
import type { Did } from "@atcute/lexicons";
import { logEvent } from "../../../../mixins/log/log-events.ts";
import { codeOf } from "../../../contracts/errors.ts";
import type { DriverTools } from "../../social/social-connector.ts";
import type { Ask } from "./api.ts";

const collection = "app.bsky.graph.follow";

/** Follows, with notifications. The key of the record is derived from the followed account, so that there is only one. */
export async function follow(
  ask: Ask,
  { now, logger }: DriverTools,
  did: string,
  signal: AbortSignal,
): Promise<void> {
  const record = { $type: collection, subject: did, createdAt: new Date(now()).toISOString() };
  // `swapRecord: null` writes the record only if it does not exist yet.
  const written = { collection, rkey: followKey(did), record, swapRecord: null } as const;
  await ask(
    signal,
    (client, options, repo) =>
      ok(client.call(putRecord, { input: { repo, ...written }, ...options })).catch(unlessItExists),
    "writes",
  );
  // Some accounts do not allow this, among them our own; their posts come without it.
  if (!(await notify(ask, did, true, signal))) logEvent(logger, "bluesky_notifications.refused", { did });
}

/** Works for deleted accounts too. */
export async function unfollow(ask: Ask, did: string, signal: AbortSignal): Promise<void> {
  await ask(
    signal,
    (client, options, repo) =>
      ok(client.call(deleteRecord, { input: { repo, collection, rkey: followKey(did) }, ...options })),
    "writes",
  );
  await notify(ask, did, false, signal);
}

/** Turns notifications on or off. False where the service does not allow it for the account. */
async function notify(ask: Ask, did: string, isWanted: boolean, signal: AbortSignal): Promise<boolean> {
  const input = { subject: did as Did, activitySubscription: { post: isWanted, reply: isWanted } };
  try {
    await ask(
      signal,
      (client, options) => ok(client.call(putActivitySubscription, { input, ...options })),
      "writes",
    );
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "upstream_error" || code === "not_found") return false;
    throw error;
  }
}

function unlessItExists(error: unknown): null {
  if (error instanceof ClientResponseError && error.error === "InvalidSwap") return null;
  throw error;
}

const alphabet = "234567abcdefghijklmnopqrstuvwxyz";

/** A record key in the form of follows (atproto.com/specs/tid): 13 characters, the first from the lower half. */
function followKey(did: string): string {
  const bytes = createHash("sha256").update(did).digest().subarray(0, 13);
  return Array.from(bytes, (byte, at) => alphabet[byte % (at === 0 ? 16 : 32)]).join("");
}
