import { withoutLogin } from "../../../mixins/clients/session-logins.ts";
import type { Caller } from "../../contracts/caller.ts";
import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { codeOf, invalid } from "../../contracts/errors.ts";
import type { MicroblogProfile } from "../../contracts/social.ts";
import { type SourceKind, splitNetwork } from "../../contracts/source.ts";
import type { WatchedSource, WatchOptions } from "../../contracts/watch.contract.ts";
import type { Platforms } from "../connectors.ts";
import type { TrackerContext } from "../context.ts";
import { requestToJoin } from "../joins/join-jobs.ts";
import { isSocial } from "../source-kinds.ts";
import { refuseInvalid, watchedSource } from "../watches/views.ts";
import { watch } from "../watches/watch.ts";
import { beginTracking } from "./begin-tracking.ts";
import { ownAmong, type Tracking } from "./subscribe.ts";

/** The source is tracked, or a request to join waits for its approval. */
type TrackOutcome =
  | { data: WatchedSource; message: string; isNew: boolean }
  | { jobId: string; message: string };

interface Wanted {
  source: SourceKind;
  sid: string;
  options?: WatchOptions;
}

/** Tracks a source for a key, from now on. */
export async function track(
  context: TrackerContext,
  caller: Caller,
  wanted: Wanted,
  platforms: Platforms,
): Promise<TrackOutcome> {
  const { source: kind, sid, options: sent = {} } = wanted;
  refuseInvalid(kind, sent, context);
  const fields = { url: "sid", session: "options.session" };
  const options = await withoutLogin(sent, { keyId: caller.keyId, url: sid, fields }, context.keepLogin);
  const tracker = { ...caller, askedAs: kind, ...ownAmong(options) };
  // A handle may look like another source's id. So only an address that is unambiguous is looked up without asking the
  // platform.
  if (!isSocial(kind)) {
    const { notice, ...tracking } = await watch(context, tracker, { kind, sid, options }, platforms);
    return answer(tracking, notice);
  }
  if (kind === "messenger") {
    const admission = await platforms.admission({ kind, sid });
    if (admission.state === "approval_needed")
      return requestToJoin(
        context,
        { ...caller, ...(options.tags && { tags: options.tags }) },
        { kind, sid, invite: admission.invite },
      );
  }
  const resolved = await platforms.resolve({ kind, sid });
  return answer(await beginTracking(context, tracker, resolved, platforms), resolved.notice);
}

function answer({ source, subscription, isNew }: Tracking, notice?: string) {
  const done = isNew ? "The source is tracked." : "The source was tracked already.";
  const message = notice === undefined ? done : `${done} ${notice}`;
  return { data: watchedSource(source, subscription), message, isNew };
}

/**
 * Tracks a microblog user for a key and returns the profile. The profile is read first: without one nothing is tracked.
 */
export async function trackUser(
  context: TrackerContext,
  caller: Caller,
  username: string,
  platforms: Platforms,
): Promise<{ message: string; data: MicroblogProfile; isNew: boolean }> {
  const data = await platforms.profile(username);
  const resolved = await platforms.resolve({ kind: "microblog", sid: username });
  const { isNew } = await beginTracking(context, caller, resolved, platforms);
  return { message: isNew ? "The user is tracked." : "The user was tracked already.", data, isNew };
}

/** Tracks one channel of a chat server for a key; the source's address names the channel. */
export async function trackChat(
  context: TrackerContext,
  caller: Caller,
  channelId: string,
  platforms: Platforms,
): Promise<{ message: string; data: { id: string }; isNew: boolean }> {
  const resolved = await resolveChannel(channelId, platforms);
  const { source, isNew } = await beginTracking(context, caller, resolved, platforms);
  const message = isNew ? "The channel is tracked." : "The channel was tracked already.";
  return { message, data: { id: source._id }, isNew };
}

/** Turns an error about the `sid` into one about the field that the client sent. */
async function resolveChannel(channelId: string, { resolve }: Platforms): Promise<ResolvedSource> {
  try {
    return await resolve({ kind: "chatserver", sid: channelSid(channelId) });
  } catch (error) {
    if (codeOf(error) !== "validation_failed") throw error;
    const message = "This is not the id of a channel.";
    throw Object.assign(invalid("channelId", "malformed", message), { cause: error });
  }
}

/** The `sid` and id of a channel by its id, before which a network's name may be. */
export function channelSid(channelId: string): string {
  const { network, rest } = splitNetwork(channelId);
  return network === undefined ? `channel:${rest}` : `${network}:channel:${rest}`;
}
