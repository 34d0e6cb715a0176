import { invalid } from "../../../contracts/errors.ts";

/** How far a feed is read: up to a time, with the posts of that very time that were read, since it may have more. */
export interface Place {
  /** ISO 8601. */
  time: string;
  uris: string[];
}

/** Where to read on: after a place; while a gap is walked back, from the service's own cursor in it. */
export interface FeedCursor {
  after: Place;
  gap?: {
    /** The place after which to go on once the gap is read. */
    newest: Place;
    before: string;
  };
}

/** Before all posts. */
export const beginning: Place = { time: "1970-01-01T00:00:00.000Z", uris: [] };

/** `time uri…`, and with a gap `time uri…|time uri…|cursor`. */
export function writeCursor({ after, gap }: FeedCursor): string {
  const places = gap ? [after, gap.newest] : [after];
  const before = gap ? [encodeURIComponent(gap.before)] : [];
  return [...places.map(({ time, uris }) => [time, ...uris].join(" ")), ...before].join("|");
}

export function readCursor(text: string): FeedCursor {
  const [after = "", newest, before, ...rest] = text.split("|");
  if (rest.length > 0 || (newest === undefined) !== (before === undefined)) throw none();
  if (newest === undefined || before === undefined) return { after: readPlace(after) };
  return { after: readPlace(after), gap: { newest: readPlace(newest), before: decoded(before) } };
}

export function isAfter({ time, uris }: Place, post: { time: string; uri: string }): boolean {
  return post.time > time || (post.time === time && !uris.includes(post.uri));
}

/** The place when these posts, oldest first, are read as well. */
export function advance(from: Place, posts: { time: string; uri: string }[]): Place {
  const time = posts.at(-1)?.time ?? from.time;
  const uris = posts.filter(post => post.time === time).map(({ uri }) => uri);
  return { time, uris: time === from.time ? [...from.uris, ...uris] : uris };
}

function readPlace(text: string): Place {
  const [time = "", ...uris] = text.split(" ");
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)) throw none();
  return { time, uris };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw Object.assign(none(), { cause: error });
  }
}

function none(): Error {
  return invalid("cursor", "invalid", "`cursor` must be one that an answer gave.");
}
