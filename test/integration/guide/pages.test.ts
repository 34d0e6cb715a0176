import { until } from "../../support/until.ts";
import { type Dashboard, openDashboard, type Tab } from "../dashboard/dashboard.ts";

let dashboard: Dashboard;
let tab: Tab;
const asked = new Set<string>();
beforeAll(async () => {
  dashboard = await openDashboard();
  tab = await dashboard.open();
  tab.page.on("request", request => asked.add(new URL(request.url()).origin));
});
afterAll(() => dashboard.close());

async function go(path: string): Promise<void> {
  await tab.page.goto(dashboard.url + path);
  await tab.page.waitForSelector("h1");
}

const paths = [
  "/",
  "/guide",
  "/guide/scraping",
  "/guide/configuration",
  "/guide?q=webhook",
  "/guide/nowhere",
  "/docs",
  "/docs/web",
  "/docs/events",
  "/docs/nowhere",
];

describe.each(["light", "dark"] as const)("in %s", theme => {
  test.each(paths)("%s fits at three widths, and axe finds nothing serious", async path => {
    await tab.theme(theme);
    for (const width of [360, 1440, 800]) {
      await tab.page.setViewport({ width, height: 900 });
      await go(path);
      const beyond = await tab.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect([path, width, beyond <= 0]).toEqual([path, width, true]);
    }
    expect(await tab.findings()).toEqual([]);
  });
});

test("results come as one types, arrows reach them, and Escape closes them", async () => {
  await tab.page.setViewport({ width: 1440, height: 900 });
  await go("/guide");
  await tab.page.keyboard.press("/");
  await tab.page.keyboard.type("own netw");
  await tab.page.waitForSelector(".found li a");
  await tab.sees("Scraping your own network");
  await tab.page.keyboard.press("ArrowDown");
  const href = await tab.page.evaluate(() =>
    (document.activeElement as HTMLAnchorElement).getAttribute("href"),
  );
  expect(href).toBe("/guide/your-own-network");
  await tab.page.keyboard.press("Escape");
  expect(await tab.page.$eval(".found", panel => (panel as HTMLElement).hidden)).toBe(true);
});

test("code is copied by a button", async () => {
  const context = tab.page.browserContext();
  await context.overridePermissions(dashboard.url, [
    "clipboard-read",
    "clipboard-write",
    "clipboard-sanitized-write",
  ]);
  await go("/guide/quickstart");
  const code = await tab.page.$eval(".code code", element => element.textContent?.trim());
  const isCovered = await tab.page.$eval(".code", block => {
    const [code, button] = ["pre", ".copy"].map(each => block.querySelector(each)?.getBoundingClientRect());
    return (code?.right ?? 0) > (button?.left ?? 0) && (code?.top ?? 0) < (button?.bottom ?? 0);
  });
  expect(isCovered).toBe(false);
  await tab.page.click(".code .copy");
  await tab.sees("Copied");
  expect(await tab.page.evaluate(() => navigator.clipboard.readText())).toBe(code);
});

test("the section in sight is marked", async () => {
  await go("/guide/scraping#json");
  await until(
    "the section is marked",
    async () => (await tab.page.$eval("#contents [aria-current]", link => link.textContent)) === "JSON",
  );
});

test("on a small screen the pages are in a menu", async () => {
  await tab.page.setViewport({ width: 360, height: 700 });
  await go("/guide/scraping");
  const isShown = () => tab.page.$eval("#pages", menu => menu.checkVisibility());
  expect(await isShown()).toBe(false);
  await tab.click("All pages");
  expect(await isShown()).toBe(true);
  await tab.page.keyboard.press("Escape");
  expect(await isShown()).toBe(false);
});

test("everything but that works without scripts", async () => {
  await tab.page.setJavaScriptEnabled(false);
  try {
    await tab.page.setViewport({ width: 1440, height: 900 });
    await go("/");
    await Promise.all([tab.page.waitForNavigation(), tab.page.click('.cards a[href="/guide"]')]);
    await tab.page.type("#q", "retry");
    await Promise.all([tab.page.waitForNavigation(), tab.page.keyboard.press("Enter")]);
    expect(new URL(tab.page.url()).search).toBe("?q=retry");
    expect((await tab.page.$$(".hits li")).length).toBeGreaterThan(2);
    await Promise.all([tab.page.waitForNavigation(), tab.page.click(".hits a")]);
    expect(new URL(tab.page.url()).pathname).toMatch(/^\/guide\/\w/);
    expect(await tab.page.$$(".copy")).toEqual([]);
  } finally {
    await tab.page.setJavaScriptEnabled(true);
  }
});

test("no page violates the policy, throws, or asks elsewhere", () => {
  expect(dashboard.problems).toEqual([]);
  expect([...asked]).toEqual([dashboard.url]);
});
