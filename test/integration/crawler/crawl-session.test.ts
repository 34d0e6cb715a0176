import { toConfig } from "../../../mixins/config/config.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { type LoginSite, loginWith, seed, startLoginSite } from "../../support/login-site.ts";
import { until } from "../../support/until.ts";
import { type Crawler, startCrawler } from "./crawler.ts";

let site: LoginSite;
let other: Site;
let crawler: Crawler;

beforeAll(async () => {
  site = await startLoginSite("correct horse");
  other = await startSite({ "/": "<title>Other</title><p>Another site.</p>" }, undefined, "127.0.0.2");
  const { PATH, BROWSER_PATH } = process.env;
  const { browser } = toConfig({ PATH, BROWSER_PATH });
  crawler = await startCrawler({ browser, egressAllow: ["127.0.0.1", "127.0.0.2"] });
});
afterAll(async () => {
  await crawler?.stop();
  await Promise.all([site?.close(), other?.close()]);
});

const bodyOf = (session: object) => ({
  url: `${site.url}/orders`,
  session,
  crawler: { limit: 3, concurrency: 1 },
  request: { block_ads: false },
});

test("a crawl reads the pages of its key's session, which signs in once", async () => {
  const session = { name: "shop", login: loginWith("correct horse") };
  const body = { url: `${site.url}/app`, session, js_render: { enabled: false } };
  // The page asks for no login: the scrape brings it for later.
  expect((await crawler.request("POST", "/web/scrape", { body })).status).toBe(200);
  expect(site.tries).toEqual([]);
  const { data, status } = await crawler.ended(await crawler.accepted(bodyOf({ name: "shop" })));
  expect([status, site.tries.length]).toEqual(["completed", 1]);
  expect(data.map(({ metadata }) => URL.parse(metadata.final_url)?.pathname).sort()).toEqual([
    "/orders",
    "/orders/2",
  ]);
  for (const { markdown } of data) expect(markdown).toContain("You have 1 orders");
});

test("pages of a session without a login fail, and say why", async () => {
  const id = await crawler.accepted(bodyOf({ name: "none" }));
  await crawler.ended(id);
  const errors = await crawler.request("GET", `/web/crawl/${id}/errors`);
  expect(errors.json<{ data: object[] }>().data).toEqual([
    expect.objectContaining({
      code: "target_blocked",
      message: expect.stringContaining("has no login"),
    }),
  ]);
});

test("a crawl brings the login of its session, which nothing shows", async () => {
  site.tries = [];
  const id = await crawler.accepted(bodyOf({ name: "brought", login: loginWith("correct horse") }));
  const { data, status } = await crawler.ended(id);
  expect([status, data.length, site.tries.length]).toEqual(["completed", 2, 1]);
  const stored = JSON.stringify(await crawler.context().crawls.findById(id));
  const shown = (await crawler.request("GET", "/web/crawl")).text;
  for (const secret of ["correct horse", seed]) expect(stored + shown).not.toContain(secret);
  expect(stored).toContain('"session":{"name":"brought"}');
});

describe("a redirect within the site asks robots.txt", () => {
  const paths = () => site.hits.map(({ url }) => url);

  test("also in a session", async () => {
    site.robots = "User-agent: *\nDisallow: /hidden\n";
    const body = { ...bodyOf({ name: "brought" }), url: `${site.url}/orders/moved` };
    const { data } = await crawler.ended(await crawler.accepted(body));
    expect(data).toEqual([]);
    expect(paths()).toContain("/orders/moved");
    expect(paths()).not.toContain("/hidden");
  });

  test("but for the page that the login names as its own", async () => {
    site.robots = "User-agent: *\nDisallow: /login\n";
    const body = (name: string, more: object) => ({
      ...bodyOf({ name, login: { ...loginWith("correct horse"), ...more } }),
      url: `${site.url}/orders/named?${name}`,
    });
    const found: number[] = [];
    site.tries = [];
    for (const [name, more] of [["unnamed", {}] as const, ["named", { url: `${site.url}/login` }] as const])
      found.push((await crawler.ended(await crawler.accepted(body(name, more)))).data.length);
    expect([found, site.tries.length]).toEqual([[0, 2], 1]);
  });
});

const refused = async (path: string, body: object) => {
  const reply = await crawler.request("POST", path, { body });
  return [reply.status, reply.json<{ details: { field: string }[] }>().details[0]?.field];
};

test("a login at another site is refused, and so is one that is wrong", async () => {
  const login = { ...loginWith("correct horse"), url: "https://other.example/login" };
  expect(await refused("/web/crawl", bodyOf({ name: "shop", login }))).toEqual([400, "session.login.url"]);
  const empty = { actions: [{ type: "type", text: "x" }] };
  expect(await refused("/web/crawl", bodyOf({ name: "shop", login: empty }))).toEqual([
    400,
    "session.login.actions.0.selector",
  ]);
});

interface Batch {
  status: string;
  data: { markdown: string }[];
}

const batchOf = (urls: string[], session: object) => ({
  ...{ urls, session, concurrency: 1 },
  request: { block_ads: false, only_main_content: false },
});
const batched = async (body: object) => {
  const reply = await crawler.request("POST", "/web/batch", { body });
  const { batch_id } = reply.json<{ batch_id: string }>();
  const found: { batch?: Batch } = {};
  await until("the batch has ended", async () => {
    found.batch = (await crawler.request("GET", `/web/batch/${batch_id}`)).json<Batch>();
    return found.batch.status === "completed";
  });
  return found.batch?.data.map(({ markdown }) => markdown) ?? [];
};

test("a batch of one site brings the login, and one of several sites has a jar for each", async () => {
  site.tries = [];
  const session = { name: "batch", login: loginWith("correct horse") };
  const pages = await batched(batchOf([`${site.url}/orders`, `${site.url}/orders/2`], session));
  expect([pages.length, site.tries.length]).toEqual([2, 1]);
  for (const markdown of pages) expect(markdown).toContain("You have 1 orders");
  const { length } = other.hits;
  const both = await batched(batchOf([`${site.url}/orders`, `${other.url}/`], { name: "batch" }));
  expect(both.length).toBe(2);
  for (const words of ["Another site", "You have 1 orders"]) expect(both.join("\n")).toContain(words);
  expect(other.hits.slice(length).map(({ headers }) => headers.cookie)).toEqual([undefined]);
});

test("a batch of several sites has no login of its own", async () => {
  const session = { name: "batch", login: loginWith("correct horse") };
  expect(await refused("/web/batch", batchOf([`${site.url}/orders`, `${other.url}/`], session))).toEqual([
    400,
    "session.login",
  ]);
});
