import { compareSnapshot, type PageState } from "../../../../services/connectors/pages/page-state.ts";
import { line, seen } from "./watched-lines.ts";
import { WatchedPage } from "./watched-page.ts";

const beyond = "The page has changed beyond the text that is kept.";
const paragraph = (_: unknown, n: number) =>
  `<p>Paragraph ${n} says something${" of it that is quite long".repeat(n < 90 ? 48 : 2)}.</p>`;
/** Long ones, and where the kept text ends such as are as long as other lines. */
const paragraphs = Array.from({ length: 400 }, paragraph).join("");
/** A page of more text than is kept: what is below its paragraphs is known by a hash alone. */
const page =
  (footer: string, above = "") =>
  () =>
    `<main><h1>Long</h1>${above}${paragraphs}</main><footer><p>${footer}</p></footer>`;
const served = (count: number) => page(`Served ${count} requests so far`);
const outcomes = ({ verdicts }: WatchedPage) => verdicts.map(({ outcome }) => outcome);

/** A watch whose page has changed beyond the kept text so often that this is muted. */
function counted(checks: number): WatchedPage {
  const watch = new WatchedPage();
  for (let n = 0; n < checks; n += 1) watch.check(served(1000 + 7 * n));
  return watch;
}

test("what changes at each check beyond the kept text is muted after two events, and the reason says so", () => {
  const watch = counted(20);
  expect(watch.events).toBe(2);
  expect(outcomes(watch).slice(-10)).toEqual(Array(10).fill("muted"));
  expect(watch.verdicts.at(-1)?.why).toMatch(/^The page changes at nearly every check beyond the text/);
});

test("an event of it says in words what no line shows", () => {
  const { why, change } = counted(3).verdicts.find(({ outcome }) => outcome === "changed") ?? {};
  expect(why).toBe(beyond);
  expect(change).toMatchObject({ added: [], removed: [], note: beyond, truncated: true });
});

test("it is told once when it rests and differs from what was told", () => {
  const watch = counted(12);
  const before = watch.events;
  for (let n = 0; n < 12; n += 1) watch.check(served(5));
  expect(watch.events).toBe(before + 1);
  expect(watch.verdicts.findLast(({ outcome }) => outcome === "changed")?.change?.note).toBe(beyond);
  expect(outcomes(watch).at(-1)).toBe("same");
});

test("it is not told when it comes to rest as it was told", () => {
  const watch = new WatchedPage();
  for (const count of [1, 2, 3, 4, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3]) watch.check(served(count));
  expect(watch.events).toBe(2);
});

test("a single change beyond the kept text is told once", () => {
  const watch = new WatchedPage();
  for (const said of ["Open", "Open", "Closed", "Closed", "Closed"]) watch.check(page(said));
  expect(watch.events).toBe(1);
});

test("a line that changes is told while the rest is muted, and the rest is no part of it", () => {
  const watch = counted(8);
  watch.check(page("Served 9 requests so far", "<p>Boats leave at noon</p>"));
  const last = watch.verdicts.findLast(({ outcome }) => outcome === "changed");
  expect(last?.change?.added).toEqual(["Boats leave at noon"]);
  expect(last?.change?.removed).toEqual([]);
  expect(last?.change).not.toHaveProperty("note");
});

test("lines above that come, grow and go shift the end of what is kept, which is no change of the lines there", () => {
  const watch = new WatchedPage();
  const news = (count: number) =>
    Array.from({ length: count }, (_, n) => `<p>News ${"abcdefgh"[n]} of the boats in the harbour.</p>`).join(
      "",
    );
  const told = [0, 8, 2, 2, 0].map(count => watch.check(page("Open", news(count))).length);
  expect(told).toEqual([0, 8, 6, 0, 2]);
  expect(watch.verdicts.filter(({ change }) => change?.note !== undefined)).toEqual([]);
});

test("a change beyond the kept text is found also when the end of it shifts at the same check", () => {
  const watch = new WatchedPage();
  watch.check(page("Open"));
  const long =
    "<p>News of the boats in the harbour, which are long enough for a line to leave at the end.</p>";
  watch.check(page("Closed", long.repeat(3)));
  expect(watch.verdicts.at(-1)?.change).toMatchObject({ removed: [], note: beyond });
});

test("a number whose length changes at each check shifts the end without an event", () => {
  const watch = new WatchedPage();
  for (let n = 0; n < 16; n += 1) watch.check(page("Open", `<p>Queue position: ${10 ** ((n * 5) % 13)}</p>`));
  expect(watch.events).toBe(2);
  expect(watch.verdicts.filter(({ change }) => change?.note !== undefined)).toEqual([]);
});

test("what is known of it is kept in the state of the page", () => {
  let state: Partial<PageState> = {};
  const made = [1, 2, 3, 4, 5].map(count => {
    const compared = compareSnapshot({
      state,
      snapshot: { ...seen([line("Long", "h1")]), hash: `hash ${count}`, rest: `rest ${count}` },
      ...{ view: {}, title: "Long", at: count * 3_600_000 },
    });
    if (!compared.ok) throw new Error(compared.reason);
    state = JSON.parse(JSON.stringify(compared.kept)) as Partial<PageState>;
    return compared.verdict.outcome;
  });
  expect(made).toEqual(["same", "changed", "changed", "muted", "muted"]);
  expect(state).toMatchObject({ rest: "rest 3", lastRest: "rest 5" });
});
