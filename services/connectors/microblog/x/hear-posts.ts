import type { Listener } from "../../social/social-connector.ts";
import type { XMessage, XPost } from "./answers.ts";
import { toPost } from "./map-post.ts";
import { ruleTag } from "./plan-rules.ts";
import type { XRoom } from "./room.ts";
import { streamLines } from "./stream-lines.ts";

/** Tells what the stream brings, one post after the other, until it ends; what ends it is thrown. */
export async function hearPosts(
  x: XRoom,
  listener: Listener,
  stream: ReadableStreamDefaultReader<Uint8Array>,
): Promise<never> {
  for await (const line of streamLines(stream, x.silenceMs)) {
    const message = JSON.parse(line) as XMessage;
    if (message.data) await tell(x, listener, message.data, message);
    else throwEnd(message);
  }
  throw new Error("X closed the stream.");
}

/** Other users of the same app have rules too, and what these bring is not ours; X bills it all the same. */
async function tell({ budget }: XRoom, listener: Listener, post: XPost, message: XMessage): Promise<void> {
  await budget.settle(await budget.take(1), [post.id]);
  const { author_id: author } = post;
  const isOurs = message.matching_rules?.some(({ tag }) => tag === ruleTag);
  if (author !== undefined && isOurs && listener.isTracked(author))
    await listener.onPosts(author, [toPost(post, message.includes?.users)]);
  await budget.check();
}

/** X says why it ends a stream. Messages of kinds that are not known say nothing. */
function throwEnd(message: XMessage): void {
  const [problem = message] = message.errors ?? [];
  const { title, detail, connection_issue } = problem;
  if (message.errors || connection_issue)
    throw new Error(`X ends the stream: ${detail ?? title ?? "no reason"}`);
}
