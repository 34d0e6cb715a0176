/**
 * Uses every operation of a service with simulated networks, once, as a program outside this repository does. It reads
 * MAGPIE_URL, MAGPIE_API_KEY, MAGPIE_ADMIN_KEY and SITE: a site with `/`, `/feed.xml`, `/slow` (no answer) and `/hook`.
 */
import { type Event, Magpie, MagpieError, type Page } from "magpie-client";

const {
  MAGPIE_URL: url = "",
  MAGPIE_API_KEY: apiKey = "",
  MAGPIE_ADMIN_KEY: adminKey = "",
  SITE: site = "",
} = process.env;
const magpie = new Magpie({ url, apiKey });
const admin = new Magpie({ url, adminKey });
const { raw } = magpie;

await scrapes();
await crawls();
await batches();
await tracking();
await history();
await sites();
await monitors();
await platforms();
await webhooks();
await endpoints();
await methods();
await administrator();
await lists();
await streams();
await keys();
await owners();
await administration();
await pages();
console.log("every operation was used");

async function scrapes(): Promise<void> {
  const json_schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
  const output = { formats: ["markdown" as const, "json" as const], json: { json_schema } };
  const scrape = await magpie.scrape({ url: `${site}/`, output, js_render: { enabled: false } });
  const { markdown = "", json = {} } = scrape.data;
  expect(markdown.includes("Seven boats"), "the page has its text");
  expect(typeof json.title === "string", "the page has its title");
  const shot = await magpie.scrape({
    url: `${site}/`,
    output: { formats: ["screenshot"] },
    js_render: { enabled: true },
  });
  const { data } = await raw.GET("/web/screenshot/{key}", {
    params: { path: { key: shot.data.screenshot ?? "" } },
    parseAs: "arrayBuffer",
  });
  expect((data as unknown as ArrayBuffer).byteLength > 1000, "the screenshot is a picture");
  expect((await magpie.screenshot(shot.data.screenshot ?? "")).type === "image/png", "and of its type");
  const file = new Blob(["Boat,Length\nHeron,12\n"]);
  const parsed = await magpie.parse(file, { name: "boats.csv" });
  expect((parsed.data.markdown ?? "").includes("Heron"), "the document has its text");
  const form = new FormData();
  form.append("file", file, "boats.csv");
  await ok(raw.POST("/web/parse", { body: { file: "" }, bodySerializer: () => form }));
  const { scrape_id } = await magpie.startScrape({ url: `${site}/`, timeout: 5000 });
  expect((await magpie.finishedScrape(scrape_id)).status === "completed", "the scrape ends");
  await ok(raw.GET("/web/scrape/{scrape_id}", { params: { path: { scrape_id } } }));
  await ok(raw.GET("/web/scrape", { params: { query: { limit: 5, status: "completed" } } }));
  await magpie.scrape({ url: `${site}/`, session: { name: "boats" }, js_render: { enabled: false } });
  const session = (await ok(raw.GET("/sessions", { params: { query: { limit: 5 } } }))).data[0];
  const ofSession = { path: { id: session?.id ?? "" } };
  await ok(raw.GET("/sessions/{id}", { params: ofSession }));
  await ok(raw.DELETE("/sessions/{id}", { params: ofSession }));
  const body = { url: `${site}/slow`, mode: "async" as const };
  for (const cancel of [raw, undefined]) {
    const pending = await ok(raw.POST("/web/scrape", { body }));
    const params = { path: { scrape_id: pending.scrape_id } };
    if (cancel) await ok(raw.DELETE("/web/scrape/{scrape_id}", { params }));
    else await ok(admin.raw.DELETE("/internal/scrapes/{scrape_id}", { params }));
  }
}

async function crawls(): Promise<void> {
  const found: Page[] = [];
  const job = magpie.crawl({ url: `${site}/`, crawler: { limit: 10 }, js_render: { enabled: false } });
  for await (const page of job) found.push(page);
  expect(found.length === 2, "the crawl has both pages");
  expect((await job.status()).status === "completed", "the crawl is completed");
  const params = { path: { crawl_id: job.id ?? "" } };
  await ok(raw.GET("/web/crawl/{crawl_id}", { params: { ...params, query: { limit: 1 } } }));
  await ok(raw.GET("/web/crawl/{crawl_id}/errors", { params }));
  await ok(raw.GET("/web/crawl", { params: { query: {} } }));
  const map = await magpie.map({ url: `${site}/`, search: "heron" });
  expect(map.data[0]?.url === `${site}/heron`, "the map has the page that is searched for first");
  await ok(raw.POST("/web/map", { body: { url: `${site}/`, limit: 10 } }));
  for (const cancel of [raw, undefined]) {
    const { crawl_id } = await ok(raw.POST("/web/crawl", { body: { url: `${site}/slow` } }));
    const one = { path: { crawl_id } };
    if (cancel) await ok(raw.DELETE("/web/crawl/{crawl_id}", { params: one }));
    else await ok(admin.raw.DELETE("/internal/crawls/{crawl_id}", { params: one }));
  }
}

async function batches(): Promise<void> {
  const found: Page[] = [];
  const job = magpie.batch({
    urls: [`${site}/`, `${site}/heron`, `${site}/none`],
    js_render: { enabled: false },
  });
  for await (const page of job) found.push(page);
  expect(found.length === 3, "the batch has all its pages, the one that answers 404 as well");
  const params = { path: { batch_id: job.id ?? "" } };
  await ok(raw.GET("/web/batch/{batch_id}", { params: { ...params, query: { limit: 1 } } }));
  await ok(raw.GET("/web/batch/{batch_id}/errors", { params }));
  const { batch_id } = await ok(raw.POST("/web/batch", { body: { urls: [`${site}/slow`] } }));
  await ok(raw.DELETE("/web/batch/{batch_id}", { params: { path: { batch_id } } }));
}

async function tracking(): Promise<void> {
  const path = { source: "rss" as const };
  const tracked = await ok(
    raw.POST("/track/{source}", { params: { path }, body: { sid: `${site}/feed.xml` } }),
  );
  const iid = "data" in tracked ? tracked.data.id : "";
  await ok(raw.PATCH("/track/{source}", { params: { path }, body: { iid, options: { tags: ["boats"] } } }));
  await ok(raw.GET("/track", { params: { query: { source: "rss" } } }));
  await ok(raw.POST("/track/{source}/preview", { params: { path }, body: { sid: `${site}/feed.xml` } }));
  await ok(raw.POST("/track/{source}/poll", { params: { path }, body: { iid } }));
  await ok(admin.raw.GET("/internal/sources"));
  await ok(admin.raw.POST("/internal/sources/{id}/poll", { params: { path: { id: iid } } }));
  await ok(
    raw.GET("/track/{source}/find", {
      params: { path: { source: "microblog" }, query: { query: "corvid" } },
    }),
  );
  await ok(
    raw.POST("/track/{source}", { params: { path: { source: "microblog" } }, body: { sid: "corvid_lab" } }),
  );
  await ok(
    raw.DELETE("/track/{source}", { params: { path: { source: "microblog" } }, body: { eid: "1002" } }),
  );
  const items = [{ source: "rss" as const, sid: `${site}/feed.xml`, options: { tags: ["boats"] } }];
  const { data: many } = await ok(raw.POST("/track/batch", { body: { items } }));
  const batch = { path: { batch_id: many.id }, query: { limit: 10 } };
  await ok(raw.GET("/track-batches/{batch_id}", { params: batch }));
  const sid = "https://messenger.example/+innernest2026";
  const messenger = { source: "messenger" as const };
  const gated = await ok(raw.POST("/track/{source}", { params: { path: messenger }, body: { sid } }));
  const id = "jobId" in gated ? gated.jobId : "";
  await ok(raw.GET("/track/{source}/status", { params: { path: messenger, query: { id } } }));
  await ok(raw.GET("/track/joins", { params: { query: {} } }));
  await ok(admin.raw.GET("/internal/joins", { params: { query: {} } }));
  await ok(admin.raw.DELETE("/internal/sources/{id}", { params: { path: { id: iid } } }));
}

async function history(): Promise<void> {
  const path = { source: "web" as const };
  const tracked = await ok(raw.POST("/track/{source}", { params: { path }, body: { sid: `${site}/` } }));
  const page = magpie.source("data" in tracked ? tracked.data.id : "");
  expect((await page.details()).versions === 1, "one version is kept");
  const now = await page.versionAt(new Date());
  if (!now) throw new Error("what the page says now is kept");
  for await (const version of page.versions()) expect(version.id === now.id, "it is in the list");
  expect((await page.version(now.id)).text.includes("Seven boats"), "its text is there");
  expect((await page.versionHtml(now.id)).includes("Seven boats"), "its HTML is there");
  expect((await page.diff()).from === null, "nothing came before it");
  expect((await page.unifiedDiff({ to: now.id })).startsWith("---"), "a unified diff is text");
  expect((await page.values({ every: "1d" })).length === 0, "a page has no values");
  expect(
    (await page.rehearse({ options: { select: ["h1"] }, days: 30 })).fired === 0,
    "nothing would have fired",
  );
  for await (const found of magpie.search("boats")) expect(found.version === now.id, "its words are found");
  for await (const { outcome } of page.checks({ outcome: "same" }))
    expect(outcome === "same", "the outcome is the one asked for");
  await rawHistory(page.id, now.id);
  await page.eraseVersions();
}

/** The operations below the methods. */
async function rawHistory(id: string, version: string): Promise<void> {
  const params = { path: { id } };
  await ok(raw.GET("/sources/{id}", { params }));
  await ok(raw.GET("/sources/{id}/checks", { params: { ...params, query: { limit: 5 } } }));
  await ok(raw.GET("/sources/{id}/versions", { params: { ...params, query: { all: true } } }));
  await ok(raw.GET("/sources/{id}/versions/{version}", { params: { path: { id, version } } }));
  await ok(raw.GET("/sources/{id}/diff", { params: { ...params, query: { to: version } } }));
  await ok(raw.GET("/sources/{id}/values", { params: { ...params, query: { as: "csv" } }, parseAs: "text" }));
  await ok(raw.POST("/sources/{id}/rehearse", { params, body: { days: 7 } }));
  await ok(raw.GET("/search", { params: { query: { q: "boats" } } }));
  await ok(raw.DELETE("/sources/{id}/versions", { params }));
}

async function sites(): Promise<void> {
  const path = { source: "site" as const };
  const body = { sid: `${site}/`, options: { limit: 10 } };
  const tracked = await ok(raw.POST("/track/{source}", { params: { path }, body }));
  const watched = magpie.source("data" in tracked ? tracked.data.id : "");
  for (let there = 0; there < 2; ) {
    there = 0;
    for await (const page of watched.pages({ state: "there" })) there += page.title ? 1 : 0;
    await new Promise(resolve => setTimeout(resolve, 500));
  }
  expect((await watched.details()).site?.pages === 2, "both pages are watched");
  expect((await watched.tree())[0]?.pages === 2, "and are below one host");
  const params = { path: { id: watched.id } };
  await ok(raw.GET("/sources/{id}/pages", { params: { ...params, query: { prefix: "/", limit: 5 } } }));
  await ok(raw.GET("/sources/{id}/tree", { params: { ...params, query: { changed_since: "2026-01-01" } } }));
  await ok(raw.DELETE("/track/{source}", { params: { path }, body: { iid: watched.id } }));
}

async function monitors(): Promise<void> {
  const request = {
    name: "Boats",
    schedule: { text: "daily at 9:00" },
    targets: [{ source: "web" as const, sids: [`${site}/heron`] }],
  };
  const monitor = magpie.monitor((await magpie.monitors.create(request)).id);
  for await (const { id } of magpie.monitors.list()) expect(id === monitor.id, "it is in the list");
  const begun = await monitor.run();
  const check = await monitor.finishedCheck(begun.id, { pollMs: 100 });
  expect(check.status === "completed", "its check ends");
  for await (const page of monitor.pages(check.id)) expect(page.status === "new", "its page is new");
  for await (const { id } of monitor.checks({ status: "completed" })) expect(id === check.id, "it is listed");
  expect((await monitor.change({ paused: true })).paused, "it is paused");
  expect((await monitor.details()).paused, "and says so");
  await rawMonitors(monitor.id, check.id);
  await monitor.delete();
}

/** The operations below the methods. */
async function rawMonitors(id: string, check: string): Promise<void> {
  const params = { path: { id } };
  await ok(raw.GET("/monitors", { params: { query: { limit: 5 } } }));
  await ok(raw.GET("/monitors/{id}", { params }));
  await ok(raw.PATCH("/monitors/{id}", { params, body: { paused: false } }));
  await ok(raw.GET("/monitors/{id}/checks", { params: { ...params, query: { limit: 5 } } }));
  await ok(raw.GET("/monitors/{id}/checks/{check}", { params: { path: { id, check } } }));
  await ok(raw.POST("/monitors/{id}/run", { params }));
  const schedule = { cron: "0 9 * * *" };
  const targets = [{ source: "web" as const, sids: [`${site}/`] }];
  const { data } = await ok(raw.POST("/monitors", { body: { name: "B", schedule, targets } }));
  await ok(raw.DELETE("/monitors/{id}", { params: { path: { id: data.id } } }));
}

async function platforms(): Promise<void> {
  await ok(raw.POST("/track-user", { body: { username: "quiet_wren" } }));
  await ok(raw.GET("/tracked-users"));
  await ok(raw.POST("/track-chat", { body: { channelId: "2031" } }));
  const query = { q: "a", limit: 5 };
  await ok(raw.GET("/messenger/search", { params: { query } }));
  await ok(
    raw.GET("/messenger/channel/{channelId}/search", {
      params: { path: { channelId: "bird_radio" }, query },
    }),
  );
  await ok(raw.GET("/microblog/about-user", { params: { query: { username: "quiet_wren" } } }));
  const posts = await ok(admin.raw.POST("/internal/backfill", { body: { uid: "1001", limit: 2 } }));
  const [post] = posts;
  if (!post) throw new Error("the account has no posts");
  await ok(raw.GET("/microblog/post", { params: { query: { postId: post.rest_id } } }));
  const range = { since: "2020-01-01T00:00:00Z", until: "2100-01-01T00:00:00Z" };
  await ok(admin.raw.POST("/internal/backfill", { body: { username: "corvid_lab", ...range, limit: 2 } }));
  await ok(admin.raw.POST("/internal/dispatch", { body: { posts: [post], dry_run: true } }));
  await ok(admin.raw.POST("/internal/dispatch", { body: { posts: [post] } }));
}

async function webhooks(): Promise<void> {
  await ok(raw.POST("/webhook", { body: { url: `${site}/hook`, name: "boats" } }));
  await ok(raw.GET("/webhook"));
  await ok(raw.GET("/webhooks"));
  await ok(raw.PATCH("/webhook", { body: { ordering: "none", rotate_secret: true } }));
  await ok(raw.POST("/webhook/test"));
  await ok(raw.POST("/webhook/replay", { body: { since: new Date(Date.now() - 60_000).toISOString() } }));
  const id = await delivered();
  await ok(raw.GET("/webhook/deliveries/{id}", { params: { path: { id } } }));
  await ok(raw.POST("/webhook/deliveries/{id}/retry", { params: { path: { id } } }));
  await ok(admin.raw.GET("/internal/deliveries", { params: { query: { limit: 5 } } }));
  const { data: lanes } = await ok(admin.raw.GET("/internal/lanes", { params: { query: {} } }));
  const lane = { path: { webhook_id: lanes[0]?.webhook_id ?? "" } };
  await ok(admin.raw.POST("/internal/lanes/{webhook_id}/reactivate", { params: lane }));
  const replay = { since: new Date(Date.now() - 60_000).toISOString() };
  await ok(admin.raw.POST("/internal/lanes/{webhook_id}/replay", { params: lane, body: replay }));
  await ok(raw.DELETE("/webhook"));
}

async function endpoints(): Promise<void> {
  const body = { url: `${site}/hook`, event_types: ["webhook.test" as const] };
  const { data: endpoint } = await ok(raw.POST("/webhooks", { body }));
  const path = { id: endpoint.id };
  await ok(raw.GET("/webhooks/{id}", { params: { path } }));
  await ok(raw.PATCH("/webhooks/{id}", { params: { path }, body: { name: "tests only", asymmetric: true } }));
  const keys = await ok(raw.GET("/.well-known/webhooks/keys/{id}", { params: { path } }));
  expect(keys.keys.length === 1, "a key checks its signatures");
  const { data: test } = await ok(raw.POST("/webhooks/{id}/test", { params: { path } }));
  const transform = { transform: '{"text": type}' };
  const { data: tried } = await ok(
    raw.POST("/webhooks/{id}/transform/test", { params: { path }, body: transform }),
  );
  expect(tried.transform_problem === null, "a transform is tried on an event");
  const attempts = async () => (await ok(raw.GET("/webhooks/{id}/deliveries", { params: { path } }))).data;
  while ((await attempts()).length === 0) await new Promise(resolve => setTimeout(resolve, 200));
  const [attempt] = await attempts();
  const retried = { ...path, delivery_id: attempt?.id ?? "" };
  await ok(raw.POST("/webhooks/{id}/deliveries/{delivery_id}/retry", { params: { path: retried } }));
  const event_ids = [test.event_id];
  await ok(raw.POST("/webhooks/{id}/replay", { params: { path }, body: { event_ids } }));
  await ok(raw.DELETE("/webhooks/{id}", { params: { path } }));
  const { data: types } = await ok(raw.GET("/event-types"));
  expect(
    types.some(({ type }) => type === "rss.item.created"),
    "the catalogue has its types",
  );
}

/** What has methods of its own, beside `raw`. */
async function methods(): Promise<void> {
  const { sources, webhooks, deliveries, feeds, account, keys } = magpie;
  const seen = await sources.preview("web", `${site}/heron`, { select: ["h1"] });
  expect(seen.view?.text?.includes("Heron") ?? false, "the preview has the part");
  const tracked = await sources.track("web", `${site}/heron`, { tags: ["boats"] });
  if ("jobId" in tracked) throw new Error("a page is tracked at once");
  const { id } = await sources.change("web", { id: tracked.id }, { select: ["h1"] });
  await sources.poll("web", id);
  const batch = await sources.trackMany([{ source: "web", sid: `${site}/` }]);
  expect((await sources.finishedBatch(batch.id, { pollMs: 100 })).state === "completed", "the batch ends");
  for await (const entry of sources.batchEntries(batch.id)) expect(entry.number === 0, "it has one entry");
  let listed = 0;
  for await (const { tags } of sources.list({ source: "web" })) listed += tags.includes("boats") ? 1 : 0;
  expect(listed === 1, "the list has the source with its tag");
  expect((await sources.get(id)).name.length > 0, "it has a name");
  expect((await sources.importOpml(await sources.exportOpml(), { dryRun: true })).failed === 0, "OPML");
  for await (const found of sources.find("microblog", "corvid"))
    expect(found.id !== "", "an account is found");

  const created = await webhooks.create({ url: `${site}/hook`, event_types: ["webhook.test"] });
  expect((await webhooks.get(created.id)).status === "ACTIVE", "it is active");
  await webhooks.update(created.id, { name: "boats" });
  expect((await webhooks.rotateSecret(created.id)) !== created.secret, "the secret is another");
  for await (const endpoint of webhooks.list()) expect(endpoint.id === created.id, "it is the only one");
  const event = await webhooks.test(created.id);
  const attempt = await firstOf(() => webhooks.deliveries(created.id, { event_id: event }));
  expect((await deliveries.get(attempt.id)).event_id === event, "the attempt is that of the test");
  const tried = await webhooks.tryTransform(created.id, { event_id: event, transform: "type" });
  expect(tried.body === "webhook.test", "the body is the type");
  await webhooks.retry(created.id, attempt.id);
  await deliveries.retry(attempt.id);
  await firstOf(() => deliveries.list({ status: "succeeded" }));
  expect((await webhooks.replay(created.id, { event_ids: [event] })) === 1, "one event is sent again");
  expect((await webhooks.eventTypes()).length > 10, "the catalogue is long");
  await webhooks.delete(created.id);

  const feed = await feeds.create({ name: "boats" });
  expect(
    (await feeds.list()).some(each => each.id === feed.id),
    "the feed is listed",
  );
  await feeds.delete(feed.id);
  const { owner } = await account.get();
  expect((await account.usage({ days: 1 })).data.length === 1, "a day of usage");
  expect((await account.keys()).length > 0, "the owner has keys");
  const key = await admin.keys.create({ owner, name: "methods" });
  for await (const each of admin.keys.list({ owner })) expect(each.owner === owner, "a key of the owner");
  await admin.keys.update(key.id, { name: "more" });
  await admin.keys.usage(key.id);
  await admin.keys.delete(key.id);
  const refused = await keys.create({ owner, name: "x" }).catch((error: unknown) => error);
  expect(refused instanceof MagpieError && refused.status === 401, "keys are made by the administrator");
  await sources.untrack("web", { id });
}

/** The first of a list that is empty at first. */
async function firstOf<Item>(list: () => AsyncIterable<Item>): Promise<Item> {
  for (;;) {
    for await (const item of list()) return item;
    await new Promise(resolve => setTimeout(resolve, 200));
  }
}

async function lists(): Promise<void> {
  const opml = await ok(raw.GET("/track/opml", { parseAs: "text" }));
  expect(String(opml).includes("<opml"), "a list is OPML");
  const sent = { bodySerializer: (text: string) => text, headers: { "content-type": "text/x-opml" } };
  const params = { query: { mode: "add" as const, dry_run: true } };
  await ok(raw.POST("/track/opml", { params, body: String(opml), ...sent }));
  const { data: feed } = await ok(raw.POST("/feeds", { body: { name: "boats" } }));
  await ok(raw.GET("/feeds"));
  const name = feed.atom_url.split("/").at(-1) ?? "";
  await ok(raw.GET("/feeds/{feed}", { params: { path: { feed: name } }, parseAs: "text" }));
  await ok(raw.DELETE("/feeds/{feed}", { params: { path: { feed: feed.id } } }));
}

async function delivered(): Promise<string> {
  for (;;) {
    const { data } = await ok(raw.GET("/webhook/deliveries", { params: { query: { limit: 1 } } }));
    if (data[0]) return data[0].id;
    await new Promise(resolve => setTimeout(resolve, 200));
  }
}

async function streams(): Promise<void> {
  await ok(raw.GET("/events", { params: { query: { after: 0, limit: 5 } } }));
  const events = magpie.events({ after: 0 });
  const first = await events.next();
  expect(!first.done && first.value.seq === 1, "the stream begins with the first event");
  await ok(
    admin.raw.POST("/internal/sandbox/post", {
      body: { platform: "microblog", username: "quiet_wren", text: "Boats." },
    }),
  );
  for await (const event of events) if (textOf(event) === "Boats.") break;
  const posts = magpie.events({ after: 0, sources: ["microblog"], types: ["microblog.post.created"] });
  for await (const event of posts) if (textOf(event) === "Boats.") break;
  const now = new Date();
  const kept: number[] = [];
  for await (const event of magpie.events({ until: now })) kept.push(event.seq);
  expect(kept.length > 1 && kept.every((seq, at) => seq === at + 1), "an export has each event once");
  for await (const event of magpie.events({ since: now, until: now }))
    throw new Error(`${event.seq} is too much`);
  await stop(raw.GET("/stream/sse", { params: { query: { after: 0 } }, parseAs: "stream" }));
  await stop(admin.raw.GET("/internal/events", { params: { query: {} }, parseAs: "stream" }));
  const accept = { headers: { accept: "text/event-stream" }, parseAs: "stream" as const };
  await stop(raw.GET("/stream", { params: { query: { after: 0 } }, ...accept }));
  await ok(raw.DELETE("/track-user", { body: { username: "quiet_wren" } }));
  await ok(raw.DELETE("/track-chat", { body: { channelId: "2031" } }));
}

function textOf(event: Event): string | undefined {
  if (event.type !== "microblog.post.created") return undefined;
  expect(event.data.source.username !== "", "the event of a source has it");
  return event.data.post.legacy.full_text;
}

async function keys(): Promise<void> {
  const { data } = await ok(raw.GET("/users/me"));
  await ok(raw.GET("/users/me/usage", { params: { query: { days: 7 } } }));
  await ok(raw.GET("/users/me/api-keys"));
  await ok(raw.PUT("/users/me/messenger-default-key", { body: { apiKeyId: data.key.id } }));
  const limits = { requestsPerMinute: 100 };
  const created = await ok(
    admin.raw.POST("/internal/keys", { body: { owner: "acme", name: "first", limits } }),
  );
  const params = { path: { id: created.data.id } };
  await ok(admin.raw.GET("/internal/keys", { params: { query: { owner: "acme" } } }));
  await ok(admin.raw.PATCH("/internal/keys/{id}", { params, body: { name: "second" } }));
  await ok(admin.raw.GET("/internal/keys/{id}/usage", { params }));
  await ok(admin.raw.DELETE("/internal/keys/{id}", { params }));
}

/** An owner signs in as a browser does: with a cookie, from a page of the service. */
async function owners(): Promise<void> {
  const from = { origin: url, "x-magpie-csrf": "1" };
  const visitor = new Magpie({ url, headers: from });
  const owner = { path: { owner: "acme" } };
  const { data: link } = await ok(admin.raw.POST("/internal/owners/{owner}/link", { params: owner }));
  const password = "correct horse battery";
  const token = link.path.split("#")[1] ?? "";
  await ok(visitor.raw.POST("/session/password", { body: { token, password } }));
  const signedIn = await visitor.raw.POST("/session", { body: { owner: "acme", password } });
  const cookie = signedIn.response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const signed = new Magpie({ url, headers: { ...from, cookie } });
  const own = await signed.ownKeys.create({ name: "mine" });
  for await (const { id } of signed.ownKeys.list()) await signed.ownKeys.usage(id, { days: 1 });
  await signed.ownKeys.update(own.id, { name: "still mine", scopes: ["read"] });
  await signed.ownKeys.delete(own.id);
  const session = signed.raw;
  await ok(session.GET("/session"));
  const { data: key } = await ok(session.POST("/owner/keys", { body: { name: "own" } }));
  const params = { path: { id: key.id } };
  await ok(session.GET("/owner/keys", { params: { query: {} } }));
  await ok(session.PATCH("/owner/keys/{id}", { params, body: { name: "mine" } }));
  await ok(session.GET("/owner/keys/{id}/usage", { params }));
  await ok(session.DELETE("/owner/keys/{id}", { params }));
  await ok(
    session.PUT("/session/password", { body: { current_password: password, new_password: `${password}!` } }),
  );
  await ok(session.DELETE("/session"));
  await ok(admin.raw.GET("/internal/owners", { params: { query: {} } }));
  await ok(admin.raw.DELETE("/internal/owners/{owner}/password", { params: owner }));
  const { data: erasure } = await ok(
    admin.raw.POST("/internal/erasures", { body: { owner: "acme", dry_run: true } }),
  );
  await ok(admin.raw.GET("/internal/erasures/{id}", { params: { path: { id: erasure.id } } }));
}

async function administration(): Promise<void> {
  await ok(admin.raw.GET("/internal/overview"));
  await ok(admin.raw.GET("/internal/audit", { params: { query: { actor: "admin", limit: 5 } } }));
  await ok(admin.raw.GET("/internal/audit/export", { params: { query: { as: "csv" } }, parseAs: "text" }));
  await ok(admin.raw.GET("/internal/usage", { params: { query: { days: 2 } } }));
  await ok(admin.raw.GET("/internal/scrapes", { params: { query: { status: "failed" } } }));
  await ok(admin.raw.GET("/internal/crawls", { params: { query: {} } }));
  const refused = await magpie.scrape({ url: "http://10.0.0.1/" }).catch((error: unknown) => error);
  expect(
    refused instanceof MagpieError && refused.code === "url_not_allowed",
    "a private address is refused",
  );
}

/** What an administrator has methods for. */
async function administrator(): Promise<void> {
  const { admin: operator } = admin;
  expect((await operator.overview()).parts.length > 0, "it has parts");
  await operator.usage({ days: 1 });
  const { posts, nextCursor } = await operator.backfill({ uid: "1001", limit: 1 });
  expect(posts.length === 1 && nextCursor !== null, "there are older posts");
  const older = await operator.backfill({ uid: "1001", limit: 1, cursor: nextCursor });
  expect(older.posts[0]?.rest_id !== posts[0]?.rest_id, "they are others");
  const [planned] = await operator.planDispatch(posts);
  expect(planned?.rest_id === posts[0]?.rest_id, "the post is planned");
  expect((await operator.dispatch(posts)) !== "", "it is dispatched");

  const tracked = await magpie.sources.track("web", `${site}/heron`);
  if ("jobId" in tracked) throw new Error("a page is tracked at once, too");
  const isListed = async () => {
    for await (const { id } of operator.sources({ source: "web" })) if (id === tracked.id) return true;
    return false;
  };
  expect(await isListed(), "the source is listed");
  expect((await operator.poll(tracked.id)) !== "", "it is polled");
  await operator.removeSource(tracked.id);
  expect(!(await isListed()), "the source is gone");
  for await (const join of operator.joins()) expect(join.id !== "", "a join has an id");

  const scrape = await magpie.startScrape({ url: `${site}/` });
  const crawl = await ok(raw.POST("/web/crawl", { body: { url: `${site}/` } }));
  await firstOf(() => operator.scrapes());
  await firstOf(() => operator.crawls());
  await cancelled(operator.cancelScrape(scrape.scrape_id));
  await cancelled(operator.cancelCrawl(crawl.crawl_id));

  const hook = await magpie.webhooks.create({ url: `${site}/hook` });
  const lane = await firstOf(() => operator.endpoints());
  expect(lane.webhook_id === hook.id, "it is the only endpoint");
  expect((await operator.reactivate(hook.id)).status === "ACTIVE", "it is active");
  const since = new Date(Date.now() - 60_000).toISOString();
  expect((await operator.replay(hook.id, { since })) >= 0, "events are counted");
  await firstOf(() => operator.deliveries());
  await magpie.webhooks.delete(hook.id);

  const act = await firstOf(() => operator.acts({ actor: "admin" }));
  expect(act.data.actor.role === "admin", "it is an act of the administrator");
  const table = await operator.exportActs({ actor: "admin", as: "csv" });
  expect(table.split("\n").length > 2, "the table has rows");
  await firstOf(() => operator.owners());
  expect((await operator.invite("invited")).path !== "", "there is a link");
  await operator.removePassword("invited");
  const { id } = await operator.erase({ owner: "invited", dry_run: true });
  expect((await operator.erasure(id)).id === id, "it is the same erasure");
}

/** Waits for a cancellation of a job, which may have ended before. */
async function cancelled(asked: Promise<unknown>): Promise<void> {
  const error = await asked.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error) expect(error instanceof MagpieError && error.code === "already_finished", "it has ended");
}

async function pages(): Promise<void> {
  await ok(raw.GET("/health/live"));
  await ok(raw.GET("/health/ready"));
  await ok(raw.GET("/openapi.json"));
  await ok(raw.GET("/asyncapi.json"));
  await ok(raw.GET("/"));
  const parseAs = "text";
  await ok(raw.GET("/metrics", { parseAs }));
  await ok(raw.GET("/docs", { parseAs }));
  await ok(raw.GET("/dashboard", { parseAs }));
  await ok(raw.GET("/guide", { params: { query: { q: "crawl" } }, parseAs }));
  await ok(raw.GET("/guide/{page}", { params: { path: { page: "quickstart" } }, parseAs }));
  await ok(raw.GET("/llms.txt", { parseAs }));
  await ok(raw.GET("/llms-full.txt", { parseAs }));
}

async function ok<Data>(asked: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<Data> {
  const { data, error, response } = await asked;
  if (!response.ok) throw new Error(`${response.status} of ${response.url}: ${JSON.stringify(error)}`);
  return data as Data;
}

/** Opens a stream and reads only its beginning. */
async function stop(asked: Promise<{ data?: unknown; response: Response }>): Promise<void> {
  const { data, response } = await asked;
  expect(response.ok, `${response.url} is a stream`);
  await (data as ReadableStream).cancel();
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not so: ${what}`);
}
