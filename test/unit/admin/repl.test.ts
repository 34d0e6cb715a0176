import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer } from "../../../services/admin/repl/admin-client.ts";
import { type Line, numberIn, showTable, type Tools } from "../../../services/admin/repl/command.ts";
import { backfill, dispatch } from "../../../services/admin/repl/ingest-commands.ts";
import { readPostsFile } from "../../../services/admin/repl/read-posts-file.ts";
import { optionsFor } from "../../../services/admin/repl/repl-options.ts";
import { removeFolder } from "../../support/folders.ts";

class Bar {
  update(done: number, all: number): string {
    return `${done}/${all}`;
  }
}

/** Tools that print rows as JSON, on a screen that is kept. */
function tools(ask: Tools["ask"], isTTY = false): Tools & { shown(): string } {
  let shown = "";
  const screen = {
    isTTY,
    write(text: string) {
      shown += text;
    },
  };
  const table = (rows: string[][]) => rows.map(row => `${JSON.stringify(row)}\n`).join("");
  return { ask, screen, table, clui: { Progress: Bar }, shown: () => shown };
}

const nobody: Tools["ask"] = () => Promise.reject(new Error("asked"));

test.each<[string | number | null, string]>([
  ["plain", "plain"],
  [7, "7"],
  [null, ""],
  ["two\nlines\tand \u001b[31mred\u0007", "two lines and [31mred"],
  ["turned \u202eround\u2069", "turned round"],
  ["x".repeat(80), `${"x".repeat(59)}…`],
])("a cell that holds %j shows %j", (value, shown) => {
  const into = tools(nobody);
  showTable(into, [{ value }], { Title: row => row.value });
  expect(into.shown()).toBe(`["Title"]\n${JSON.stringify([shown])}\n`);
});

test.each<[unknown, number | "refused"]>([
  [undefined, 5],
  ["1", 1],
  ["250", 250],
  [20, 20],
  ["0", "refused"],
  ["-1", "refused"],
  ["1.5", "refused"],
  ["x", "refused"],
  ["1e3", "refused"],
  [true, "refused"],
])("--limit %j is %j", (value, number) => {
  const line: Line = { args: {}, options: value === undefined ? {} : { limit: value } };
  if (number === "refused") expect(() => numberIn(line, "limit", 5)).toThrow("--limit takes a whole number");
  else expect(numberIn(line, "limit", 5)).toBe(number);
});

test.each<[string, string[] | undefined]>([
  ["replay 1 --", ["--since ", "--until ", "--events "]],
  ["replay 1 --u", ["--until "]],
  ["replay 1 --since x --", ["--until ", "--events "]],
  ["poll 1 --", []],
  ["replay 1", undefined],
  ["call --", undefined],
  ["rep", undefined],
])("%j is completed with %j", (line, hits) => {
  expect(optionsFor(line)?.[0]).toEqual(hits);
});

describe("the posts of a file", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magpie-posts-"));
  });
  afterAll(() => removeFolder(folder));
  const read = async (text: string) => {
    const file = join(folder, "posts");
    await writeFile(file, text);
    return (await readPostsFile(file)).map(({ value, line }) => [line, value]);
  };

  test.each<[string, string, unknown[]]>([
    ["one", '{"a":"[,\\"{"}', [[1, { a: '[,"{' }]]],
    ["one over lines", '\n{\n"a": 1\n}\n', [[2, { a: 1 }]]],
    [
      "lines",
      '{"a":1}\r\n\n{"a":2}\n',
      [
        [1, { a: 1 }],
        [3, { a: 2 }],
      ],
    ],
    [
      "a list",
      '[\n  {"a":\n1},\n  {"a":[2,3]}]',
      [
        [2, { a: 1 }],
        [4, { a: [2, 3] }],
      ],
    ],
    [
      "a body",
      '{"post":1,\n"posts":[2,3]}',
      [
        [1, 1],
        [1, 2],
        [1, 3],
      ],
    ],
    ["a mark before it", '\ufeff[{"a":1}]', [[1, { a: 1 }]]],
  ])("%s", async (_, text, posts) => {
    expect(await read(text)).toEqual(posts);
  });

  test.each([
    ['{"a":1}\n{"a":\n', "line 2"],
    ["[{}\n", "line 1"],
    ["[]", "holds no posts"],
    ["", "holds no posts"],
  ])("%j is refused, and where", async (text, where) => {
    await expect(read(text)).rejects.toThrow(where);
  });
});

describe("dispatch", () => {
  /** An installation that knows a post by its `rest_id`; a post without one is invalid. */
  const dispatching = () => {
    const asked: { posts: { rest_id?: string }[]; dry_run?: boolean }[] = [];
    const ask = (async (_method, _path, body) => {
      const { posts, dry_run } = body as (typeof asked)[number];
      asked.push({ posts, ...(dry_run && { dry_run }) });
      const data = posts.map(({ rest_id = null }, at) => ({
        ...{ place: `posts.${at}`, rest_id, author: "1", new_keys: 1, known_keys: 0, keys: [] },
        outcome: rest_id === null ? "invalid" : "new",
        details:
          rest_id === null
            ? [{ field: "f", code: "c", message: `\`posts.${at}.rest_id\` is required.` }]
            : [],
      }));
      return { body: { message: `Dispatched ${posts.length}.`, data }, headers: {} };
    }) as Tools["ask"];
    return { asked, ask };
  };
  const run = async (posts: object[], options: object = {}) => {
    const file = join(await mkdtemp(join(tmpdir(), "magpie-dispatch-")), "posts.jsonl");
    await writeFile(file, posts.map(each => JSON.stringify(each)).join("\n"));
    const { asked, ask } = dispatching();
    const into = tools(ask);
    const done = dispatch.run({ args: { file }, options: { ...options } }, into);
    const error = await done.then(() => undefined, String);
    return { writes: asked.filter(({ dry_run }) => !dry_run), asked, error, shown: into.shown() };
  };

  test("a dry run asks for nothing but dry runs, and names the line and the field of what is no post", async () => {
    const { writes, shown, error } = await run([{ rest_id: "a" }, {}], { dryRun: true });
    expect([writes, error]).toEqual([[], undefined]);
    expect(shown).toContain('"2","","1","line 2: `rest_id` is required."');
    expect(shown).toContain("1 new, 0 known, 0 untracked, 1 invalid.\n");
  });

  test("one that is no post keeps the others from being dispatched, however many requests they take", async () => {
    const posts = Array.from({ length: 1500 }, (_, at) => ({ rest_id: String(at) }));
    const { writes, error, shown } = await run([...posts, {}]);
    expect(writes).toEqual([]);
    expect(shown).toBe("line 1501: `rest_id` is required.\n");
    expect(error).toContain("1 of 1501 are no posts");
  });

  test("many posts go in portions that a request takes, each once and in their order", async () => {
    const text = "x".repeat(2000);
    const posts = Array.from({ length: 1500 }, (_, at) => ({ rest_id: String(at), text }));
    const { writes } = await run(posts);
    expect(writes.length).toBeGreaterThan(2);
    for (const { posts: portion } of writes)
      expect(JSON.stringify({ posts: portion }).length).toBeLessThan(1_000_000);
    expect(writes.flatMap(({ posts: portion }) => portion.map(({ rest_id }) => rest_id))).toEqual(
      posts.map(({ rest_id }) => rest_id),
    );
  });
});

describe("backfill", () => {
  const post = (id: number) => ({
    rest_id: String(id),
    core: { user_results: { result: { rest_id: "1", name: "N", username: "n" } } },
    legacy: { full_text: `Post ${id}.`, created_at: "t", favorite_count: 0, repost_count: 0, reply_count: 0 },
  });

  /** An account with so many posts behind `POST /internal/backfill`. */
  function account(count: number) {
    const asked: unknown[] = [];
    const ask = async (_method: string, _path: string, body: unknown): Promise<Answer<unknown>> => {
      asked.push(body);
      const { cursor = "0", limit } = body as { cursor?: string; limit: number };
      const to = Math.min(count, Number(cursor) + limit);
      const posts = Array.from({ length: to - Number(cursor) }, (_, at) => post(count - Number(cursor) - at));
      return { body: posts, headers: to < count ? { "x-next-cursor": String(to) } : {} };
    };
    return { asked, ask: ask as Tools["ask"] };
  }

  test("fetches page by page, shows how far it is, then the posts and where to go on", async () => {
    const { asked, ask } = account(200);
    const into = tools(ask);
    await backfill.run({ args: { account: "1" }, options: { limit: "120" } }, into);
    expect(asked).toEqual([
      { uid: "1", limit: 50 },
      { uid: "1", limit: 50, cursor: "50" },
      { uid: "1", limit: 20, cursor: "100" },
    ]);
    const lines = into.shown().split("\n");
    expect(lines.slice(0, 3)).toEqual(["50/120 50 posts", "100/120 100 posts", "120/120 120 posts"]);
    expect(lines.slice(4, 5)).toEqual(['["200","t","n","Post 200.","0"]']);
    expect(lines.slice(-3)).toEqual(["Fetched 120 posts.", "There are older ones: --cursor 120", ""]);
  });

  test("ends with the account's first post, with a full bar", async () => {
    const into = tools(account(60).ask);
    await backfill.run({ args: { account: "1" }, options: { limit: 500 } }, into);
    expect(into.shown()).toContain("50/500 50 posts\n60/60 60 posts\n");
    expect(into.shown()).not.toContain("--cursor");
  });

  test("goes on from a cursor, and writes over its bar on a terminal", async () => {
    const { asked, ask } = account(200);
    const into = tools(ask, true);
    await backfill.run({ args: { account: "1" }, options: { cursor: "150", limit: 60 } }, into);
    expect(asked).toEqual([{ uid: "1", limit: 50, cursor: "150" }]);
    expect(into.shown()).toContain("\r50/50 50 posts\n");
  });

  test("a range is read on through pages that hold none of it, by handle, until it is covered", async () => {
    const asked: unknown[] = [];
    const pages: [unknown[], string | undefined][] = [
      [[], "a"],
      [[post(2)], "b"],
      [[], "c"],
      [[post(1)], undefined],
    ];
    const ask = (async (_method, _path, body) => {
      asked.push(body);
      const [posts, next] = pages[asked.length - 1] ?? [[], undefined];
      return { body: posts, headers: next === undefined ? {} : { "x-next-cursor": next } };
    }) as Tools["ask"];
    const into = tools(ask);
    await backfill.run({ args: { account: "@wren" }, options: { since: "2026-01-01" } }, into);
    expect(asked).toHaveLength(4);
    expect(asked[1]).toEqual({ username: "wren", since: "2026-01-01", limit: 50, cursor: "a" });
    expect(into.shown()).toContain("Fetched 2 posts.\n");
    expect(into.shown()).not.toContain("--cursor");
  });

  test("a network that gives the same cursor again is asked no more, and the cursor is shown", async () => {
    let count = 0;
    const ask = (async () => {
      count += 1;
      return { body: [], headers: { "x-next-cursor": "same" } };
    }) as Tools["ask"];
    const into = tools(ask);
    await backfill.run({ args: { account: "1" }, options: { until: "2026-01-01" } }, into);
    expect(count).toBe(2);
    expect(into.shown()).toContain("--cursor same");
  });

  test("an account without posts has none to show", async () => {
    const into = tools(account(0).ask);
    await backfill.run({ args: { account: "1" }, options: {} }, into);
    expect(into.shown()).toBe("0/0 0 posts\nThere are none.\nFetched 0 posts.\n");
  });
});
