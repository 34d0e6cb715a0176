import { until } from "../../support/until.ts";
import { type Dashboard, openDashboard, type Tab } from "./dashboard.ts";

let dashboard: Dashboard;
let admin: Tab;
let keyId: string;
beforeAll(async () => {
  dashboard = await openDashboard();
  admin = await dashboard.signIn({ admin_key: dashboard.adminKey });
  const answer = await fetch(`${dashboard.url}/internal/keys`, {
    headers: { "x-admin-key": dashboard.adminKey },
    signal: AbortSignal.timeout(30_000),
  });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  keyId = data[0]?.id ?? "";
});
afterAll(() => dashboard.close());

const paths = [
  "/",
  "/?key=KEY",
  "/keys",
  "/owners",
  "/audit",
  "/usage",
  "/sources",
  "/sources?key=KEY",
  "/search",
  "/search?key=KEY&q=tide",
  "/sources/none?key=KEY",
  "/monitors?key=KEY",
  "/monitors/none?key=KEY",
  "/events",
  "/webhook",
  "/webhook?key=KEY",
  "/deliveries",
  "/feeds",
  "/feeds?key=KEY",
  "/playground",
  "/playground?key=KEY",
  "/scrapes",
  "/crawls",
  "/joins",
  "/sessions?key=KEY",
  "/no-such-page",
];

test.each(paths)("the page %s has no serious accessibility finding and fits a narrow screen", async path => {
  await admin.go(path.replace("KEY", keyId));
  await admin.page.waitForSelector("h1:not(:empty)");
  await admin.page.waitForFunction(() => document.querySelector("main .waiting") === null);
  for (const theme of ["light", "dark"] as const) {
    await admin.theme(theme);
    expect({ theme, findings: await admin.findings() }).toEqual({ theme, findings: [] });
  }
  await admin.page.setViewport({ width: 360, height: 740 });
  expect(
    await admin.page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
  await admin.page.setViewport({ width: 1280, height: 900 });
});

async function makeKey(name: string, owner = "acme"): Promise<string> {
  const { data } = await ask({ "x-admin-key": dashboard.adminKey }, "/internal/keys", { owner, name });
  return data.id;
}

async function ask(headers: Record<string, string>, path: string, body: object) {
  const answer = await fetch(dashboard.url + path, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  expect(answer.status).toBeLessThan(300);
  return (await answer.json()) as { data: { id: string } };
}

test("no action of a table is outside of its frame, however wide the window is", async () => {
  await makeKey("a program of the newsroom", "the-office-of-the-northern-harbour");
  await ask({ "x-api-key": dashboard.apiKey }, "/track/microblog", { sid: "quiet_wren" });
  for (const path of ["/sources", `/sources?key=${keyId}`, "/keys", "/owners"]) {
    await admin.go(path);
    await admin.page.waitForSelector("tbody .is-actions button");
    for (const width of [360, 660, 768, 880, 1000, 1100, 1180, 1440]) {
      await admin.page.setViewport({ width, height: 900 });
      const over = await admin.page.$eval(".table-frame", frame => frame.scrollWidth - frame.clientWidth);
      expect([path, width, over]).toEqual([path, width, 0]);
    }
    await admin.page.setViewport({ width: 880, height: 900 });
    expect(await admin.findings()).toEqual([]);
  }
  await admin.page.setViewport({ width: 1280, height: 900 });
});

const focused = (tab: Tab) =>
  tab.page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute("aria-label") ?? activeElement?.textContent?.trim() ?? "";
  });

/** Presses Tab until the element with this name has the focus; every element on the way shows that it has it. */
async function tabTo(tab: Tab, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await tab.page.keyboard.press("Tab");
    const outline = await tab.page.evaluate(
      () => getComputedStyle(document.activeElement as Element).outlineStyle,
    );
    if (
      (await focused(tab)) !== "" &&
      (await tab.page.evaluate(() => document.activeElement !== document.body))
    )
      expect([await focused(tab), outline]).toEqual([expect.any(String), "solid"]);
    if ((await focused(tab)) === name) return;
  }
  throw new Error(`the keyboard does not reach ${name}`);
}

test("the keyboard alone reaches the skip link, the navigation, a dialog and the way back", async () => {
  await admin.go("/");
  await tabTo(admin, "Skip to the content");
  await admin.page.keyboard.press("Enter");
  await admin.page.waitForFunction(() => document.activeElement?.id === "content");
  await admin.go("/");
  await tabTo(admin, "Keys");
  await admin.page.keyboard.press("Enter");
  await admin.sees("Each program that uses the API");
  await admin.page.waitForFunction(() => document.activeElement?.tagName === "H1");
  expect(await focused(admin)).toBe("Keys");
  expect(await admin.page.title()).toBe("Keys · Magpie");
  await tabTo(admin, "Generate a key");
  await admin.page.keyboard.press("Enter");
  await admin.page.waitForFunction(
    () => (document.activeElement as HTMLInputElement | null)?.name === "owner",
  );
  for (let presses = 0; presses < 12; presses++) {
    await admin.page.keyboard.press("Tab");
    expect(
      await admin.page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null,
      ),
    ).toBe(true);
  }
  await admin.page.keyboard.press("Escape");
  // The dialog gives the focus back once it is gone.
  await admin.page.waitForFunction(
    () => !document.querySelector("dialog") && document.activeElement?.tagName === "BUTTON",
  );
  expect(await focused(admin)).toBe("Generate a key");
});

test("the back button leads to the page before with its filter", async () => {
  await admin.go("/keys?query=def");
  await admin.sees("default");
  await admin.click("Owners");
  await admin.sees("Name begins with");
  await admin.page.goBack();
  await admin.sees("Each program that uses the API");
  await admin.isAt("/keys?query=def");
  await admin.fill("Owner or name begins with", "nobody");
  await admin.isAt("/keys?query=nobody");
  await admin.sees("No entry matches these filters.");
  await admin.click("Show all");
  await admin.sees("default");
});

test("a slowly typed search keeps its text", async () => {
  await admin.go("/keys");
  await admin.fill("Owner or name begins with", "no ");
  await admin.isAt("/keys?query=no");
  await admin.page.keyboard.type("body");
  await admin.isAt("/keys?query=no+body");
});

test("a chosen theme stays and is set before the page is painted", async () => {
  await admin.theme("light");
  await admin.go("/");
  await admin.page.select(".theme select", "dark");
  await admin.go("/keys");
  expect(await admin.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe(
    "dark",
  );
  await admin.page.select(".theme select", "system");
  await admin.go("/keys");
  expect(await admin.page.evaluate(() => document.documentElement.dataset.theme)).toBeUndefined();
});

test("a renewed list keeps the focus", async () => {
  await admin.go("/keys");
  await admin.sees("default");
  await admin.page.focus("tbody button");
  const name = await focused(admin);
  await makeKey("newcomer");
  await admin.sees("newcomer");
  expect(await focused(admin)).toBe(name);
});

test("the overview says that everything works, and its figures change without a reload", async () => {
  await admin.go("/");
  await admin.sees("Everything works");
  const keys = () => admin.page.$eval(".figures dd", element => Number(element.textContent));
  await until("the figures are there", async () => (await admin.page.$(".figures dd")) !== null);
  const before = await keys();
  await makeKey("another");
  await until("there is one more", async () => (await keys()) === before + 1);
  const charts = await admin.page.$$eval(".rate svg", found =>
    found.map(each => each.getAttribute("aria-label")),
  );
  expect(charts).toHaveLength(6);
  for (const words of charts) expect(words).toMatch(/^[A-Z][\w ]+: (none|[\d,]+) in the last hour\./);
});

test("a new key's overview says how to begin, and its limits are said as limits", async () => {
  const id = await makeKey("beginner");
  await admin.go(`/?key=${id}`);
  await admin.sees("Get started");
  await admin.sees("run 10 scrapes and 2 crawls at a time");
  expect(await admin.page.$$(".steps li")).toHaveLength(4);
  expect(await admin.text()).not.toContain("Requests per day");
  expect(await admin.findings()).toEqual([]);
  await admin.click("Add a source");
  await admin.sees("Address, account or words");
});

test("the navigation opens and closes on a narrow screen", async () => {
  await admin.page.setViewport({ width: 360, height: 740 });
  await admin.go("/keys");
  const isOpen = () => admin.page.$eval("#menu", menu => menu.checkVisibility());
  expect(await isOpen()).toBe(false);
  await admin.click("Menu");
  await until("the menu is open", isOpen);
  expect(await admin.findings()).toEqual([]);
  await admin.click("Owners");
  await admin.sees("Name begins with");
  await until("the menu is closed", async () => !(await isOpen()));
  await admin.page.setViewport({ width: 1280, height: 900 });
});

test("the sign-in form says why where the browser keeps no session", async () => {
  const stranger = await dashboard.open("/");
  await stranger.page.goto(`${dashboard.url.replace("127.0.0.1", "magpie.test")}/dashboard`);
  await stranger.fill("Admin key or API key", dashboard.adminKey);
  await stranger.click("Sign in");
  await stranger.sees("Open the page by https, or at http://localhost");
  await stranger.close();
});

test("no page violates the policy or throws", () => {
  expect(dashboard.problems).toEqual([]);
});
