import { backfill, rangeOf } from "../../../services/admin/backfill.ts";
import { dispatch, foresee } from "../../../services/admin/dispatch.ts";
import { parsePosts } from "../../../services/admin/parse-posts.ts";
import type { Post } from "../../../services/contracts/connectors.contract.ts";
import type { FieldError } from "../../../services/contracts/errors.ts";
import type { MicroblogPost } from "../../../services/contracts/social.ts";
import { receivePosts } from "../../../services/contracts/tracker.contract.ts";

function postOf(id: string, author = "1", created_at = "Wed Oct 10 20:19:24 +0000 2018"): MicroblogPost {
  return {
    rest_id: id,
    core: { user_results: { result: { rest_id: author, name: "N", username: "n" } } },
    legacy: { full_text: `Post ${id}.`, created_at, favorite_count: 1, repost_count: 0, reply_count: null },
    language: null,
    media: [],
  };
}

type Changes = Record<string, unknown>;
const withLegacy = (changes: Changes) => ({
  ...postOf("1"),
  legacy: { ...postOf("1").legacy, ...changes },
});
const withAuthor = (changes: Changes) => ({
  ...postOf("1"),
  core: { user_results: { result: { ...postOf("1").core.user_results.result, ...changes } } },
});

function errorsIn(body: Parameters<typeof parsePosts>[0]): FieldError[] {
  try {
    parsePosts(body);
  } catch (error) {
    return (error as { data: { details: FieldError[] } }).data.details;
  }
  return [];
}

describe("what is a post", () => {
  test.each<[string, unknown]>([
    ["as the network gives it", postOf("1")],
    ["with fields beyond the shape", { ...postOf("1"), lang: "en" }],
    ["counts that the network does not give", withLegacy({ favorite_count: null })],
    ["an author of whom only the id is known", withAuthor({ name: undefined, username: undefined })],
    ["an empty text", withLegacy({ full_text: "" })],
  ])("%s", (_, post) => {
    expect(parsePosts({ post, posts: [post] })).toEqual([post, post]);
  });

  test("what an administrator leaves out is nothing", () => {
    const { language: _, media: __, ...post } = postOf("1");
    expect(parsePosts({ post })).toEqual([postOf("1")]);
  });

  test.each<[unknown, string, string]>([
    [{ ...postOf("1"), language: 7 }, "posts.1.language", "invalid_value"],
    [{ ...postOf("1"), media: [{ type: "image", url: 7 }] }, "posts.1.media", "invalid_value"],
    [null, "posts.1", "object"],
    ["text", "posts.1", "object"],
    [[postOf("1")], "posts.1", "object"],
    [{ ...postOf("1"), rest_id: undefined }, "posts.1.rest_id", "required"],
    [{ ...postOf("1"), rest_id: 1 }, "posts.1.rest_id", "invalid_value"],
    [{ ...postOf("1"), rest_id: " " }, "posts.1.rest_id", "invalid_value"],
    [{ ...postOf("1"), rest_id: "1".repeat(257) }, "posts.1.rest_id", "invalid_value"],
    [{ ...postOf("1"), core: {} }, "posts.1.core.user_results.result.rest_id", "required"],
    [{ ...postOf("1"), core: [] }, "posts.1.core.user_results.result.rest_id", "required"],
    [withAuthor({ rest_id: 5 }), "posts.1.core.user_results.result.rest_id", "invalid_value"],
    [withAuthor({ username: 5 }), "posts.1.core.user_results.result.username", "invalid_value"],
    [withAuthor({ name: null }), "posts.1.core.user_results.result.name", "invalid_value"],
    [withLegacy({ full_text: undefined }), "posts.1.legacy.full_text", "required"],
    [withLegacy({ full_text: { en: "x" } }), "posts.1.legacy.full_text", "invalid_value"],
    [withLegacy({ created_at: "2018-10-10T20:19:24Z" }), "posts.1.legacy.created_at", "invalid_value"],
    [
      withLegacy({ created_at: "Wed Oct 99 20:19:24 +0000 2018" }),
      "posts.1.legacy.created_at",
      "invalid_value",
    ],
    [withLegacy({ favorite_count: "1" }), "posts.1.legacy.favorite_count", "invalid_value"],
    [withLegacy({ repost_count: -1 }), "posts.1.legacy.repost_count", "invalid_value"],
    [withLegacy({ reply_count: 1.5 }), "posts.1.legacy.reply_count", "invalid_value"],
  ])("not %j: %s %s", (post, field, code) => {
    expect(errorsIn({ posts: [postOf("0"), post] })).toEqual([
      { field, code, message: expect.stringMatching(/^`posts\.1\b.*\.$/) },
    ]);
  });

  test("a single one is named as `post`, and none at all is a fault", () => {
    expect(errorsIn({ post: {} }).map(({ field }) => field)).toContain("post.legacy.full_text");
    expect(errorsIn({}).map(({ field, code }) => [field, code])).toEqual([["post", "required"]]);
    expect(errorsIn({ posts: [] }).map(({ field, code }) => [field, code])).toEqual([["post", "required"]]);
  });

  test("a body full of faults names fifty", () => {
    expect(errorsIn({ posts: Array.from({ length: 1000 }, () => ({})) })).toHaveLength(50);
  });
});

interface Taken {
  externalId: string;
  ids: string[];
}

function tracker(tracked: string[]) {
  const taken: Taken[] = [];
  const receive = async (externalId: string, posts: Post[]) => {
    taken.push({ externalId, ids: posts.map(({ postId }) => postId) });
    return { isTracked: tracked.includes(externalId) };
  };
  return { taken, receive };
}

describe("dispatch", () => {
  test("hands posts to those who track their authors, oldest first", async () => {
    const { taken, receive } = tracker(["1", "2"]);
    const late = "Thu Oct 11 00:00:00 +0000 2018";
    const posts = [postOf("c", "1", late), postOf("b", "2"), postOf("a", "1")];
    expect(await dispatch({ receive }, { post: postOf("0", "2"), posts })).toEqual({
      message: "Dispatched 4 posts.",
    });
    expect(taken).toEqual([
      { externalId: "2", ids: ["0", "b"] },
      { externalId: "1", ids: ["a", "c"] },
    ]);
  });

  test.each<[string[], MicroblogPost[], string]>([
    [["1"], [postOf("a")], "Dispatched 1 post."],
    [[], [postOf("a")], "Dispatched 1 post. Nobody receives it: no key tracks the author."],
    [
      [],
      [postOf("a"), postOf("b", "2")],
      "Dispatched 2 posts. Nobody receives them: no key tracks the author.",
    ],
    [
      ["1"],
      [postOf("a"), postOf("b", "2")],
      "Dispatched 2 posts. Nobody receives 1 of them: no key tracks the author.",
    ],
  ])("when %j are tracked it says so", async (tracked, posts, message) => {
    expect(await dispatch(tracker(tracked), { posts })).toEqual({ message });
  });

  test("of one author and one more than a call takes, all are handed on", async () => {
    const { taken, receive } = tracker(["1"]);
    const posts = Array.from({ length: 1000 }, (_, at) => postOf(String(at)));
    const { message } = await dispatch({ receive }, { post: postOf("first"), posts });
    expect(message).toBe("Dispatched 1001 posts.");
    for (const { ids } of taken)
      expect(ids.length).toBeLessThanOrEqual((receivePosts.params.posts as { max: number }).max);
    expect(taken.flatMap(({ ids }) => ids)).toHaveLength(1001);
  });

  test("one that is no post keeps all from being handed on", async () => {
    const { taken, receive } = tracker(["1"]);
    await expect(dispatch({ receive }, { posts: [postOf("a"), {}] })).rejects.toMatchObject({ code: 400 });
    expect(taken).toEqual([]);
  });
});

describe("a dry run", () => {
  /** Keys by author; `k2` has the post `b` already. */
  const keysOf: Record<string, string[]> = { "1": ["k1", "k2"], "2": ["k2"] };
  const foreseeing = async (externalId: string, posts: { postId: string }[]) => {
    const keyIds = keysOf[externalId] ?? [];
    return { keyIds, holders: posts.map(({ postId }) => (postId === "b" ? ["k2"] : [])) };
  };

  test("says of each post which keys would get it, which have it, and what is wrong, in their order", async () => {
    const posts = [postOf("a"), postOf("b"), postOf("b", "2"), postOf("c", "3"), {}, postOf("a")];
    const { data, message } = await foresee(foreseeing, { posts });
    expect(data.map(({ place, outcome, keys }) => [place, outcome, keys])).toEqual([
      ["posts.0", "new", [k("k1", false), k("k2", false)]],
      ["posts.1", "new", [k("k1", false), k("k2", true)]],
      ["posts.2", "known", [k("k2", true)]],
      ["posts.3", "untracked", []],
      ["posts.4", "invalid", []],
      ["posts.5", "known", [k("k1", true), k("k2", true)]],
    ]);
    expect(data.map(({ new_keys, known_keys }) => [new_keys, known_keys]).slice(0, 3)).toEqual([
      [2, 0],
      [1, 1],
      [0, 1],
    ]);
    expect(data[4]?.details.map(({ field }) => field)).toContain("posts.4.legacy.full_text");
    expect(message).toBe(
      "Dry run, nothing was dispatched. Of 6 posts: 2 new, 2 known to all keys, 1 of authors that no key tracks, 1 invalid.",
    );
  });

  const k = (key_id: string, known: boolean) => ({ key_id, known });

  test("shows a hundred keys of a post and counts all", async () => {
    const keyIds = Array.from({ length: 250 }, (_, at) => `k${at}`);
    const { data } = await foresee(async () => ({ keyIds, holders: [["k0"]] }), { post: postOf("a") });
    expect(data[0]).toMatchObject({ new_keys: 249, known_keys: 1 });
    expect(data[0]?.keys).toHaveLength(100);
  });

  test("without a post it is refused", async () => {
    await expect(foresee(foreseeing, {})).rejects.toMatchObject({ code: 400 });
  });
});

describe("a backfill of a range of time", () => {
  const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + at));
  const dated = (at: number) =>
    postOf(
      String(at),
      "1",
      day(at)
        .toUTCString()
        .replace(/^(...), (\d\d) (...) (\d{4}) (\S+) GMT$/, "$1 $3 $2 $5 +0000 $4"),
    );
  /** An account with a post a day, the newest on day `count`; the post of day 50 has no time. */
  function account(count: number) {
    const asked: string[] = [];
    const history = async ({ cursor = String(count), limit }: { cursor?: string; limit: number }) => {
      asked.push(cursor);
      const newest = Number(cursor);
      const days = Array.from({ length: Math.min(newest, limit) }, (_, at) => newest - at);
      const posts = days.map(at =>
        at === 50 ? { ...dated(at), legacy: { ...dated(at).legacy, created_at: null } } : dated(at),
      );
      const left = newest - days.length;
      return { posts, next_cursor: left > 0 ? String(left) : null };
    };
    return { asked, history };
  }
  const iso = (at: number) => day(at).toISOString();

  test.each<[string, object, number, number[], string | null]>([
    ["since and until", { since: iso(120), until: iso(123) }, 50, [122, 121, 120], null],
    ["since alone", { since: iso(298) }, 50, [300, 299, 298], null],
    ["until alone", { until: iso(3) }, 50, [2, 1], null],
    ["more than the limit", { since: iso(200) }, 3, [300, 299, 298], "297"],
    ["a post without a time", { since: iso(49), until: iso(52) }, 50, [51, 49], null],
    ["nothing", { since: iso(900) }, 50, [], null],
  ])("%s", async (_, named, limit, days, next) => {
    const { taken, receive } = tracker(["1"]);
    const { history } = account(300);
    const answer = await backfill({ history, receive }, { uid: "1", limit, ...rangeOf(named) });
    expect(answer.posts.map(({ rest_id }) => Number(rest_id))).toEqual(days);
    expect(answer.next).toBe(next);
    expect(taken.flatMap(({ ids }) => ids.toReversed()).map(Number)).toEqual(days);
  });

  test("an end that is far back takes several calls, each of which reads a thousand posts at most", async () => {
    const { taken, receive } = tracker(["1"]);
    const { history, asked } = account(2500);
    const range = rangeOf({ since: iso(10), until: iso(12) });
    const found: string[] = [];
    let calls = 0;
    for (let cursor: string | undefined; ; calls += 1) {
      const before = asked.length;
      const answer = await backfill({ history, receive }, { uid: "1", limit: 100, cursor, ...range });
      expect(asked.length - before).toBeLessThanOrEqual(10);
      found.push(...answer.posts.map(({ rest_id }) => rest_id));
      if (answer.next === null) break;
      cursor = answer.next;
    }
    expect(found).toEqual(["11", "10"]);
    expect(calls).toBe(2);
    expect(taken).toEqual([{ externalId: "1", ids: ["10", "11"] }]);
  });

  test.each([
    [{ since: "yesterday" }, "since"],
    [{ until: "2026-02-30" }, "until"],
    [{ since: iso(2), until: iso(2) }, "until"],
  ])("%j is refused", (range, field) => {
    const refused = { data: { details: [expect.objectContaining({ field })] } };
    expect(() => rangeOf(range)).toThrow(expect.objectContaining(refused));
  });
});

describe("backfill", () => {
  /** An account with so many posts, whose network gives at most `most` at a time. */
  function account(count: number, most: number) {
    const asked: number[] = [];
    const history = async ({ cursor = "0", limit }: { cursor?: string; limit: number }) => {
      asked.push(limit);
      const from = Number(cursor);
      const to = Math.min(count, from + Math.min(limit, most));
      const posts = Array.from({ length: to - from }, (_, at) => postOf(String(count - from - at)));
      return { posts, next_cursor: to < count ? String(to) : null };
    };
    return { asked, history };
  }

  test.each<[number, number, number, number, string | null]>([
    [30, 100, 50, 30, null],
    [300, 100, 50, 50, "50"],
    [300, 100, 250, 250, "250"],
    [300, 40, 100, 100, "100"],
    [100, 40, 100, 100, null],
    [0, 100, 50, 0, null],
  ])("of %i posts, %i a page, %i wanted: %i and the cursor %j", async (count, most, limit, got, next) => {
    const { taken, receive } = tracker(["1"]);
    const { history, asked } = account(count, most);
    const answer = await backfill({ history, receive }, { uid: "1", limit });
    const ids = answer.posts.map(({ rest_id }) => Number(rest_id));
    expect(ids).toEqual(Array.from({ length: got }, (_, at) => count - at));
    expect(answer.next).toBe(next);
    expect(Math.max(...asked)).toBeLessThanOrEqual(100);
    expect(taken.flatMap(({ ids }) => ids.toReversed())).toEqual(ids.map(String));
    expect(new Set(taken.map(({ externalId }) => externalId))).toEqual(new Set(got > 0 ? ["1"] : []));
  });

  test("goes on from a cursor", async () => {
    const { receive } = tracker([]);
    const answer = await backfill({ ...account(30, 100), receive }, { uid: "1", cursor: "28", limit: 50 });
    expect(answer.posts.map(({ rest_id }) => rest_id)).toEqual(["2", "1"]);
  });

  test("hands each page on before it asks for the next", async () => {
    const { taken, receive } = tracker(["1"]);
    const { history } = account(300, 100);
    const breaks = async (page: Parameters<typeof history>[0]) => {
      if (page.cursor === "100") throw new Error("down");
      return history(page);
    };
    await expect(backfill({ history: breaks, receive }, { uid: "1", limit: 300 })).rejects.toThrow("down");
    expect(taken.map(({ ids }) => ids.length)).toEqual([100]);
  });

  test("an empty page with a cursor ends it, and the cursor is told", async () => {
    const { receive } = tracker([]);
    const history = async () => ({ posts: [], next_cursor: "on" });
    expect(await backfill({ history, receive }, { uid: "1", limit: 5 })).toEqual({ posts: [], next: "on" });
  });
});
