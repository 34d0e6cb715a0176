import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { ConnectorTools } from "../../../services/connectors/connector.ts";
import { pollFeed } from "../../../services/connectors/feeds/poll-feed.ts";
import type { FeedGap } from "../../../services/contracts/connectors.contract.ts";
import { fail } from "../../../services/contracts/errors.ts";
import { digestFeed } from "../../../services/domain/feed/digest-feed.ts";
import { parseFeed } from "../../../services/domain/feed/parse-feed.ts";
import { threadless } from "../../support/threadless.ts";

const start = Date.parse("2026-03-02T09:00:00Z");
const hour = 3_600_000;
const url = "https://x.example/feed";

/** What the server of a feed answers for an address: a document, or nothing. */
type Server = (address: URL) => string | undefined;

/** Polls the feed of each server once, an hour apart. */
async function polls(...servers: Server[]) {
  let state: Record<string, unknown> = {};
  const told: string[][] = [];
  const gaps: (FeedGap | undefined)[] = [];
  const asked: string[] = [];
  for (const [at, server] of servers.entries()) {
    const fetchDocument = async (address: string): Promise<FetchedDocument> => {
      if (at > 0) asked.push(address.replace("https://x.example", ""));
      const body = server(new URL(address));
      const answer = { status: body === undefined ? 404 : 200, url: address, canonicalUrl: url };
      return { ...answer, headers: {}, contentType: "application/xml", body: Buffer.from(body ?? "") };
    };
    const tools: ConnectorTools = {
      ...threadless,
      fetchDocument,
      now: () => start + at * hour,
      random: () => 0,
      minIntervalMs: 60_000,
      admit: text => new URL(text),
      readFeed: async ({ body, contentType, url: base }, memory, older = []) =>
        digestFeed({ body, contentType, url: base, memory, maxNews: 50, older }),
      readSitemap: async () => ({ ok: false, reason: "A feed is no sitemap." }),
      timeLeftMs: () => 30_000,
      scrapePage: async () => Promise.reject(fail("internal_error", "A feed is not scraped.")),
    };
    const result = await pollFeed({ externalId: url, state, failures: 0 }, tools);
    if (!result.ok) throw new Error(result.reason);
    told.push(result.posts.map(({ data }) => String((data.item as { id: string }).id)));
    gaps.push(result.gap);
    state = JSON.parse(JSON.stringify(result.state));
  }
  return { told, gaps, asked };
}

/** Items `from` down to `to`, an hour apart. */
function items(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, n) => from - n);
}

function rss(numbers: number[], head = ""): string {
  const dateOf = (n: number) => new Date(start - 100 * hour + n * hour).toUTCString();
  const all = numbers.map(
    n =>
      `<item><guid isPermaLink="false">${n}</guid><title>N${n}</title><pubDate>${dateOf(n)}</pubDate></item>`,
  );
  const atom = 'xmlns:atom="http://www.w3.org/2005/Atom"';
  return `<rss version="2.0" ${atom}><channel><title>X</title>${head}${all.join("")}</channel></rss>`;
}

/** A server of `count` items, 5 on a page; `link` makes the head of a page from the address of the next. */
function paged(count: number, link: (next: string) => string): Server {
  return ({ searchParams }) => {
    const page = Number(searchParams.get("paged") ?? searchParams.get("page") ?? 1);
    const from = count - (page - 1) * 5;
    return from < 1 ? undefined : rss(items(from, Math.max(1, from - 4)), link(`/feed?page=${page + 1}`));
  };
}

const next = (address: string) => `<atom:link rel="next" href="${address}"/>`;
const wordPress = () => "<generator>https://wordpress.org/?v=6.8</generator>";
const ids = (from: number, to: number) => items(to, from).reverse().map(String);

test.each([
  ["rel=next", next, ["/feed", "/feed?page=2", "/feed?page=3"]],
  [
    "rel=prev-archive",
    (to: string) => next(to).replace("next", "prev-archive"),
    ["/feed", "/feed?page=2", "/feed?page=3"],
  ],
  ["WordPress", wordPress, ["/feed", "/feed?paged=2", "/feed?paged=3"]],
])("a feed is read back by %s until a known item is found", async (_, link, addresses) => {
  const { told, gaps, asked } = await polls(paged(7, link), paged(18, link), paged(18, link));
  expect(told).toEqual([[], ids(8, 18), []]);
  expect(gaps).toEqual([undefined, undefined, undefined]);
  expect(asked).toEqual([...addresses, "/feed"]);
});

test("a gap that no page closes is told once, until a known item is found again", async () => {
  const only =
    (from: number, to: number): Server =>
    () =>
      rss(items(from, to));
  const { told, gaps } = await polls(only(5, 1), only(15, 11), only(25, 21), only(26, 22), only(36, 32));
  expect(told.flat()).toEqual([...ids(11, 15), ...ids(21, 26), ...ids(32, 36)]);
  const gap = { from: "2026-03-02T09:00:00.000Z", until: "2026-02-26T16:00:00.000Z", items: 5, pages: 0 };
  expect(gaps.slice(0, 4)).toEqual([undefined, gap, undefined, undefined]);
  expect(gaps[4]).toMatchObject({ from: "2026-03-02T12:00:00.000Z", items: 5 });
});

test("a gap is seen below a pinned item, too, and read back", async () => {
  const [before, after] = [items(19, 11), items(69, 61)];
  const alone = await polls(
    () => rss([1, ...before]),
    () => rss([1, ...after]),
    () => rss([1, ...items(70, 62)]),
  );
  expect(alone.told).toEqual([[], ids(61, 69), ["70"]]);
  expect(alone.gaps).toEqual([undefined, expect.objectContaining({ items: 10, pages: 0 }), undefined]);

  const { told, gaps } = await polls(
    () => rss([1, ...items(50, 42)]),
    ({ searchParams }) => {
      const page = Number(searchParams.get("page") ?? 1);
      const from = 78 - page * 9;
      return rss([1, ...items(from, from - 8)], next(`/feed?page=${page + 1}`));
    },
  );
  expect(told[1]).toEqual(ids(51, 69));
  expect(gaps[1]).toBeUndefined();
});

test("at most ten pages are read, and the gap says so", async () => {
  const { gaps, asked, told } = await polls(paged(5, next), paged(205, next));
  expect(asked).toHaveLength(11);
  expect(gaps[1]).toMatchObject({ pages: 10, items: 5 });
  expect(told[1]).toHaveLength(50);
});

test("a blog that moves, with new ids, does not tell its archive", async () => {
  const moved: Server = ({ searchParams }) => {
    const page = Number(searchParams.get("page") ?? 1);
    const from = 103 - (page - 1) * 5;
    return from < 1
      ? undefined
      : rss(items(from, from - 4), next(`/feed?page=${page + 1}`)).replaceAll(
          'Link="false">',
          'Link="false">new',
        );
  };
  const { told, gaps } = await polls(paged(100, next), moved, moved);
  expect(told).toEqual([
    [],
    items(103, 99)
      .reverse()
      .map(n => `new${n}`),
    [],
  ]);
  expect(gaps[1]).toMatchObject({ items: 5, pages: 10 });
});

test.each<[string, Server]>([
  ["answers every page with the first", () => rss(items(30, 26), next("/feed?page=2"))],
  ["names its own address as the next page", () => rss(items(30, 26), next("/feed"))],
  ["names a page at another host", () => rss(items(30, 26), next("https://y.example/feed"))],
  [
    "has lost its pages",
    ({ search }) => (search === "" ? rss(items(30, 26), next("/feed?page=2")) : undefined),
  ],
])("a server that %s ends the search", async (_, server) => {
  const { told, gaps, asked } = await polls(paged(5, next), server);
  expect(told[1]).toEqual(ids(26, 30));
  expect(gaps[1]).toMatchObject({ pages: 0 });
  expect(asked.length).toBeLessThanOrEqual(2);
});

test("a feed that was empty has no gap", async () => {
  expect(
    (
      await polls(
        () => rss([]),
        () => rss(items(5, 1)),
      )
    ).gaps,
  ).toEqual([undefined, undefined]);
});

test.each([
  ["JSON Feed", '{"version":"https://jsonfeed.org/version/1.1","title":"X","next_url":"?page=2","items":[]}'],
  [
    "Atom",
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>X</title><link rel="next" href="?page=2"/></feed>',
  ],
])("%s names its next page", (_, text) => {
  const parsed = parseFeed(text, url);
  expect(parsed.ok && parsed.feed.nextUrl).toBe(`${url}?page=2`);
});
