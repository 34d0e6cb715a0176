import { createHash } from "node:crypto";
import type { NewEvent } from "../../mixins/log/log.ts";
import type { PollResult, Post } from "../contracts/connectors.contract.ts";
import type { Judgement } from "../domain/polling/judge-poll.ts";
import { fitPost } from "./fit-post.ts";
import { publicSource } from "./records.ts";
import type { Steps, StoredSource } from "./room.ts";
import { isSocial } from "./social.ts";

/** One event per post, for every key that tracks the source now. A post is told once per revision, however often. */
export function postEvents(steps: Steps, source: StoredSource, posts: Post[], now: number): NewEvent[] {
  if (posts.length === 0) return [];
  const shared = { timestamp: new Date(now).toISOString(), keyIds: subscribers(steps, source) };
  const shown = publicSource(source);
  return posts.map(({ postId, revision, type, data }) => ({
    ...shared,
    bodyId: digest([source._id, postId, revision]),
    type,
    // Feeds and pages cut their own.
    data: { ...(isSocial(source.kind) ? fitPost(data) : data), source: shown },
  }));
}

/** The event of a change of health, where there is one; told once, however often the look that came after `polledAt` is. */
export function noticeEvents(
  steps: Steps,
  source: StoredSource,
  { notice }: Judgement,
  result: PollResult,
  { polledAt, now }: { polledAt: number; now: number },
): NewEvent[] {
  if (notice === null) return [];
  const reason = result.ok ? "The source can be read again." : result.reason;
  return [
    {
      bodyId: digest([source._id, notice, String(polledAt)]),
      type: notice,
      timestamp: new Date(now).toISOString(),
      data: { source: publicSource(source), reason },
      keyIds: subscribers(steps, source),
    },
  ];
}

function subscribers({ subscriptions }: Steps, { _id }: StoredSource): string[] {
  return subscriptions.find({ query: { sourceId: _id } }).map(({ keyId }) => keyId);
}

function digest(parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
