import type { Post } from "../../../contracts/connectors.contract.ts";
import type { MessengerMessage } from "../../../contracts/social.ts";
import type { News, Page } from "../../social/social-connector.ts";
import type { FetchPage, Part } from "./fetch-page.ts";
import type { Entry, PreviewPage } from "./parse-page.ts";

/** Pages, of about 20 messages each, that are fetched for one answer. */
const maxPages = 3;
/** The message that says that the channel was created. */
const first = 1;

export function toPost(message: MessengerMessage): Post {
  return { postId: String(message.id), revision: "1", type: "messenger.message.created", data: { message } };
}

/** The id of the newest message of a page that is the end of its channel. */
export function newestOf({ entries }: PreviewPage): number {
  return Math.max(first, ...entries.map(({ lastId }) => lastId));
}

/** What a channel was sent after a message, oldest first. */
export async function messagesSince(
  fetchPage: FetchPage,
  username: string,
  cursor: number,
  signal: AbortSignal,
): Promise<News> {
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

/** What a channel was sent before a message, or at all, newest first. */
export async function messagesBefore(
  fetchPage: FetchPage,
  username: string,
  { cursor, limit }: { cursor?: number; limit: number },
  signal: AbortSignal,
): Promise<Page> {
  const part = cursor === undefined ? {} : { before: cursor };
  const { messages, next } = await newest(fetchPage, username, { part, limit }, signal);
  return { posts: messages.map(toPost), next };
}

/** The newest messages of a part of a channel, newest first; `next` is the id before which there are more. */
export async function newest(
  fetchPage: FetchPage,
  username: string,
  { part, limit }: { part: Part; limit: number },
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
      const told = messages.slice(0, limit);
      const isAll = isLast && told.length === messages.length;
      return { messages: told, next: isAll ? null : String(told.at(-1)?.id ?? oldest) };
    }
    at = { ...part, before: oldest };
  }
}

function messagesOf(entries: Entry[]): MessengerMessage[] {
  return entries.flatMap(({ message }) => message ?? []);
}
