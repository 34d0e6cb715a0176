import { RecentLines } from "../../../../services/domain/page-diff/recent-lines.ts";

const made: string[] = [];
const upper = (line: string) => {
  made.push(line);
  return line.toUpperCase();
};

beforeEach(() => {
  made.length = 0;
});

test("makes of a line once what it is asked for again", () => {
  const lines = new RecentLines(1000, upper);
  expect(["price", "", "price", "", "stock"].map(line => lines.of(line))).toEqual([
    "PRICE",
    "",
    "PRICE",
    "",
    "STOCK",
  ]);
  expect(made).toEqual(["price", "", "stock"]);
});

test("forgets what nobody asked for, and keeps what is asked for again and again", () => {
  const lines = new RecentLines(400, upper);
  for (let n = 0; n < 100; n += 1) {
    lines.of("the title of each page");
    lines.of(`line ${n} of many`);
  }
  expect(made.filter(line => line.startsWith("the title"))).toHaveLength(1);
  made.length = 0;
  lines.of("line 0 of many");
  lines.of("line 99 of many");
  expect(made).toEqual(["line 0 of many"]);
});

test("keeps no line that would fill its memory", () => {
  const lines = new RecentLines(100, upper);
  lines.of("short");
  lines.of("a".repeat(100));
  lines.of("short");
  expect(lines.of("a".repeat(100))).toBe("A".repeat(100));
  expect(made).toEqual(["short", "a".repeat(100), "a".repeat(100)]);
});
