/*
 * `npm run pictures [-- <folder> [minutes]]`: every page of the dashboard at three widths, in light and in dark, as PNG files to look
 * at. The service runs on the sandbox drivers, with keys, sources, a webhook that fails and a crawl under way. With minutes
 * it lives that long before, so that the charts of the last hour have a course.
 */
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openDashboard, type Tab } from "../integration/dashboard/dashboard.ts";
import { removeFolder } from "../support/folders.ts";
import { live, type SeededKey, seedKeys, seedLife, startCrawl } from "./seed.ts";
import { startHarbour } from "./site.ts";

const widths = [360, 800, 1440];
const themes = ["light", "dark"] as const;

/** Each picture: its name, the path, and what is done before it is taken. */
function scenes(
  production: SeededKey,
  site: string,
): [name: string, path: string, prepare?: (tab: Tab) => Promise<void>][] {
  const key = `key=${production.id}`;
  return [
    ["overview", "/"],
    ["overview-of-key", `/?${key}`],
    ["keys", "/keys"],
    ["new-key", "/keys", tab => tab.click("Generate a key")],
    ["owners", "/owners"],
    ["usage", "/usage"],
    ["sources", "/sources"],
    ["sources-of-key", `/sources?${key}`],
    ["events", "/events"],
    ["webhook", `/webhook?${key}`],
    ["deliveries", "/deliveries"],
    ["scrapes", "/scrapes"],
    ["crawls", "/crawls"],
    ["joins", "/joins"],
    ["playground-choose", "/playground"],
    ["playground", `/playground?${key}&url=${encodeURIComponent(`${site}/`)}`, scrape],
    ["missing", "/no-such-page"],
  ];
}

async function scrape(tab: Tab): Promise<void> {
  await tab.click("Scrape");
  await tab.sees("Seven boats");
}

const folder = resolve(process.argv[2] ?? "pictures");
await mkdir(folder, { recursive: true });
const dataDir = await mkdtemp(join(tmpdir(), "magpie-pictures-"));
const site = await startHarbour();
const keys = await seedKeys(dataDir);
const dashboard = await openDashboard({
  DATA_DIR: dataDir,
  POLL_MIN_INTERVAL: "5s",
  SANDBOX_POST_EVERY: "2s",
});
try {
  await seedLife(ask, keys, site.url);
  await live(ask, keys, site.url, Math.max(0.3, Number(process.argv[3] ?? 0)) * 60_000);
  await startCrawl(ask, keys, site.url);
  await picture(await dashboard.open("/"), "sign-in");
  const admin = await dashboard.signIn({ admin_key: dashboard.adminKey });
  for (const [name, path, prepare] of scenes(keys[0] as SeededKey, site.url)) {
    await admin.page.setViewport({ width: 1440, height: 900 });
    await admin.go(path);
    // Of a page that has a stream the network is never idle.
    await admin.page.waitForNetworkIdle({ concurrency: 1, idleTime: 300 });
    await prepare?.(admin);
    await picture(admin, name);
  }
} finally {
  await dashboard.close();
  await site.close();
  await removeFolder(dataDir);
}
for (const problem of dashboard.problems) console.error(problem);

async function picture(tab: Tab, name: string): Promise<void> {
  for (const width of widths)
    for (const theme of themes) {
      await tab.theme(theme);
      await tab.page.setViewport({ width, height: width < 500 ? 740 : 900 });
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
