import { toConfig } from "../../../mixins/config/config.ts";
import { type LoginSite, loginWith, startLoginSite } from "../../support/login-site.ts";
import { type Crawler, startCrawler } from "./crawler.ts";

let site: LoginSite;
let crawler: Crawler;

beforeAll(async () => {
  site = await startLoginSite("correct horse");
  const { PATH, BROWSER_PATH } = process.env;
  crawler = await startCrawler({ browser: toConfig({ PATH, BROWSER_PATH }).browser });
});
afterAll(async () => {
  await crawler?.stop();
  await site?.close();
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

test("a login itself is for scrapes", async () => {
  const session = { name: "shop", login: loginWith("correct horse") };
  const reply = await crawler.start(bodyOf(session));
  expect([reply.status, reply.json<{ details: { field: string }[] }>().details[0]?.field]).toEqual([
    400,
    "session.login",
  ]);
});
