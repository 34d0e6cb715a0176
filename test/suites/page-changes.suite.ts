import type { History } from "../../mixins/history/history.ts";
import { type Crawler, crawlerOf } from "../integration/crawler/crawler.ts";
import { page } from "../integration/crawler/site.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Installation, localService } from "../support/installation.ts";
import { until } from "../support/until.ts";

interface Changes {
  status: string;
  previous_at: string | null;
  visibility: string;
  diff?: string;
  json?: Record<string, unknown>;
}

/** What scrapes and crawls say of changes since the same key read a page last. */
export function pageChangesSuite(installationOf: () => Installation): void {
  let site: Site;
  /** What the site shows now, by path; what is not there is a 404. */
  let shown: Record<string, string | number> = {};

  beforeAll(async () => {
    site = await startSite(({ url = "/" }, response) => {
      const answer = shown[url] ?? 404;
      response.setHeader("content-type", "text/html");
      if (typeof answer === "number") response.writeHead(answer).end("<title>No</title><h1>Not there</h1>");
      else response.end(answer);
    });
  });
  afterAll(() => site.close());

  const crawler = (): Pick<Crawler, "request" | "accepted" | "ended" | "newKey"> =>
    crawlerOf(installationOf().magpie);

  const plain = { js_render: { enabled: false }, request: { block_ads: false } };

  async function scraped(url: string, changes: object = {}, more: object = {}, key?: string) {
    const body = { url, ...plain, output: { formats: ["changes"], changes, ...more } };
    const reply = await crawler().request("POST", "/web/scrape", { body, ...(key && { key }) });
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
    return reply.json<{
      data: { changes?: Changes; markdown?: string; json?: object };
      started_at: string;
    }>();
  }

  const said = (...lines: string[]) =>
    `<title>P</title><main><h1>Prices</h1>${lines.map(line => `<p>${line}</p>`).join("")}</main>`;

  test("a page is new, the same, changed, removed, and there again", async () => {
    const url = `${site.url}/life`;
    shown["/life"] = said("The small one costs 9 euros.", "The large one costs 29 euros.");
    const first = await scraped(url);
    expect(first.data).toEqual({
      changes: { status: "new", previous_at: null, visibility: "visible" },
      metadata: expect.any(Object),
    });
    const second = await scraped(url);
    expect(second.data.changes).toMatchObject({ status: "same", visibility: "visible" });
    const since = Date.parse(second.data.changes?.previous_at ?? "");
    expect(since).toBeGreaterThanOrEqual(Date.parse(first.started_at));
    shown["/life"] = said("The small one costs 12 euros.", "The large one costs 29 euros.");
    const third = await scraped(url);
    expect(third.data.changes?.status).toBe("changed");
    expect(third.data.changes?.diff?.split("\n")).toEqual([
      expect.stringMatching(/^@@ -\d+,\d+ \+\d+,\d+ @@$/),
      " # Prices",
      " ",
      "-The small one costs 9 euros.",
      "+The small one costs 12 euros.",
      " ",
      " The large one costs 29 euros.",
    ]);
    expect(Date.parse(third.data.changes?.previous_at ?? "")).toBeGreaterThanOrEqual(since);
    shown["/life"] = 410;
    expect((await scraped(url)).data.changes?.status).toBe("removed");
    shown["/life"] = 503;
    expect((await scraped(url)).data.changes).toBeUndefined();
    shown["/life"] = said("The small one costs 12 euros.", "The large one costs 29 euros.");
    expect((await scraped(url)).data.changes).toMatchObject({ status: "changed" });
    expect((await scraped(url)).data.changes).toMatchObject({ status: "same" });
  });

  test("each tag and each key has readings of its own, and an earlier scrape never answers", async () => {
    const url = `${site.url}/tags`;
    shown["/tags"] = said("One.");
    expect((await scraped(url, { tag: "daily" })).data.changes?.status).toBe("new");
    expect((await scraped(url, { tag: "hourly" })).data.changes?.status).toBe("new");
    shown["/tags"] = said("Two.");
    const other = await crawler().newKey("stranger");
    expect((await scraped(url, { tag: "daily" }, {}, other)).data.changes?.status).toBe("new");
    const body = {
      url,
      ...plain,
      max_age: 60_000,
      output: { formats: ["changes"], changes: { tag: "daily" } },
    };
    for (const status of ["changed", "same"]) {
      const reply = await crawler().request("POST", "/web/scrape", { body });
      expect(reply.json<{ data: { changes: Changes } }>().data.changes.status).toBe(status);
    }
  });

  test("fields of JSON, each with both values", async () => {
    const url = `${site.url}/json`;
    const json_schema = {
      type: "object",
      properties: { title: { type: "string" }, description: { type: "string" } },
    };
    const html = (title: string) =>
      `<title>${title}</title><meta name="description" content="Shoes">${said(title)}`;
    shown["/json"] = html("Red shoes of leather");
    const ask = () => scraped(url, { modes: ["json"] }, { json: { json_schema } });
    expect((await ask()).data).toMatchObject({ changes: { status: "new" } });
    shown["/json"] = html("Blue shoes of leather");
    const { changes, json } = (await ask()).data;
    expect([changes?.status, changes?.diff, json]).toEqual(["changed", undefined, undefined]);
    expect(changes?.json).toMatchObject({
      title: { previous: expect.stringContaining("Red"), current: expect.stringContaining("Blue") },
      description: { previous: "Shoes", current: "Shoes" },
    });
    const body = { url, ...plain, output: { formats: ["changes"], changes: { modes: ["json"] } } };
    const refused = await crawler().request("POST", "/web/scrape", { body });
    expect([refused.status, refused.json<{ details: { field: string }[] }>().details[0]?.field]).toEqual([
      400,
      "output.json",
    ]);
  });

  async function crawled(tag: string) {
    const body = {
      url: `${site.url}/`,
      crawler: { sitemaps: false },
      output: { formats: ["changes"], changes: { tag } },
    };
    const id = await crawler().accepted(body);
    const { data } = await crawler().ended(id);
    const pages = data as unknown as { changes: Changes; metadata: { final_url: string } }[];
    return Object.fromEntries(
      pages.map(({ changes, metadata }) => [
        new URL(metadata.final_url).pathname,
        changes && `${changes.status} ${changes.visibility}`,
      ]),
    );
  }

  test("a crawl says what has changed, also of pages that nothing leads to any more", async () => {
    shown = {
      "/": page("Home", "/kept", "/edited", "/hidden", "/removed"),
      "/kept": page("Kept"),
      "/edited": page("Edited"),
      "/hidden": page("Hidden"),
      "/removed": page("Removed"),
    };
    const all = ["/", "/edited", "/hidden", "/kept", "/removed"];
    expect(await crawled("site")).toEqual(Object.fromEntries(all.map(path => [path, "new visible"])));
    expect(await crawled("site")).toEqual(Object.fromEntries(all.map(path => [path, "same visible"])));
    shown["/"] = page("Home", "/kept", "/edited", "/added");
    shown["/edited"] = page("Edited anew");
    shown["/added"] = page("Added");
    shown["/removed"] = 404;
    expect(await crawled("site")).toEqual({
      "/": "changed visible",
      "/added": "new visible",
      "/edited": "changed visible",
      "/hidden": "same hidden",
      "/kept": "same visible",
      "/removed": "removed hidden",
    });
    const again = await crawled("site");
    expect(again).toMatchObject({ "/hidden": "same hidden", "/added": "same visible" });
    expect(again).not.toHaveProperty("/removed");
    expect(Object.keys(await crawled("other"))).toEqual(expect.not.arrayContaining(["/hidden"]));
  });

  test("what a deleted key has read is gone", async () => {
    const key = await crawler().newKey("leaver");
    shown["/own"] = said("Mine.");
    await scraped(`${site.url}/own`, {}, {}, key);
    const { history } = localService<{ history: Pick<History, "sourceIds"> }>(installationOf(), "scraper");
    const listed = await crawler().request("GET", "/internal/keys?owner=leaver", { admin: true });
    const [found] = listed.json<{ data: { id: string }[] }>().data;
    const kept = async () => (await history.sourceIds("", 100)).filter(id => id.includes(found?.id ?? "?"));
    expect(await kept()).toHaveLength(1);
    await crawler().request("DELETE", `/internal/keys/${found?.id}`, { admin: true });
    await until("all is erased", async () => (await kept()).length === 0);
  });
}
