import { createHash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import type { ServiceSchema } from "moleculer";
import type { Config } from "../../mixins/config/config.ts";
import type { OpenSitePages, SettledPage } from "../../mixins/site-pages/site-pages.ts";
import { actions } from "../../services/contracts/action.ts";
import type { CheckedVersion, PollResult, Post } from "../../services/contracts/connectors.contract.ts";
import { pollSource, pollViews, resolveSource } from "../../services/contracts/connectors.contract.ts";
import { operations, service } from "../../services/contracts/service.ts";
import { historyService } from "../../services/history/history.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import type { Magpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

/** Starts an installation, and opens its pages of sites. */
type Start = (
  config: Partial<Config>,
  services: ((config: Config) => ServiceSchema)[],
) => Promise<{ magpie: Magpie; pages: OpenSitePages }>;

interface Told {
  type: string;
  data: { version?: string; previous_version?: string | null };
}

interface ListedPage {
  url: string;
  state: string;
  changed_at: string | null;
  moved_to: string | null;
  next_visit_at: string | null;
}

const entry = "https://example.com/docs/";

const { internal } = operations((connectors: object) => connectors);

function connectors(next: (state: Record<string, unknown>) => PollResult): ServiceSchema {
  return service({
    name: "connectors",
    actions: actions(
      internal(resolveSource, async (_, { kind, sid }) => ({
        ...{ kind, externalId: sid, username: "example.com", name: "Documentation", state: { told: 0 } },
        ...(kind === "rss" && { check: { outcome: "same" as const, reason: "First.", tookMs: 1 } }),
      })),
      internal(pollSource, async (_, { state }) => next(state)),
      internal(pollViews, async (_, { views }) => ({ results: views.map(({ state }) => next(state)) })),
    ),
  });
}

function version(url: string, text: string): CheckedVersion {
  const html = `<html><body><main><h1>Install</h1><p>${text}</p><p><a href="next">Next</a></p></main></body></html>`;
  return {
    item: url,
    title: "Install",
    hash: createHash("sha256").update(html).digest("hex"),
    content: zstdCompressSync(html).toString("base64"),
    words: text,
  };
}

const page = (path: string, more: Partial<SettledPage> = {}): SettledPage => ({
  ...{ key: `example.com${path}`, url: `https://example.com${path}`, depth: 1, from: null },
  ...{
    dueAt: Date.parse("2026-03-01T12:00:00Z"),
    foundAt: Date.parse("2026-01-01"),
    state: "there",
    title: path,
  },
  ...more,
});

/** What a site's pages are and said, over HTTP. The connector says what a test wants it to say. */
export function sitePagesApiSuite(start: Start): void {
  let magpie: Magpie;
  let sitePages: OpenSitePages;
  let source: { id: string };
  /** What the next polls of the site find. */
  let steps: { posts: Post[]; items: CheckedVersion[] }[] = [];

  function nextStep(state: Record<string, unknown>): PollResult {
    const { posts, items } = steps.shift() ?? { posts: [], items: [] };
    const check = { outcome: "same" as const, reason: "Visited.", tookMs: 1, items };
    return { ok: true, posts, state, nextInMs: steps.length > 0 ? 10 : 600_000, confirm: true, check };
  }

  beforeAll(async () => {
    const services = [keysService, trackerService, historyService, () => connectors(nextStep)];
    ({ magpie, pages: sitePages } = await start({ pollMinIntervalMs: 100 }, services));
    const url = `${entry}install`;
    steps = [
      { posts: [], items: [version(url, "Run npm install.")] },
      {
        posts: [
          {
            ...{ postId: url, revision: "1", type: "site.page.changed" },
            data: {
              page: { url, title: "Install" },
              change: { added: ["Run npm ci."], removed: ["Run npm install."] },
            },
          },
          { postId: "site", revision: "1", type: "site.changed", data: { change: { kind: "everywhere" } } },
          {
            ...{ postId: url, revision: "moved", type: "site.page.moved" },
            data: {
              page: { url: `${entry}setup`, title: "Install" },
              from: url,
              to: `${entry}setup`,
              reason: "There.",
            },
          },
        ],
        items: [version(url, "Run npm ci."), version(`${entry}other`, "Another page.")],
      },
    ];
    const reply = await magpie.request("POST", "/track/site", { body: { sid: entry } });
    expect(reply.status).toBe(201);
    source = reply.json<{ data: { id: string } }>().data;
    await until("all steps", () => steps.length === 0);
    await until("the events", async () => (await events()).length === 3);
    await sitePages.open(source.id, 1000);
    await sitePages.settle(source.id, 1000, [
      page("/docs", { depth: 0, visitedAt: Date.parse("2026-02-01") }),
      page("/docs/install", { changedAt: Date.parse("2026-02-20"), title: "Install" }),
      page("/docs/install/linux", { changedAt: Date.parse("2026-02-10") }),
      page("/docs/old", {
        state: "moved",
        movedTo: "https://example.com/docs/new",
        dueAt: Number.MAX_SAFE_INTEGER,
      }),
      page("/docs/install/alias", { state: "alias" }),
    ]);
  });
  afterAll(async () => {
    await sitePages?.close();
    await magpie?.stop();
  });

  async function events(): Promise<Told[]> {
    return (await magpie.request("GET", "/events?limit=100")).json<{ data: Told[] }>().data;
  }

  async function get<Body>(path: string): Promise<Body> {
    const reply = await magpie.request("GET", `/sources/${source.id}${path}`);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return reply.json<Body>();
  }

  const urls = async (query: string) =>
    (await get<{ data: ListedPage[] }>(`/pages${query}`)).data.map(({ url }) => url);

  test.each(["zzz", "YWJj", "YS8=", "L2E"])("a cursor that no list gave is refused: %s", async cursor => {
    const reply = await magpie.request("GET", `/sources/${source.id}/pages?cursor=${cursor}`);
    expect(reply.status).toBe(400);
    expect(reply.json<{ details: object[] }>().details).toMatchObject([{ field: "cursor" }]);
  });

  test("pages are listed in the order of their addresses, in parts", async () => {
    const seen: ListedPage[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query: string = cursor === "" ? "?limit=2" : `?limit=2&cursor=${cursor}`;
      const { data, next_cursor } = await get<{ data: ListedPage[]; next_cursor: string | null }>(
        `/pages${query}`,
      );
      expect(data.length).toBeLessThanOrEqual(2);
      seen.push(...data);
      cursor = next_cursor;
    }
    expect(seen.map(({ url }) => url.replace(entry, ""))).toEqual([
      "https://example.com/docs",
      "install",
      "install/alias",
      "install/linux",
      "old",
    ]);
    expect(seen.at(-1)).toMatchObject({
      ...{ state: "moved", moved_to: `${entry}new`, next_visit_at: null, changed_at: null },
    });
  });

  test("pages are found by prefix, state and change", async () => {
    expect(await urls("?prefix=/docs/install/")).toEqual([`${entry}install/alias`, `${entry}install/linux`]);
    expect(await urls(`?prefix=${encodeURIComponent(`${entry}old`)}`)).toEqual([`${entry}old`]);
    expect(await urls("?prefix=example.com/docs/o")).toEqual([`${entry}old`]);
    expect(await urls("?state=moved")).toEqual([`${entry}old`]);
    expect(await urls("?changed_since=2026-02-15")).toEqual([`${entry}install`]);
  });

  test("the tree shows one level with counts and the newest change", async () => {
    interface Branch {
      name: string;
      prefix: string;
      pages: number;
      gone: number;
      changed_at: string | null;
      page: ListedPage | null;
    }
    const tree = async (query = "") => (await get<{ data: Branch[] }>(`/tree${query}`)).data;
    const [host, ...others] = await tree();
    expect(others).toEqual([]);
    expect(host).toMatchObject({
      name: "example.com",
      prefix: "example.com/",
      pages: 3,
      gone: 1,
      page: null,
    });
    const [docs] = await tree(`?prefix=${host?.prefix}`);
    expect(docs).toMatchObject({ name: "docs", pages: 3, page: { url: "https://example.com/docs" } });
    expect(await tree(`?prefix=${docs?.prefix}`)).toMatchObject([
      {
        name: "install",
        pages: 2,
        gone: 0,
        changed_at: "2026-02-20T00:00:00.000Z",
        page: { url: `${entry}install` },
      },
      { name: "old", pages: 0, gone: 1 },
    ]);
  });

  test("a site says how many pages it has", async () => {
    const { data } = await get<{ data: { site: object } }>("");
    expect(data.site).toMatchObject({ pages: 3, states: { new: 0, there: 3, moved: 1, alias: 1 } });
  });

  test("a page has versions of its own, which are read, compared and found as those of a page", async () => {
    const item = encodeURIComponent(`${entry}install`);
    interface Version {
      id: string;
      item: string;
      outcome: string;
      added: number;
    }
    const { data: versions } = await get<{ data: Version[] }>(`/versions?item=${item}`);
    expect(versions).toMatchObject([
      { item: `${entry}install`, outcome: "changed", added: 1 },
      { item: `${entry}install`, outcome: "first" },
    ]);
    const changed = (await events()).find(({ type }) => type === "site.page.changed");
    expect(changed?.data).toMatchObject({ version: versions[0]?.id, previous_version: versions[1]?.id });
    const { data: moved } = await get<{ data: Version[] }>(
      `/versions?item=${encodeURIComponent(`${entry}setup`)}`,
    );
    expect(moved).toHaveLength(1);
    const { data: read } = await get<{ data: { markdown: string; text: string } }>(
      `/versions/${versions[0]?.id}`,
    );
    expect(read.markdown).toContain("Run npm ci.");
    expect(read.markdown).toContain("(https://example.com/docs/next)");
    const html = await magpie.request("GET", `/sources/${source.id}/versions/${versions[1]?.id}?as=html`);
    expect(html.text).toContain("<p>Run npm install.</p>");
    const { data: diff } = await get<{ data: { added: string[]; removed: string[] } }>(`/diff?item=${item}`);
    expect(diff).toMatchObject({ added: ["Run npm ci."], removed: ["Run npm install."] });
    const found = await magpie.request("GET", `/search?q=${encodeURIComponent('"another page"')}`);
    expect(found.json<{ data: object[] }>().data).toMatchObject([{ kind: "version", url: `${entry}other` }]);
  });

  test("a site is not rehearsed", async () => {
    const reply = await magpie.request("POST", `/sources/${source.id}/rehearse`, { body: {} });
    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({ details: [{ field: "id", code: "not_applicable" }] });
  });

  test("other sources have no pages", async () => {
    const other = await magpie.request("POST", "/track/rss", { body: { sid: "https://example.com/feed" } });
    const { id } = other.json<{ data: { id: string } }>().data;
    for (const path of ["pages", "tree"])
      expect((await magpie.request("GET", `/sources/${id}/${path}`)).status).toBe(404);
    expect((await magpie.request("GET", `/sources/${source.id}/pages`, { key: "x".repeat(20) })).status).toBe(
      401,
    );
  });
}
