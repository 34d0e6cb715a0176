import { type LoginSite, loginWith, startLoginSite } from "../../support/login-site.ts";
import { type Dashboard, openDashboard, type Tab } from "./dashboard.ts";

let dashboard: Dashboard;
let site: LoginSite;
let tab: Tab;

beforeAll(async () => {
  [site, dashboard] = await Promise.all([startLoginSite("correct horse"), openDashboard()]);
  tab = await dashboard.signIn({ api_key: dashboard.apiKey });
});
afterAll(async () => {
  await dashboard.close();
  await site.close();
});

/** The status of a scrape of a page that asks for a login. */
async function scrape(session: object): Promise<number> {
  const answer = await fetch(`${dashboard.url}/web/scrape`, {
    method: "POST",
    headers: { "x-api-key": dashboard.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ url: `${site.url}/orders`, session, timeout: 60_000 }),
    signal: AbortSignal.timeout(120_000),
  });
  await answer.text();
  return answer.status;
}

test("without a session the page says what one is", async () => {
  await tab.go("/sessions");
  await tab.sees("No session yet");
});

test("the sessions of a key say where it is signed in, and why not", async () => {
  expect(await scrape({ name: "shop", login: loginWith("correct horse") })).toBe(200);
  expect(await scrape({ name: "stranger" })).toBe(502);
  await tab.go("/sessions");
  await tab.sees("Not signed in");
  const text = await tab.text();
  for (const each of ["shop", "stranger", "127.0.0.1", "Signed in", "This session has no login."])
    expect(text).toContain(each);
  expect(text).not.toContain("correct horse");
  for (const theme of ["light", "dark"] as const) {
    await tab.theme(theme);
    expect(await tab.findings()).toEqual([]);
  }
});

test("a session is erased when that is confirmed", async () => {
  await tab.click("Erase stranger at 127.0.0.1");
  await tab.sees("Erase stranger at 127.0.0.1?");
  expect(await tab.findings()).toEqual([]);
  await tab.click("Cancel");
  expect(await tab.text()).toContain("Not signed in");
  await tab.click("Erase stranger at 127.0.0.1");
  await tab.page.click("dialog .form-actions [type=submit]");
  await tab.sees("The session stranger at 127.0.0.1 is erased.");
  await tab.page.waitForFunction(() => !document.body.innerText.includes("Not signed in"));
  expect(await tab.text()).toContain("shop");
  expect(dashboard.problems).toEqual([]);
});
