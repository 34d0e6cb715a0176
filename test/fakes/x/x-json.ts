import { type Account, type StoredPost, timeOf } from "./x-network.ts";

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  json: unknown;
}

/** X cuts texts at 280 characters and gives the whole one in a field of its own. */
const cutAt = 280;

/** A post as the API spells it: `post` the newer way, `tweet` the older. */
export function toPostJson(
  post: StoredPost,
  spelling: "post" | "tweet",
  query?: URLSearchParams,
): Record<string, unknown> {
  const { id, author, text, versions, isRetweet, more } = post;
  const asked = query?.get("post.fields")?.split(",");
  const isLong = text.length > cutAt;
  return {
    id,
    author_id: author.id,
    created_at: timeOf(id),
    text: isLong ? `${text.slice(0, cutAt - 1)}…` : text,
    [`edit_history_${spelling}_ids`]: versions,
    ...(isLong && { [`note_${spelling}`]: { text } }),
    ...(isRetweet && { [`referenced_${spelling}s`]: [{ type: "retweeted", id: "1" }] }),
    ...Object.fromEntries(Object.entries(more).filter(([name]) => !asked || asked.includes(name))),
    public_metrics: {
      like_count: 3,
      reply_count: 2,
      quote_count: 0,
      [spelling === "post" ? "repost_count" : "retweet_count"]: 1,
    },
  };
}

/** An account: always its id and names, and the fields that were asked for. */
export function toUserJson(account: Account, query: URLSearchParams): Record<string, unknown> {
  const { id, name, username, ...fields } = account;
  const all: Record<string, unknown> = {
    ...fields,
    public_metrics: { followers_count: 12, following_count: 34, post_count: 56, listed_count: 7 },
  };
  const wanted = query.get("user.fields")?.split(",") ?? [];
  const asked = wanted.filter(field => field in all).map(field => [field, all[field]]);
  return { id, name, username, ...Object.fromEntries(asked) };
}

export function problem(status: number, type: string, detail: string): Reply {
  const url = type.includes(":") ? type : `https://api.x.com/2/problems/${type}`;
  return { status, json: { title: detail, detail, type: url, status } };
}
