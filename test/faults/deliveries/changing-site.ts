import { type Site, startSite } from "../../support/http-site.ts";

/** How a subject changes: lines come on top of a list, one line is replaced, or an item of a feed is edited. */
export type Manner = "list" | "line" | "item";

/** A page, or an item of a feed, that says something else from time to time. */
export interface Subject {
  name: string;
  manner: Manner;
  /** What it has said, one sentence a state; the last one is what it says now. */
  said: string[];
  /** How often the present state was sent. */
  served: number;
}

/** Pages, and one feed of items, that change when they are told to. */
export interface ChangingSite {
  subjects: Subject[];
  /** Of its page, or of the feed. */
  url(subject: Subject): string;
  /** Brings a subject to its next state. */
  change(subject: Subject): void;
  close(): Promise<void>;
}

const counts: Record<Manner, number> = { list: 8, line: 4, item: 4 };
const manners = (Object.keys(counts) as Manner[]).flatMap(manner =>
  Array<Manner>(counts[manner]).fill(manner),
);
const nouns = [
  "ash",
  "brass",
  "copper",
  "elm",
  "flax",
  "glass",
  "hemp",
  "iron",
  "jute",
  "lead",
  "oak",
  "tin",
];
/** Lines of a list, at most. */
const longest = 12;
const publishedAt = new Date(Date.UTC(2026, 0, 1)).toUTCString();

export async function startChangingSite(): Promise<ChangingSite> {
  const subjects = manners.map((manner, n) => subject(`pier-${n}`, manner));
  const site: Site = await startSite((request, response) => {
    const shown = subjects.filter(each => pathOf(each) === request.url);
    if (shown.length === 0) return response.writeHead(404).end();
    for (const each of shown) each.served += 1;
    const [first] = shown;
    const isFeed = first?.manner === "item";
    const type = isFeed ? "application/rss+xml" : "text/html; charset=utf-8";
    return response.writeHead(200, { "content-type": type }).end(isFeed ? feedOf(shown) : pageOf(first));
  });
  return {
    subjects,
    url: each => site.url + pathOf(each),
    change: each => {
      each.said.push(sentence(each.name, each.said.length));
      each.served = 0;
    },
    close: () => site.close(),
  };
}

function subject(name: string, manner: Manner): Subject {
  return { name, manner, said: [sentence(name, 0)], served: 0 };
}

function pathOf({ name, manner }: Subject): string {
  return manner === "item" ? "/edited-items" : `/${name}`;
}

/** Of words: numbers that rise are noise. */
function sentence(name: string, state: number): string {
  const word = (n: number) => nouns[Math.floor(n) % nouns.length];
  const cargo = [word(state), word(state / nouns.length), word(state / nouns.length ** 2)].join(" and ");
  return `The ferry at ${name} carries ${cargo} today.`;
}

/** No two answers are equal byte by byte: what differs is in its style. */
function pageOf({ name, manner, said, served }: Subject = subject("", "line")): string {
  const shown = manner === "list" ? said.slice(-longest).reverse() : said.slice(-1);
  const lines = shown.map(text => (manner === "list" ? `<li>${text}</li>` : `<p>${text}</p>`)).join("");
  return `<!doctype html><html lang="en"><head><title>${name}</title><style>p { order: ${served} }</style></head><body>
<main><h1>What is carried from ${name}</h1>${manner === "list" ? `<ul>${lines}</ul>` : lines}
<p>The ferry leaves at each full hour, from the first light of the day until the lamps of the harbour are lit.</p></main></body></html>`;
}

function feedOf(items: Subject[]): string {
  const entries = items.map(
    ({ name, said }) =>
      `<item><guid isPermaLink="false">${name}</guid><title>${name}</title><description>${said.at(-1)}</description><pubDate>${publishedAt}</pubDate></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Piers</title><link>http://feed.test/</link><description>One</description>${entries.join("")}</channel></rss>`;
}
