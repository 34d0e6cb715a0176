import { parseCommitUnauthenticated } from "@atproto/sync";
import { Frame } from "@atproto/xrpc-server";

type Commit = Parameters<typeof parseCommitUnauthenticated>[0];

/** What a message of the relay tells, as far as it is of use (lexicon `com.atproto.sync.subscribeRepos`). */
export type RelayMessage =
  | { is: "commit"; seq: number; commit: Commit }
  | { is: "identity"; seq: number; did: string }
  | { is: "other"; seq: number | undefined }
  | { is: "error"; name: string };

/** A post as a commit writes it. */
export interface CommittedPost {
  uri: string;
  record: Record<string, unknown>;
}

const postCollection = "app.bsky.feed.post";
const profileCollection = "app.bsky.actor.profile";

/** Throws on what is no message. */
export function readFrame(data: Uint8Array): RelayMessage {
  const frame = Frame.fromBytes(data);
  if (frame.isError()) return { is: "error", name: frame.code };
  const body = Object(frame.body) as Partial<Commit> & { did?: unknown };
  const type = frame.isMessage() ? frame.type : undefined;
  const { seq } = body;
  if (typeof seq !== "number") return { is: "other", seq: undefined };
  if (type === "#commit" && typeof body.repo === "string" && Array.isArray(body.ops))
    return { is: "commit", seq, commit: body as Commit };
  if (type === "#identity" && typeof body.did === "string") return { is: "identity", seq, did: body.did };
  return { is: "other", seq };
}

/** How many posts a commit creates. */
export function countPosts({ ops }: Commit): number {
  return ops.filter(({ action, path }) => action === "create" && path.startsWith(`${postCollection}/`))
    .length;
}

export function changesProfile({ ops }: Commit): boolean {
  return ops.some(({ path }) => path.startsWith(`${profileCollection}/`));
}

/** The posts that a commit creates, as far as it carries them. */
export async function readPosts(commit: Commit): Promise<CommittedPost[]> {
  const events = await parseCommitUnauthenticated(commit, collection => collection === postCollection);
  return events.flatMap(event =>
    event.event === "create" ? [{ uri: event.uri.toString(), record: event.record }] : [],
  );
}
