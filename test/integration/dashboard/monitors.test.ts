import { type Site, startSite } from "../../support/http-site.ts";
import { until } from "../../support/until.ts";
import { type Dashboard, openDashboard, type Tab } from "./dashboard.ts";

let dashboard: Dashboard;
let site: Site;
let tab: Tab;
let apiKey: string;
let fare = 40;

beforeAll(async () => {
  [site, dashboard] = await Promise.all([startSite(ferry), openDashboard({ POLL_MIN_INTERVAL: "1s" })]);
  // A busy machine may take minutes for a check: as often as the test asks, the usual limit would be reached.
  const limits = { requestsPerMinute: 1_000_000 };
  const answer = await fetch(`${dashboard.url}/internal/keys`, {
    method: "POST",
    headers: { "x-admin-key": dashboard.adminKey, "content-type": "application/json" },
    body: JSON.stringify({ owner: "ferry", name: "Ferry", limits }),
    signal: AbortSignal.timeout(60_000),
  });
  apiKey = (await answer.json()).data.key;
  tab = await dashboard.signIn({ api_key: apiKey });
});

afterAll(async () => {
  await dashboard.close();
  await site.close();
});

function ferry(request: { url?: string }, response: import("node:http").ServerResponse): void {
  const title = request.url === "/rules" ? "Rules on board" : "Fares of the ferry";
  const text =
    request.url === "/rules" ? "Dogs travel free, on a lead." : `The crossing costs ${fare} euros in May.`;
  response.setHeader("content-type", "text/html");
  response.end(`<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${text}</p>
    <p>The ferry leaves from the outer quay on every day that the wind allows.</p></main></html>`);
}

async function ask(method: string, path: string) {
  const answer = await fetch(dashboard.url + path, {
    method,
    headers: { "x-api-key": apiKey },
    signal: AbortSignal.timeout(60_000),
  });
  return await answer.json();
}

const monitors = async () => (await ask("GET", "/monitors")).data;

test("a monitor is made of addresses, words for its times, and a name", async () => {
  await tab.go("/monitors");
  await tab.sees("No monitor yet");
  await tab.click("Make a monitor");
  await tab.fill("Name", "Ferry");
  await tab.fill("Addresses", site.url);
  await tab.page.keyboard.press("End");
  await tab.page.keyboard.press("Enter");
  await tab.page.keyboard.type(`${site.url}/rules`);
  await tab.fill("When", "whenever it suits");
  expect(await tab.findings()).toEqual([]);
  const makeIt = () =>
    tab.page.evaluate(() =>
      document.querySelector<HTMLElement>("dialog .form-actions button[type=submit]")?.click(),
    );
  await makeIt();
  await until("the time is refused at its field", () =>
    tab.page.evaluate(
      () => document.querySelector("dialog .field-error, dialog .form-error:not(:empty)") !== null,
    ),
  );
  await tab.fill("When", "daily at 9:00");
  await makeIt();
  await tab.sees("No check yet");
  const [{ name, targets, schedule }] = await monitors();
  expect({ name, targets, schedule }).toMatchObject({
    name: "Ferry",
    targets: [{ source: "web", sids: [site.url, `${site.url}/rules`] }],
    schedule: { text: "daily at 9:00" },
  });
  expect(await tab.findings()).toEqual([]);
});

test("it is checked by its button, and a check opens with its pages", async () => {
  const checked = async (count: number) => {
    const [{ id }] = await monitors();
    const { data } = await ask("GET", `/monitors/${id}/checks`);
    return (
      data.length === count && data.every((check: { ended_at: string | null }) => check.ended_at !== null)
    );
  };
  await tab.click("Check now");
  await until("the first check has ended", () => checked(1));
  fare = 35;
  await tab.click("Check now");
  await until("the second check has ended", () => checked(2));
  await tab.sees("1 changed");
  await tab.page.evaluate(() => document.querySelector<HTMLElement>("tbody th button")?.click());
  await tab.sees("+ The crossing costs 35 euros in May.");
  expect(await tab.findings()).toEqual([]);
  await tab.page.select("main select", "same");
  await tab.sees("Rules on board");
  await until("others are no longer shown", async () => !(await tab.text()).includes("Fares of the ferry"));
  await tab.page.select("main select", "changed");
  await tab.click("The difference");
  await tab.sees("Compare with");
});

test("it is paused, continued and deleted", async () => {
  await tab.go("/monitors");
  await tab.sees("1 changed");
  expect(await tab.findings()).toEqual([]);
  await tab.click("Ferry");
  await tab.click("Pause");
  await tab.sees("Paused");
  expect((await monitors())[0]).toMatchObject({ paused: true });
  await tab.click("Continue");
  await until("it is no longer paused", async () => !(await monitors())[0].paused);
  await tab.click("Delete…");
  await tab.click("Delete");
  await tab.sees("No monitor yet");
  expect(await monitors()).toEqual([]);
  expect(dashboard.problems).toEqual([]);
});
