import { readdirSync } from "node:fs";
import { parse } from "node-html-parser";
import { type Magpie, startMagpie } from "../../support/magpie.ts";

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

let magpie: Magpie;
beforeAll(async () => {
  magpie = await startMagpie();
});
afterAll(() => magpie.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  magpie.request("GET", path, { key: null, headers });
const page = (path: string) => get(path, { accept: browser });

describe("GET /", () => {
  test("is a page for a browser, with its state and the ways on", async () => {
    const { status, headers, text } = await page("/");
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const root = parse(text);
    expect(root.querySelector(".health p")?.text).toMatch(/works|work now/);
    const links = root.querySelectorAll(".cards a").map(link => link.getAttribute("href"));
    expect(links).toEqual([
      "/dashboard",
      "/guide",
      "/docs",
      "/health/ready",
      "/openapi.json",
      "/asyncapi.json",
      "/llms.txt",
    ]);
  });

  test.each([undefined, "*/*", "application/json", "application/json, text/plain, */*"])(
    "is JSON for %j",
    async accept => {
      const { status, headers, json } = await get("/", accept === undefined ? {} : { accept });
      expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
      expect(json()).toEqual({
        name: "Magpie",
        summary: expect.stringMatching(/^Magpie reads/),
        status: expect.stringMatching(/^(ready|degraded|unavailable)$/),
        links: {
          dashboard: `${magpie.url}/dashboard`,
          guide: `${magpie.url}/guide`,
          api_reference: `${magpie.url}/docs`,
          health: `${magpie.url}/health/ready`,
          openapi: `${magpie.url}/openapi.json`,
          asyncapi: `${magpie.url}/asyncapi.json`,
          llms: `${magpie.url}/llms.txt`,
        },
      });
    },
  );

  test("says what /health/ready says", async () => {
    const health = (await get("/health/ready")).json<{ missing: { room: string; name: string }[] }>();
    const { text } = await page("/");
    const { status } = (await get("/")).json();
    expect(parse(text).querySelector(".health")?.classList.contains(String(status))).toBe(true);
    expect(health.missing.length).toBeGreaterThan(0);
    for (const { room, name } of health.missing) expect(text).toContain(`<code>${room}/${name}</code>`);
  });

  test("names no dashboard where there is none", async () => {
    const closed = await startMagpie({ dashboard: false });
    try {
      const { links } = (await closed.request("GET", "/", { key: null })).json<{ links: object }>();
      expect(Object.keys(links)).not.toContain("dashboard");
      const { text } = await closed.request("GET", "/", { key: null, headers: { accept: browser } });
      expect(text).not.toContain("/dashboard");
      const icon = await closed.request("GET", "/assets/icon.svg", { key: null });
      expect(icon.status).toBe(200);
    } finally {
      await closed.stop();
    }
  });
});

describe("every page", () => {
  interface Seen {
    path: string;
    html: string;
    ids: Set<string>;
    links: string[];
  }
  let seen: Map<string, Seen>;

  /** Follows all links from the front page within `/` and `/guide`. */
  beforeAll(async () => {
    seen = new Map();
    const waiting = ["/"];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue;
      const { status, text, headers } = await page(path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get("content-security-policy")).toMatch(/default-src 'none'; script-src 'self';/);
      const root = parse(text);
      const links = root.querySelectorAll("a").map(link => link.getAttribute("href") ?? "");
      const ids = new Set(root.querySelectorAll("[id]").map(element => element.id));
      seen.set(path, { path, html: text, ids, links });
      const within = links
        .filter(link => /^\/guide(?!.*\.md$)/.test(link))
        .map(link => link.replace(/#.*/, ""));
      waiting.push(...within);
    }
  });

  test("of the documentation, without the notes of the lab, is reached", () => {
    const files = readdirSync("docs", { recursive: true }).filter(name =>
      /^(?!lab[/\\]).*\.md$/.test(String(name)),
    );
    expect(seen.size).toBe(files.length + 1);
  });

  test("has links that lead somewhere, to the very place", async () => {
    const others = new Map<string, number>();
    const broken: string[] = [];
    for (const { path, links, ids } of seen.values())
      for (const link of links) {
        const [target = "", anchor] = link.split("#", 2);
        if (/^https?:/.test(link)) continue;
        const known = target === "" ? ids : seen.get(target)?.ids;
        if (!known && !others.has(target)) others.set(target, (await get(target)).status);
        if (
          known
            ? anchor !== undefined && !known.has(anchor)
            : others.get(target) !== 200 && others.get(target) !== 503
        )
          broken.push(`${path}: ${link}`);
      }
    expect(broken).toEqual([]);
    expect(others.size).toBeGreaterThan(seen.size / 2);
  });

  test("loads nothing from elsewhere and has no code or style of its own", async () => {
    const loaded = new Set<string>();
    for (const { path, html } of seen.values()) {
      const root = parse(html);
      for (const element of root.querySelectorAll("script, img, link[rel=stylesheet], link[rel=icon]"))
        loaded.add(element.getAttribute("src") ?? element.getAttribute("href") ?? `nothing on ${path}`);
      expect([path, root.querySelectorAll("style, [style], iframe, object, embed, base").length]).toEqual([
        path,
        0,
      ]);
      const handlers = [...html.matchAll(/<[^>]*\s(on\w+)=/g)].map(([, name]) => name);
      expect([path, handlers]).toEqual([path, []]);
    }
    for (const file of loaded) {
      expect(file).toMatch(/^\/assets\/[\w.-]+$/);
      expect([file, (await get(file)).status]).toEqual([file, 200]);
    }
    expect(loaded.size).toBeGreaterThan(4);
  });

  test("has one h1, a title, and the pages around it", () => {
    for (const { path, html } of seen.values()) {
      const root = parse(html);
      expect([path, root.querySelectorAll("h1").length]).toEqual([path, 1]);
      expect([path, root.querySelector("title")?.text]).toEqual([path, expect.stringMatching(/Magpie$/)]);
      if (path === "/") continue;
      expect(root.querySelectorAll(".pages a").length).toBeGreaterThan(20);
      expect(root.querySelectorAll(".neighbours a").length).toBeGreaterThan(0);
    }
  });
});

test("drawings are drawn", async () => {
  for (const path of [
    "/guide/scraping",
    "/guide/crawling",
    "/guide/tracking",
    "/guide/webhooks",
    "/guide/cluster",
  ]) {
    const { text } = await page(path);
    expect(parse(text).querySelectorAll("figure.drawing svg").length).toBeGreaterThan(0);
  }
});

test.each([
  "/guide",
  "/guide/webhooks",
  "/guide/webhooks.md",
  "/llms.txt",
  "/llms-full.txt",
  "/assets/guide.css",
])("%s is not sent again to who has it", async path => {
  const first = await get(path, { accept: browser });
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]{20,}"$/);
  const again = await get(path, { accept: browser, "if-none-match": `"other", W/${etag}` });
  expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
  expect((await get(path, { accept: browser, "if-none-match": '"other"' })).status).toBe(200);
});

test("a page is there as Markdown, and the page names it", async () => {
  const { text } = await page("/guide/webhooks");
  expect(parse(text).querySelector("link[rel=alternate]")?.getAttribute("href")).toBe("/guide/webhooks.md");
  const markdown = await get("/guide/webhooks.md");
  expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(markdown.text).toMatch(/^# Webhooks\n/);
  expect(markdown.text).toContain("](/guide/cluster.md#starting-stopping-failing)");
  expect((await get("/guide/README.md")).text).toMatch(/^# Documentation\n/);
});

test.each([
  "/guide/nowhere",
  "/guide/nowhere.md",
  "/guide/..%2FREADME",
  "/guide/README",
  "/guide/constructor",
])("%s is 404, in the form that was asked for", async path => {
  const { status, json } = await get(path);
  expect([status, json().code]).toEqual([404, "not_found"]);
  const shown = await page(path);
  expect([shown.status, shown.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(parse(shown.text).querySelector("h1")?.text).toBe("There is no such page");
});

test.each(["nothing.css", "..%2Fpackage.json", "constructor", "guide.ts", "main.ts"])(
  "/assets/%s is 404",
  async name => expect((await get(`/assets/${name}`)).status).toBe(404),
);

describe("the search", () => {
  interface Found {
    data: { title: string; heading: string; url: string; excerpt: { text: string; match: boolean }[] }[];
  }

  test("finds the place", async () => {
    const { data } = (await get("/guide?q=own+network")).json<Found>();
    expect(data[0]).toMatchObject({ title: "Scraping your own network", url: "/guide/your-own-network" });
    const { text } = await page("/guide?q=EGRESS_ALLOW");
    expect(parse(text).querySelectorAll(".hits li").length).toBeGreaterThan(2);
    expect(parse(text).querySelectorAll(".hits mark").length).toBeGreaterThan(2);
  });

  test("shows what was asked for as text", async () => {
    const words = '"><script>alert(1)</script>';
    const { text } = await page(`/guide?q=${encodeURIComponent(words)}`);
    expect(text).not.toContain("<script>alert");
    const root = parse(text);
    expect(root.querySelector("#q")?.getAttribute("value")).toBe(words);
    expect(root.querySelector("h1")?.text).toContain("script");
  });

  test.each([`q=${"x".repeat(201)}`, "q=a&q=b"])("refuses a query of ?%.20s", async query => {
    const { status, json } = await get(`/guide?${query}`);
    expect(status).toBe(400);
    expect(json<{ details: { field: string }[] }>().details[0]?.field).toBe("q");
  });
});

describe("llms.txt", () => {
  test("has absolute links, and each leads to Markdown", async () => {
    const { text, headers } = await get("/llms.txt");
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(80);
    for (const link of links) {
      expect(link.startsWith(`${magpie.url}/guide/`)).toBe(true);
      const { status, text } = await get(link.slice(magpie.url.length));
      expect([link, status, text.startsWith("# ")]).toEqual([link, 200, true]);
    }
  });

  test("has the address that the operator gave", async () => {
    const other = await startMagpie({ publicUrl: "https://magpie.example" });
    try {
      const { text } = await other.request("GET", "/llms.txt", { key: null });
      expect(text).toContain("(https://magpie.example/guide/quickstart.md)");
      expect(text).not.toContain(other.url);
    } finally {
      await other.stop();
    }
  });

  test("the whole guide in one text", async () => {
    const { text } = await get("/llms-full.txt");
    for (const title of ["# Quickstart", "# Webhooks", "# Configuration", "# A cluster"])
      expect(text).toContain(`\n${title}\n`);
  });
});

test("the API reference, the guide and the front page link to one another", async () => {
  const linked = async (path: string) =>
    new Set(
      parse((await page(path)).text)
        .querySelectorAll("a")
        .map(link => link.getAttribute("href")),
    );
  expect([...(await linked("/docs"))]).toEqual(expect.arrayContaining(["/", "/guide"]));
  expect([...(await linked("/guide"))]).toEqual(expect.arrayContaining(["/", "/docs"]));
  expect([...(await linked("/"))]).toEqual(expect.arrayContaining(["/guide", "/docs"]));
});
