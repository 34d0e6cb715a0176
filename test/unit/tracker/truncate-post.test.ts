import { truncatePost } from "../../../services/tracker/polling/source-events.ts";

const kilobyte = 1024;
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test("what fits is left as it is", () => {
  const data = {
    post: { rest_id: "1", legacy: { full_text: "x".repeat(190 * kilobyte), reply_count: null } },
  };
  expect(truncatePost(data)).toBe(data);
});

test.each([
  ["a long text", { legacy: { full_text: "x".repeat(900 * kilobyte) } }],
  ["a text of wide characters", { legacy: { full_text: "🐦".repeat(200 * kilobyte) } }],
  ["a text that JSON doubles", { legacy: { full_text: '"'.repeat(500 * kilobyte) } }],
  ["many texts", { entries: Array.from({ length: 300 }, () => "y".repeat(3 * kilobyte)) }],
  [
    "many small fields",
    { legacy: Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`f${n}`, n])) },
  ],
])("%s is cut and marked, and what names the post stays", (_, part) => {
  const cut = truncatePost({
    post: { rest_id: "1845", core: { user_results: { result: { rest_id: "7" } } }, ...part },
  });
  expect(bytesOf(cut)).toBeLessThanOrEqual(200 * kilobyte);
  expect(cut.post).toMatchObject({ truncated: true });
  expect(cut.post).toMatchObject({ rest_id: "1845", core: { user_results: { result: { rest_id: "7" } } } });
  expect(JSON.stringify(cut)).not.toMatch(/\\ud[89ab]/);
});

test("a long text keeps as much as there is room for, about", () => {
  const cut = truncatePost({ message: { id: "1", content: "x".repeat(900 * kilobyte) } });
  expect(bytesOf(cut)).toBeGreaterThan(100 * kilobyte);
});

test("what cannot be cut is left out", () => {
  const cut = truncatePost({ post: { ["n".repeat(700 * kilobyte)]: 1 } });
  expect(cut).toEqual({ post: { truncated: true } });
});
