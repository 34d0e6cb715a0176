import type { Post } from "../../../contracts/connectors.contract.ts";
import type { MessengerMessage } from "../../../contracts/social.ts";
import type { NewPosts, PostPage } from "../../social/social-connector.ts";
import type { FetchPage, PagePart } from "./api.ts";
import type { Entry, PreviewPage } from "./parse-page.ts";

/** Pages, of about 20 messages each, that one poll fetches. */
const maxPages = 3;
/** The id of the service note that the channel was created. */
const first = 1;

export function toPost(message: MessengerMessage): Post {
  return { postId: String(message.id), revision: "1", type: "messenger.message.created", data: { message } };
}

/** The id of the newest message of the last page of a channel. */
export function newestIdOf({ entries }: PreviewPage): number {
  return Math.max(first, ...entries.map(({ lastId }) => lastId));
}

/** The messages of a channel after one message, oldest first. */
export async function readSince(
  fetchPage: FetchPage,
  username: string,
  cursor: number,
  signal: AbortSignal,
): Promise<NewPosts> {
  const posts: Post[] = [];
  let after = Math.max(first, cursor);
  let more = true;
  for (let pages = 0; more && pages < maxPages; pages += 1) {
    const page = await fetchPage(username, { after }, signal);
    const news = page.entries.filter(({ id }) => id > after);
    posts.push(...messagesOf(news).map(toPost));
    more = page.hasNewer && news.length > 0;
    after = Math.max(after, ...news.map(({ lastId }) => lastId));
  }
  return { posts, cursor: String(after), more };
}

/** The messages of a channel, newest first; with a cursor, those before one message. */
export async function readHistory(
  fetchPage: FetchPage,
  username: string,
  { cursor, limit }: { cursor?: number; limit: number },
  signal: AbortSignal,
): Promise<PostPage> {
  const part = cursor === undefined ? {} : { before: cursor };
  const { messages, next } = await readNewest(fetchPage, username, { part, limit }, signal);
  return { posts: messages.map(toPost), next };
}

/** The newest messages of a part of a channel, newest first. There are more before the id `next`. */
export async function readNewest(
  fetchPage: FetchPage,
  username: string,
  { part, limit }: { part: PagePart; limit: number },
  signal: AbortSignal,
): Promise<{ messages: MessengerMessage[]; next: string | null }> {
  const messages: MessengerMessage[] = [];
  for (let at = part; ; ) {
    const page = await fetchPage(username, at, signal);
    const older = page.entries.filter(({ id }) => at.before === undefined || id < at.before).reverse();
    const found = messagesOf(older);
    messages.push(...found);
    const oldest = older.at(-1)?.id;
    const isLast = !page.hasOlder || oldest === undefined;
    if (messages.length >= limit || isLast) {
      const limited = messages.slice(0, limit);
      const isAll = isLast && limited.length === messages.length;
      return { messages: limited, next: isAll ? null : String(limited.at(-1)?.id ?? oldest) };
    }
    at = { ...part, before: oldest };
  }
}

function messagesOf(entries: Entry[]): MessengerMessage[] {
  return entries.flatMap(({ message }) => message ?? []);
}
