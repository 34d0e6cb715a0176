import type { Answer } from "../../../services/admin/repl/admin-client.ts";
import { type Line, numberIn, showTable, type Tools } from "../../../services/admin/repl/command.ts";
import { backfill } from "../../../services/admin/repl/ingest-commands.ts";

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
    await backfill.run({ args: { uid: "1" }, options: { limit: "120" } }, into);
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
    await backfill.run({ args: { uid: "1" }, options: { limit: 500 } }, into);
    expect(into.shown()).toContain("50/500 50 posts\n60/60 60 posts\n");
    expect(into.shown()).not.toContain("--cursor");
  });

  test("goes on from a cursor, and writes over its bar on a terminal", async () => {
    const { asked, ask } = account(200);
    const into = tools(ask, true);
    await backfill.run({ args: { uid: "1" }, options: { cursor: "150", limit: 60 } }, into);
    expect(asked).toEqual([{ uid: "1", limit: 50, cursor: "150" }]);
    expect(into.shown()).toContain("\r50/50 50 posts\n");
  });

  test("an account without posts has none to show", async () => {
    const into = tools(account(0).ask);
    await backfill.run({ args: { uid: "1" }, options: {} }, into);
    expect(into.shown()).toBe("0/0 0 posts\nThere are none.\nFetched 0 posts.\n");
  });
});
