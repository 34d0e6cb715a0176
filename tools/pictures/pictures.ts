/*
 * `node tools/pictures/pictures.ts [<folder> [minutes [names]]]`: every page of the dashboard at three widths, in light and in dark, as PNG
 * files to look at; with names (`feeds,new-feed`) only those. The service runs on the sandbox drivers, with keys, sources,
 * webhooks that fail and a crawl under way. With minutes it lives that long before, so that the charts of the last hour have a
 * course.
 */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { ElementHandle } from "puppeteer";
import { openDashboard, type Tab } from "../../test/integration/dashboard/dashboard.ts";
import { removeFolder } from "../../test/support/folders.ts";
import { linkIn, startMailServer } from "../../test/support/mail-server.ts";
import { until } from "../../test/support/until.ts";
import { live, type SeededKey, seedKeys, seedLife, seedSite, startCrawl } from "./seed.ts";
import { startHarbour } from "./site.ts";

const widths = [360, 800, 1440];
const themes = ["light", "dark"] as const;

interface Scene {
  name: string;
  path: string;
  /** What is done before it is taken. */
  prepare?: (tab: Tab) => Promise<void>;
  /** Height of the window, for a dialog that is longer than a screen. */
  height?: number;
}

function scenes(production: SeededKey, research: SeededKey, site: string): Scene[] {
  const key = `key=${production.id}`;
  const page = encodeURIComponent(`${site}/`);
  // A monitor has a source with this name, too.
  const tickets = `/sources?${key}&query=tickets&tag=harbour`;
  return [
    { name: "overview", path: "/" },
    { name: "overview-of-key", path: `/?${key}` },
    { name: "keys", path: "/keys" },
    { name: "new-key", path: "/keys", prepare: tab => tab.click("Generate a key") },
    { name: "edit-key", path: "/keys", prepare: tab => tab.click("Edit production"), height: 1500 },
    { name: "owners", path: "/owners" },
    { name: "audit", path: "/audit" },
    { name: "usage", path: "/usage" },
    { name: "sources", path: "/sources" },
    { name: "sources-of-key", path: `/sources?${key}` },
    { name: "add-source", path: `/sources?${key}&add=1` },
    {
      name: "add-source-options",
      path: `/sources?${key}&add=1&kind=web&sid=${page}`,
      prepare: openAll,
      height: 2700,
    },
    {
      name: "add-source-point",
      path: `/sources?${key}&add=1&kind=web&sid=${page}`,
      prepare: point,
      height: 1800,
    },
    {
      name: "change-watch",
      path: `/sources?${key}&query=corvid`,
      prepare: tab => tab.click("Change how Corvid Lab is watched"),
    },
    { name: "source", path: tickets, prepare: tab => view(tab, "Now") },
    { name: "source-changes", path: tickets, prepare: tab => view(tab, "Changes") },
    { name: "source-values", path: tickets, prepare: tab => view(tab, "Values") },
    { name: "source-checks", path: tickets, prepare: tab => view(tab, "Checks") },
    { name: "source-pointing", path: tickets, prepare: pointAtPicture },
    { name: "source-options", path: tickets, prepare: rehearse, height: 2400 },
    { name: "source-of-feed", path: `/sources?${key}&query=arrivals`, prepare: tab => view(tab, "Changes") },
    { name: "source-of-account", path: `/sources?${key}&query=corvid`, prepare: tab => view(tab, "Now") },
    {
      name: "add-site",
      path: `/sources?${key}&add=1&kind=site&sid=${encodeURIComponent(`${site}/docs/`)}`,
      prepare: previewSite,
      height: 1500,
    },
    { name: "site", path: `/sources?${key}&query=docs`, prepare: openSite },
    { name: "site-changed", path: `/sources?${key}&query=docs`, prepare: changedPage },
    { name: "monitors", path: `/monitors?${key}` },
    {
      name: "new-monitor",
      path: `/monitors?${key}`,
      prepare: tab => tab.click("Make a monitor"),
      height: 1100,
    },
    { name: "monitor", path: `/monitors?${key}`, prepare: tab => follow(tab, "Kept for") },
    { name: "monitor-check", path: `/monitors?${key}`, prepare: openCheck },
    { name: "no-monitor", path: `/monitors?key=${research.id}` },
    { name: "search", path: `/search?${key}&q=fare` },
    { name: "opml", path: `/sources?${key}&opml=1` },
    { name: "opml-tried", path: `/sources?${key}&opml=1`, prepare: tryOpml },
    { name: "events", path: "/events" },
    { name: "events-filtered", path: `/events?${key}&type=rss.item.created&source=rss` },
    { name: "event", path: `/events?${key}`, prepare: tab => open(tab, ".event button") },
    { name: "webhooks", path: `/webhook?${key}` },
    { name: "webhook", path: `/webhook?${key}`, prepare: tab => tab.click("Alarm of the harbour") },
    {
      name: "new-webhook",
      path: `/webhook?${key}`,
      prepare: tab => tab.click("Add an endpoint"),
      height: 1300,
    },
    {
      name: "webhook-of-mail",
      path: `/webhook?${key}`,
      prepare: tab => tab.click("Readers of the harbour news"),
    },
    {
      name: "new-webhook-of-mail",
      path: `/webhook?${key}`,
      prepare: newMail,
      height: 1300,
    },
    {
      name: "webhook-of-folder",
      path: `/webhook?${key}`,
      prepare: tab => tab.click("Archive of the harbour"),
    },
    { name: "new-destination", path: `/webhook?${key}`, prepare: newDestination, height: 1900 },
    { name: "no-webhook", path: `/webhook?key=${research.id}` },
    { name: "feeds", path: `/feeds?${key}` },
    { name: "new-feed", path: `/feeds?${key}`, prepare: newFeed },
    {
      name: "feed-address",
      path: `/feeds?${key}`,
      prepare: tab => tab.click("Address of Boats that came in"),
    },
    { name: "no-feed", path: `/feeds?key=${research.id}` },
    { name: "deliveries", path: "/deliveries" },
    { name: "delivery", path: "/deliveries", prepare: tab => follow(tab, "What was sent") },
    { name: "scrapes", path: "/scrapes" },
    { name: "scrape", path: "/scrapes?status=completed", prepare: tab => open(tab, "tbody th a") },
    { name: "crawls", path: "/crawls" },
    { name: "crawl", path: "/crawls", prepare: tab => follow(tab, "Read (") },
    { name: "joins", path: "/joins" },
    { name: "sessions", path: `/sessions?${key}` },
    { name: "playground-choose", path: "/playground" },
    { name: "playground", path: `/playground?${key}&url=${page}`, prepare: scrape },
    { name: "missing", path: "/no-such-page" },
  ];
}

async function scrape(tab: Tab): Promise<void> {
  await tab.click("Scrape");
  await tab.sees("Seven boats");
}

/** Opens the first thing of a list. */
async function open({ page }: Tab, selector: string): Promise<void> {
  const first = await page.waitForSelector(selector);
  await first?.click();
  await page.waitForNetworkIdle({ concurrency: 1, idleTime: 300 });
}

/** A tab of the first source of the list. */
async function view(tab: Tab, name: string): Promise<void> {
  await open(tab, "tbody th a");
  await tab.sees("Versions kept");
  await tab.click(name);
  await tab.page.waitForNetworkIdle({ concurrency: 1, idleTime: 300 });
  await tab.page.waitForFunction(() => document.querySelector("main .waiting") === null);
}

async function previewSite(tab: Tab): Promise<void> {
  await tab.click("Show a preview");
  await tab.sees("known already");
}

/** The tree of the documentation, with the part open in which something has changed. */
async function openSite(tab: Tab): Promise<void> {
  await open(tab, "tbody th a");
  await tab.sees("What has changed");
  await tab.click("berths");
  await tab.sees("Limits");
}

async function changedPage(tab: Tab): Promise<void> {
  await openSite(tab);
  await tab.click("Limits");
  await tab.sees("6020 times a minute");
}

async function openCheck(tab: Tab): Promise<void> {
  await follow(tab, "Kept for");
  await open(tab, "tbody th button");
  await tab.sees("Any state");
}

async function pointAtPicture(tab: Tab): Promise<void> {
  await view(tab, "Now");
  await tab.click("Show a picture of the page");
  await tab.sees("Arrow keys go from part to part");
  await tab.page.evaluate(() => {
    const parts = [...document.querySelectorAll<HTMLElement>(".pointing-part")];
    parts.find(part => part.ariaLabel?.includes("€"))?.click();
  });
  await tab.sees("this part");
}

async function rehearse(tab: Tab): Promise<void> {
  await view(tab, "Now");
  await tab.click("Change options…");
  await tab.click("Try these options on the past");
  await tab.sees("checks, the first");
}

async function follow(tab: Tab, text: string): Promise<void> {
  await open(tab, "tbody th a");
  await tab.sees(text);
}

/** All groups of options. */
async function openAll({ page }: Tab): Promise<void> {
  await page.evaluate(() => {
    for (const group of document.querySelectorAll("dialog details"))
      (group as HTMLDetailsElement).open = true;
  });
}

async function point(tab: Tab): Promise<void> {
  await tab.click("Show a preview");
  await tab.click("Point at a part of the page");
  await tab.sees("Arrow keys go from part to part");
  await tab.click("Berths");
  await tab.sees("this part");
}

async function tryOpml(tab: Tab): Promise<void> {
  const file = join(dataDir, "feeds.opml");
  const outline = (title: string, url: string) => `<outline type="rss" text="${title}" xmlUrl="${url}"/>`;
  const feeds = [
    outline("Weather", `${site.url}/feeds/weather.atom`),
    outline("Gone", `${site.url}/feeds/gone.atom`),
    outline("By FTP", "ftp://harbour.example/feed.xml"),
  ];
  await writeFile(file, `<opml version="2.0"><body>${feeds.join("")}</body></opml>`);
  const input = await tab.page.waitForSelector("dialog input[type=file]");
  await (input as ElementHandle<HTMLInputElement>).uploadFile(file);
  await tab.click("Show what would change");
  await tab.sees("By FTP");
}

async function newFeed(tab: Tab): Promise<void> {
  await tab.click("Make a feed");
  await tab.click("Only some sources");
}

async function newMail(tab: Tab): Promise<void> {
  await tab.click("Add an endpoint");
  await tab.fill("Address", "reader@harbour.example");
  await tab.sees("Every hour");
}

async function newDestination(tab: Tab): Promise<void> {
  await tab.click("Add an endpoint");
  await tab.page.select('select[name="destination.type"]', "postgresql");
  await tab.click("Order, batches, rate, time");
}

const folder = resolve(process.argv[2] ?? "pictures");
const only = process.argv[4]?.split(",");
await mkdir(folder, { recursive: true });
const dataDir = await mkdtemp(join(tmpdir(), "magpie-pictures-"));
const site = await startHarbour();
const mailServer = await startMailServer();
const keys = await seedKeys(dataDir);
const dashboard = await openDashboard({
  DATA_DIR: dataDir,
  POLL_MIN_INTERVAL: "1s",
  SANDBOX_POST_EVERY: "2s",
  DESTINATION_FOLDER: join(dataDir, "destinations"),
  SMTP_URL: mailServer.url,
  SMTP_FROM: "magpie@harbour.example",
  PUBLIC_URL: "http://magpie.harbour.example",
});
try {
  await seedLife(ask, keys, site.url);
  await seedSite(ask, keys, site.url);
  await live(ask, keys, site.url, Math.max(0.3, Number(process.argv[3] ?? 0)) * 60_000);
  await startCrawl(ask, keys, site.url);
  await picture(await dashboard.open("/"), "sign-in");
  const isOwners = !only || only.includes("confirm-address");
  if (isOwners) await picture(await openedMail(), "confirm-address");
  const admin = await dashboard.signIn({ admin_key: dashboard.adminKey });
  const all = scenes(keys[0] as SeededKey, keys[3] as SeededKey, site.url);
  for (const { name, path, prepare, height } of all) {
    if (only && !only.includes(name)) continue;
    await admin.page.setViewport({ width: 1440, height: height ?? 900 });
    await admin.go(path);
    // The network of a page that has a stream is never idle.
    await admin.page.waitForNetworkIdle({ concurrency: 1, idleTime: 300 });
    await prepare?.(admin);
    await picture(admin, name, height);
  }
} finally {
  await dashboard.close();
  await Promise.all([site.close(), mailServer.close()]);
  await removeFolder(dataDir);
}
for (const problem of dashboard.problems) console.error(problem);

/** What the owner of an address sees who follows the link in the mail. */
async function openedMail(): Promise<Tab> {
  await until("the owner is asked", () => mailServer.mails.length > 0);
  const owner = await dashboard.open("/");
  await owner.page.goto(dashboard.url + linkIn(mailServer.mails[0], "confirm"));
  return owner;
}

async function picture(tab: Tab, name: string, height?: number): Promise<void> {
  for (const width of widths)
    for (const theme of themes) {
      await tab.theme(theme);
      await tab.page.setViewport({ width, height: height ?? (width < 500 ? 740 : 900) });
      const over = await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) console.error(`${name} is ${over} px wider than ${width}`);
      await tab.page.screenshot({
        path: join(folder, `${name}-${width}-${theme}.png`) as `${string}.png`,
        fullPage: true,
      });
    }
  console.log(name);
}

async function ask(method: string, path: string, key: string, body?: object): Promise<unknown> {
  const response = await fetch(dashboard.url + path, {
    method,
    headers: { "x-api-key": key, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(60_000),
  });
  if (response.status >= 400)
    console.error(`${method} ${path} ${JSON.stringify(body)}: ${await response.text()}`);
  return await response.json().catch(() => undefined);
}
