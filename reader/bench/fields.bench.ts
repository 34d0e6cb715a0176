import { type Bench, median, type Outcome, verdict } from "../../test/bench/compare.ts";
import { parseHtml } from "../html/parse-html.ts";
import { extractTree } from "../page/extract-page.ts";
import { openPage } from "../recipe/parse-page.ts";
import { readJson, type WantedJson } from "../recipe/read-json.ts";
import { eventPages } from "../test/fixtures/fields/events.ts";
import { jobPages } from "../test/fixtures/fields/jobs.ts";
import type { Part } from "../test/fixtures/fields/page.ts";
import { recipePages } from "../test/fixtures/fields/recipes.ts";
import { overPages, pageSet } from "./page-set.ts";
import { rightness, spellings } from "./right-values.ts";
import { schemas } from "./schemas.ts";
import { type StatedField, type StatedPage, statedPage, withoutStructure } from "./stated-fields.ts";

const bar = 0.7;
const barMs = 15;

/**
 * JSON without a model from pages whose JSON-LD, microdata, RDFa and meta elements were removed: the fields that their
 * JSON-LD stated and that they show, asked for again. Of recipes, events and jobs, which the sets of others lack, the
 * project has pages of its own, also of some sixty kinds of schemas; of a folder also what it costs beside the markdown of the same pages.
 */
export const fields: Bench = async folder => [
  ...tablesOf("own pages", ownPages()),
  ...schemas(),
  ...(await ofFolder(folder)),
];

const ofFolder = overPages("fields", async folder => {
  const pages = [...pageSet(folder)].flatMap(page => statedPage(page) ?? []);
  const lists = [...pageSet(folder)].filter(({ type }) => type in listsOf);
  return [
    ...tablesOf("pages of the folder", pages),
    ...costOf("fields", pages, requestFor),
    ...costOf(
      "lists",
      lists.filter((_, at) => at % everyList === 0),
      ({ type }) => listsOf[type] ?? {},
    ),
  ];
});

const everyList = 4;

/** What is asked of a page with many things: each with its title, link, price and image; of a forum, its posts. */
const items = listRequest({
  title: {},
  url: { format: "uri" },
  price: { type: "number" },
  image: { format: "uri" },
});
const listsOf: Record<string, WantedJson> = {
  collection: items,
  listing: items,
  product: items,
  forum: listRequest({ author: {}, date: { format: "date" }, content: {} }),
};

function listRequest(fields: Record<string, object>): WantedJson {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { type: "string", ...field }]),
  );
  const entries = { type: "array", items: { type: "object", properties } };
  return { schema: { type: "object", properties: { entries } } };
}

/** Each design is on one side only. */
export function ownPages(): StatedPage[] {
  return [...recipePages, ...eventPages, ...jobPages].flatMap(
    ({ url, html, part }) => statedPage({ id: url, url, html }, part) ?? [],
  );
}

const parts: Part[] = ["developed on", "held out"];

function tablesOf(name: string, pages: StatedPage[]): Outcome[] {
  return parts.flatMap(part =>
    tableOf(
      `${name}, ${part}`,
      pages.filter(page => page.part === part),
    ),
  );
}

interface Count {
  asked: number;
  answered: number;
  right: number;
}

function tableOf(name: string, pages: StatedPage[]): Outcome[] {
  const counts = new Map<string, Count>();
  for (const page of pages) {
    const answer = answerOf(page);
    for (const field of page.fields)
      for (const name of [`${page.type} ${field.name}`, "all"]) {
        const count = counts.get(name) ?? { asked: 0, answered: 0, right: 0 };
        count.asked += 1;
        if (answer[field.name] !== undefined) count.answered += 1;
        count.right += rightness(field, answer[field.name]);
        counts.set(name, count);
      }
  }
  const all = counts.get("all") ?? { asked: 0, answered: 0, right: 0 };
  counts.delete("all");
  const lines = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => ({ line: `  ${name}: ${figures(count)}` }));
  const text = `fields, ${name}, ${pages.length} pages: ${figures(all)}`;
  return [verdict(text, f1(all), ">=", bar), ...lines];
}

function figures(count: Count): string {
  const { asked, answered, right } = count;
  const share = (of: number) => (of === 0 ? 0 : right / of).toFixed(2);
  return `F1 ${f1(count).toFixed(3)} (P ${share(answered)} R ${share(asked)}, ${asked} asked, ${answered} answered)`;
}

function f1({ asked, answered, right }: Count): number {
  return asked + answered === 0 ? 0 : (2 * right) / (asked + answered);
}

export function answerOf(page: StatedPage): Record<string, unknown> {
  const result = readJson(() => openPage(withoutStructure(page.html), page.url), requestFor(page));
  return result.ok ? result.json : {};
}

function requestFor({ fields }: StatedPage): WantedJson {
  const properties = Object.fromEntries(fields.map(field => [field.name, schemaOf(field)]));
  return { schema: { type: "object", properties } };
}

function schemaOf({ kind }: StatedField): Record<string, unknown> {
  if (kind === "texts" || kind === "steps") return { type: "array", items: { type: "string" } };
  if (kind === "price" || kind === "rating") return { type: "number" };
  if (kind === "count") return { type: "integer" };
  if (kind === "choice") return { type: "string", enum: Object.keys(spellings) };
  const format = formats[kind];
  return format === undefined ? { type: "string" } : { type: "string", format };
}

const formats: Partial<Record<StatedField["kind"], string>> = {
  day: "date",
  moment: "date-time",
  minutes: "duration",
};

/** CPU time of the markdown alone and of markdown with JSON, each page's two sides one after the other. */
function costOf<Page extends { html: string; url: string }>(
  name: string,
  pages: Page[],
  requestOf: (page: Page) => WantedJson,
): Outcome[] {
  const plain: number[] = [];
  const extra: number[] = [];
  for (const round of [0, 1])
    for (const page of pages) {
      const alone = cpuOf(() => markdownOf(page));
      const both = cpuOf(() => markdownOf(page, requestOf(page)));
      if (round === 0) continue;
      plain.push(alone);
      extra.push(both - alone);
    }
  const at = (values: number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;
  const line = (values: number[]) => [0.5, 0.95, 1].map(share => at(values, share).toFixed(1)).join(" / ");
  const text = `${name}, ${pages.length} pages, CPU ms a page, median / p95 / most: markdown alone ${line(plain)}, JSON in addition ${line(extra)}`;
  return [verdict(text, median(extra), "<=", barMs)];
}

function markdownOf({ html, url }: { html: string; url: string }, request?: WantedJson): void {
  const tree = parseHtml(html);
  if (request) readJson(() => openPage(tree, url), request);
  extractTree(tree, url, { formats: ["markdown"], onlyMainContent: true });
}

function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
