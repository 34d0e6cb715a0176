import type { PageVisit } from "../../../../services/domain/site/page-visit.ts";
import { noteVisit, sortLines } from "../../../../services/domain/site/shared-lines.ts";
import { firstSiteMemory } from "../../../../services/domain/site/site-memory.ts";
import { siteNews } from "../../../../services/domain/site/site-news.ts";
import type { ChangedLine } from "../../../../services/domain/watch/changed-lines.ts";

const start = Date.UTC(2026, 10, 27);
let steps = 0;

/** A line that counts how often it is read. */
function countedLine(text: string, place: string): ChangedLine {
  const hash = text.replaceAll(/[^a-z]/g, "").padEnd(12, "x");
  return {
    ...{ hash, place },
    get text() {
      steps += 1;
      return text;
    },
    get area() {
      steps += 1;
      return "navigation" as const;
    },
  };
}

const letters = (n: number) => [...String(n)].map(digit => "abcdefghij"[Number(digit)]).join("");

/** How often lines are read while a menu of `links` that was replaced on 25 pages is told. */
function stepsFor(links: number): { steps: number; kinds: string[]; shown: number } {
  steps = 0;
  const menu = (word: string) =>
    Array.from({ length: links }, (_, n) => countedLine(`${word} ${letters(n)} z`, `nav>ul>li:${n + 1}`));
  let memory = firstSiteMemory(start);
  const visits = Array.from({ length: 25 }, (_, n): PageVisit => {
    const [at, before] = [start + n + 1, start];
    const lines = { came: menu("now"), gone: menu("then") };
    return { ...{ key: `/p${n}`, url: `https://site.example/p${n}`, at, before }, found: "changed", lines };
  });
  for (const visit of visits) memory = noteVisit(memory, visit);
  for (const visit of visits) sortLines(memory, visit, { pages: 25 });
  const told = siteNews(memory, visits, { pages: 25, at: start + 100 });
  expect(sortLines(told.memory, visits[0] as PageVisit, { pages: 25 }).passed).toHaveLength(2 * links);
  const [news] = told.news;
  return { steps, kinds: told.news.map(({ change }) => change.kind), shown: news?.change.added.length ?? 0 };
}

test("the work for a menu that was replaced on many pages grows with its lines, not with their square", () => {
  const [few, many] = [stepsFor(30), stepsFor(300)];
  expect([few.kinds, many.kinds]).toEqual([["everywhere"], ["everywhere"]]);
  expect([few.shown, many.shown]).toEqual([30, 100]);
  expect(many.steps).toBeLessThanOrEqual(11 * few.steps);
  expect(many.steps).toBeLessThanOrEqual(20 * 25 * 600);
});
