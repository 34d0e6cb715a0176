import { parseHtml } from "../../../reader/html/parse-html.ts";
import { reducePage } from "../../../services/domain/watch/eye/reduce-page.ts";
import { judge, type Memory } from "../../../services/domain/watch/judge.ts";
import { takeSnapshot } from "../../../services/domain/watch/snapshot.ts";
import type { View } from "../../../services/domain/watch/view.ts";
import {
  type JudgedCheck,
  type RehearsedPage,
  type RehearsedStep,
  rehearseStep,
} from "../../../services/history/rehearsal/judge-pages.ts";
import { seeds as seedsOf } from "../../support/long-run.ts";

const url = "https://shop.example/lamp";
const title = "Desk lamp";
const day = 86_400_000;
const days = 90;

/** A check as it was: its page, and what the live rule made of it. */
interface LiveCheck {
  at: number;
  html: string;
  outcome: string;
  reason: string;
  change: JudgedCheck["change"];
}

const views: View[] = [
  {},
  { content: "main" },
  { select: [".price"] },
  { select: ["main"], remove: [".teaser"], ignore: ["/Booked \\d+ times/"] },
  { when: { contains: ["In stock"] } },
  { when: { added_only: true, not_contains: ["Sold out"] } },
  { select: [".price"], when: { value: { below: 45 } } },
  { when: { value: { select: ".price", changed_by_percent: 10 } } },
  { unique_lines: true },
  { json: { recipe: { fields: { price: { selector: ".price", type: "number" } } } } },
];

const seeds = seedsOf(8, 100);

describe.each(seeds)("over 90 days of random history %i, the rehearsal", seed => {
  const random = seeded(seed);
  const pages = randomHistory(random);
  const ownView = views[seed % views.length] ?? {};
  const checks = liveChecks(pages, ownView);
  const kept = keptOf(checks);

  test("with the options of the watch names exactly its events, with their times and changes", () => {
    expect(told(rehearsed(kept, ownView, random))).toEqual(told(checks));
  });

  test("with other options names exactly the events that these make", () => {
    const other = views[(seed * 7 + 3) % views.length] ?? {};
    const live = told(liveChecks(pages, other));
    const found = told(rehearsed(kept, other, random));
    // Of checks in a row that saw one page, the times of the first and the last are kept.
    expect(found.map(({ change }) => change)).toEqual(live.map(({ change }) => change));
    const versionAt = (at: number) => kept.findLast(({ runs }) => (runs[0]?.first ?? 0) <= at)?.id;
    expect(found.map(({ at }) => versionAt(at))).toEqual(live.map(({ at }) => versionAt(at)));
  });
});

test("there is something to rehearse", () => {
  const events = seeds.slice(0, 3).map(seed => told(liveChecks(randomHistory(seeded(seed)), {})).length);
  expect(Math.min(...events)).toBeGreaterThan(3);
});

test("a view that sees nothing, and a page of maintenance, are no events", () => {
  const html = (body: string) => reduced(`<html><body><main>${body}</main></body></html>`);
  const text = "<p>The lamp for the desk, made of brass and ash, with a switch at its foot.</p>".repeat(4);
  const page = (n: number, body: string): RehearsedPage => ({
    id: `v${n}`,
    kept: { content: html(body), isItem: false, url, title },
    runs: [{ first: n, last: n, count: 1 }],
  });
  const pages = [page(1, text), page(2, "<p>We will be right back.</p>"), page(3, text)];
  expect(rehearseStep({ pages, view: {} }).checks.map(({ outcome }) => outcome)).toEqual(["failed"]);
  const blind = rehearseStep({ pages, view: { select: [".nowhere"] } });
  expect(blind.checks.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "failed"]);
});

test("a list names the entries that its checks would have told", () => {
  const entry = (name: string) =>
    `<li><h3><a href="/${name}">Lamp of ${name}</a></h3><p>Made of brass.</p></li>`;
  const page = (n: number, ...names: string[]): RehearsedPage => ({
    id: `v${n}`,
    kept: { content: reduced(`<ul>${names.map(entry).join("")}</ul>`), isItem: false, url, title },
    runs: [{ first: n, last: n, count: 1 }],
  });
  const pages = [page(1, "ash", "oak", "elm"), page(2, "fir", "ash", "oak"), page(3, "elm", "fir", "ash")];
  expect(rehearseStep({ pages, view: { items: "auto" } }).checks).toEqual([
    {
      ...{ at: 2, version: "v2", outcome: "changed", reason: "1 entry is new." },
      change: { added: ["Lamp of fir"], removed: [] },
    },
  ]);
});

function told(checks: readonly (LiveCheck | JudgedCheck)[]) {
  return checks.flatMap(({ at, outcome, reason, change }) =>
    outcome === "changed" ? [{ at, reason, change }] : [],
  );
}

/** The pages that a site showed at each of its checks. */
function randomHistory(random: () => number): { at: number; html: string }[] {
  const is = (share: number) => random() < share;
  // Some pages change at nearly every check, others rest for weeks.
  const [bookings, teasers] = is(0.5) ? [0.8, 0.3] : [0.01, 0.02];
  const state = { price: 50, stock: true, news: 0, teaser: 0, booked: 3, notice: false };
  return Array.from({ length: days * 2 }, (_, n) => {
    if (is(0.04)) state.price = Math.round(30 + random() * 40);
    if (is(0.03)) state.stock = !state.stock;
    if (is(0.02)) state.news += 1;
    if (is(0.02)) state.notice = !state.notice;
    if (is(teasers)) state.teaser = Math.floor(random() * 5);
    if (is(bookings)) state.booked = Math.floor(random() * 90);
    return { at: n * (day / 2) + Math.floor(random() * 1000), html: pageOf(state) };
  });
}

interface Shown {
  price: number;
  stock: boolean;
  news: number;
  teaser: number;
  booked: number;
  notice: boolean;
}

function pageOf({ price, stock, news, teaser, booked, notice }: Shown): string {
  const rows = Array.from(
    { length: Math.min(news, 8) },
    (_, n) => `<li>News number ${news - n} of the workshop</li>`,
  );
  return `<!doctype html><html lang="en"><head><title>${title}</title><script>let at = ${price};</script></head><body>
<header>${notice ? "<p role='alert'>Closed today because of the storm</p>" : "<p>Open today until 18:00</p>"}</header>
<main><h1>Desk lamp</h1><p class="price">€ ${price}.00</p><p>${stock ? "In stock" : "Sold out"}</p>
<button ${stock ? "" : "disabled"}>${stock ? "Add to cart" : "Tell me"}</button>
<p>The lamp for the desk, made of brass and ash, with a switch at its foot and a cord of two metres.</p>
<p class="booked">Booked ${booked} times in the last 24 hours</p><ul>${rows.join("")}</ul>
<div class="teaser">Teaser ${["red", "blue", "green", "white", "black"][teaser]}: see this as well</div></main>
<footer><p>Workshop of lamps, since 1974</p></footer></body></html>`;
}

function reduced(html: string): string {
  return reducePage(parseHtml(html, { withDrawings: true }));
}

/** What the live rule makes of each page, one after the other. */
function liveChecks(pages: readonly { at: number; html: string }[], view: View): LiveCheck[] {
  let memory: Memory | undefined;
  return pages.map(page => {
    const html = reduced(page.html);
    const { recipe, main } = memory ?? {};
    const learned = { ...(recipe && { recipe }), ...(main && { main }) };
    const snapshot = takeSnapshot({ html, url, title, language: "en" }, view, learned);
    if (!snapshot.ok) return { at: page.at, html, outcome: "failed", reason: snapshot.reason, change: null };
    const { outcome, why: reason, change, memory: next } = judge(memory, snapshot, view, page.at);
    memory = next;
    return {
      at: page.at,
      html,
      outcome,
      reason,
      change: change ? { added: change.added, removed: change.removed } : null,
    };
  });
}

/** What is kept of checks: each page that differs from the one before, and runs of equal checks. */
function keptOf(checks: readonly LiveCheck[]): RehearsedPage[] {
  const kept: RehearsedPage[] = [];
  let last: LiveCheck | undefined;
  for (const check of checks) {
    const { at, html, outcome, reason } = check;
    if (last?.html !== html)
      kept.push({ id: `v${kept.length}`, kept: { content: html, isItem: false, url, title }, runs: [] });
    const { runs } = kept.at(-1) as RehearsedPage;
    const run = runs.at(-1);
    const goesOn = run && last?.outcome === outcome && last.reason === reason && outcome !== "changed";
    if (!goesOn) runs.push({ first: at, last: at, count: 1 });
    else Object.assign(run, { last: at, count: run.count + 1 });
    last = check;
  }
  return kept;
}

/** Rehearsed in stretches of random length. */
function rehearsed(kept: readonly RehearsedPage[], view: View, random: () => number): JudgedCheck[] {
  const checks: JudgedCheck[] = [];
  let memory: RehearsedStep["memory"];
  for (let at = 0; at < kept.length; ) {
    const end = at + 1 + Math.floor(random() * 40);
    const step = rehearseStep({ pages: kept.slice(at, end), view, ...(memory && { memory }) });
    checks.push(...step.checks);
    memory = structuredClone(step.memory);
    at = end;
  }
  return checks;
}

/** Numbers from 0 to below 1, the same for a seed. */
function seeded(seed: number): () => number {
  let state = seed * 7919;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
