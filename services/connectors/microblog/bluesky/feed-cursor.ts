import { invalid } from "../../../contracts/errors.ts";

/** How far a feed is read: up to a time, with the posts of that very time that were read, since it may have more. */
export interface FeedCursor {
  /** ISO 8601. */
  time: string;
  uris: string[];
}

/** Before all posts. */
export const beginning: FeedCursor = { time: "1970-01-01T00:00:00.000Z", uris: [] };

export function writeCursor({ time, uris }: FeedCursor): string {
  return [time, ...uris].join(" ");
}

export function readCursor(text: string): FeedCursor {
  const [time = "", ...uris] = text.split(" ");
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time))
    throw invalid("cursor", "invalid", "`cursor` must be one that an answer gave.");
  return { time, uris };
}

export function isAfter({ time, uris }: FeedCursor, post: { time: string; uri: string }): boolean {
  return post.time > time || (post.time === time && !uris.includes(post.uri));
}

/** The cursor when these posts, oldest first, are read as well. */
export function advance(from: FeedCursor, posts: { time: string; uri: string }[]): FeedCursor {
  const time = posts.at(-1)?.time ?? from.time;
  const uris = posts.filter(post => post.time === time).map(({ uri }) => uri);
  return { time, uris: time === from.time ? [...from.uris, ...uris] : uris };
}
