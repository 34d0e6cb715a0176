import { type Site, startSite } from "../../support/http-site.ts";
import { until } from "../../support/until.ts";
import { type Dashboard, openDashboard, type Tab } from "./dashboard.ts";

let dashboard: Dashboard;
let site: Site;
let tab: Tab;
let price = 30;
let seen = 0;

beforeAll(async () => {
  [site, dashboard] = await Promise.all([startSite(shop), openDashboard({ POLL_MIN_INTERVAL: "1s" })]);
  tab = await dashboard.signIn({ api_key: dashboard.apiKey });
});

afterAll(async () => {
  await dashboard.close();
  await site.close();
});

function shop(request: { url?: string }, response: import("node:http").ServerResponse): void {
  response.setHeader("content-type", "text/html");
  seen += 1;
  const isCounter = request.url === "/counter";
  const counter = isCounter ? `<p>Seen by ${seen} people.</p>` : "";
  const title = isCounter ? "A counter" : "Nest boxes";
  response.end(`<!doctype html><html lang="en"><title>${title}</title><main><h1>Nest boxes</h1>
    <p>Nest boxes are made of larch, and keep for twenty years in any weather that is known here.</p>
    <p class="price">The box costs ${price} euros today.</p><p class="delivery">It is sent on Monday.</p>${counter}</main>`);
}

async function ask(method: string, path: string, body?: object) {
  const answer = await fetch(dashboard.url + path, {
    method,
    headers: { "x-api-key": dashboard.apiKey, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  return await answer.json();
}

/** The row of the source as the API lists it. */
async function row(): Promise<{ id: string; options?: Record<string, unknown> }> {
  return (await ask("GET", "/track")).data.find(
    ({ externalId }: { externalId: string }) => externalId === `${site.url}/`,
  );
}

const versions = async () =>
  (await ask("GET", `/sources/${(await row()).id}/versions`)).data as { id: string }[];

test("a source opens from the list, with what it says now and what is watched", async () => {
  const options = { when: { value: { select: ".price", changed_by_percent: 1 } } };
  await ask("POST", "/track/web", { sid: `${site.url}/counter` });
  await ask("POST", "/track/web", { sid: `${site.url}/`, options });
  await until("its first version is kept", async () => (await versions()).length > 0);
  await tab.go(`/sources?query=${encodeURIComponent(`${site.url}/`)}`);
  const link = await tab.page.waitForSelector(`th a[href$="/sources/${(await row()).id}"]`);
  await link?.click();
  await tab.isAt(`/sources/${(await row()).id}`);
  await tab.sees("made of larch");
  await tab.sees("when the number at .price changes by 1 % or more");
  expect(await tab.findings()).toEqual([]);
});

test("a change is shown by words, from the list of versions and from its event", async () => {
  price = 25;
  await until("the change is kept", async () => (await versions()).length > 1);
  await tab.click("Changes");
  await tab.sees("Compare with");
  await until("the price is marked", async () => (await marked()).includes("del 30 ins 25"));
  expect(await tab.findings()).toEqual([]);
  await tab.go("/events");
  await until("the event is listed", () =>
    tab.page.evaluate(() => {
      const events = [...document.querySelectorAll<HTMLElement>(".event")];
      const button = events.find(each => each.textContent?.includes("Nest boxes"))?.querySelector("button");
      button?.click();
      return button instanceof HTMLElement;
    }),
  );
  await tab.sees("What happened");
  await until("the price is marked", async () => (await marked()).includes("del 30 ins 25"));
  expect(await tab.findings()).toEqual([]);
  await tab.click("JSON");
  await tab.sees('type: "web.page.changed"');
  await tab.click("Nest boxes");
  await tab.isAt(`/sources/${(await row()).id}?view=changes&to=${(await versions())[0]?.id}`);
});

/** The words that are marked as removed and added. */
function marked(): Promise<string> {
  return tab.page.evaluate(() =>
    [...document.querySelectorAll("del, ins")]
      .map(each => `${each.tagName.toLowerCase()} ${each.textContent?.trim()}`)
      .join(" "),
  );
}

test("what it said at a time, its numbers and its checks with their reasons", async () => {
  const { id } = await row();
  await tab.go(`/sources/${id}?view=changes&at=${encodeURIComponent("2020-01-01T00:00")}`);
  await tab.sees("Nothing is kept of that time");
  await tab.click("Values");
  await tab.sees("Lowest 25, highest 30.");
  await tab.page.focus(".line-chart-area");
  await tab.page.keyboard.press("Home");
  const said = () =>
    tab.page.evaluate(() => document.querySelector("[role=slider]")?.getAttribute("aria-valuetext"));
  await until("the first number is said", async () => (await said())?.startsWith("30,") === true);
  expect(await tab.findings()).toEqual([]);
  await tab.click("Checks");
  await tab.sees("Changed");
  expect(await tab.findings()).toEqual([]);
  await tab.page.select("main select", "failed");
  await tab.sees("No entry matches these filters.");
});

test("other options are tried on the past before they are saved", async () => {
  await tab.go(`/sources/${(await row()).id}`);
  await tab.click("Change options…");
  await tab.fill("Changes by %", "90");
  await tab.click("Try these options on the past");
  await tab.sees("never");
  await tab.fill("Changes by %", "2");
  await tab.click("Try these options on the past");
  await tab.sees("Would have made an event (1)");
  expect(await tab.findings()).toEqual([]);
  expect((await row()).options).toMatchObject({ when: { value: { changed_by_percent: 1 } } });
  await tab.page.keyboard.press("Escape");
});

test("what is wrong with an option is said at its field", async () => {
  await tab.go(`/sources/${(await row()).id}`);
  await tab.click("Change options…");
  const isRefused = async (group: string, label: string, value: string, good: string) => {
    await tab.click(group);
    await tab.fill(label, value);
    await tab.click("Change");
    await until(`the field ${label} has an error`, async () => (await wrongFields()) === label);
    await tab.fill(label, good);
  };
  await isRefused("What is kept of its past", "Days", "0", "");
  await isRefused("Which part of the page", "Only these parts", "p[", "");
  await isRefused("How often", "Check every", "often", "");
  await isRefused("Awkward pages and APIs", "Asked for from", "Austria", "");
  await tab.fill("Body of the POST", "q=lamps");
  await tab.click("Change");
  await until("the body has an error", async () => (await wrongFields()) === "Body of the POST");
  await tab.fill("Body of the POST", "");
  await tab.fill("Number to compare", "p[");
  await tab.click("Change");
  await until("the number's field has an error", async () => (await wrongFields()) === "Number to compare");
  expect(await tab.findings()).toEqual([]);
  await tab.page.keyboard.press("Escape");
});

/** The labels of the fields that have an error below them. */
function wrongFields(): Promise<string> {
  return tab.page.evaluate(() =>
    [...document.querySelectorAll(".field")]
      .filter(field => field.querySelector(".field-error") && field.querySelector("[aria-invalid=true]"))
      .map(field => field.querySelector("label")?.textContent)
      .join(", "),
  );
}

test("a part is chosen on a picture of the page, by the keyboard, too", async () => {
  const before = await row();
  await tab.go(`/sources/${before.id}`);
  await tab.click("Show a picture of the page");
  await tab.sees("Arrow keys go from part to part");
  await tab.page.focus(".pointing-part[tabindex='0']");
  const at = () => tab.page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await until("the price has the focus", async () => {
    if ((await at())?.startsWith("The box costs")) return true;
    await tab.page.keyboard.press("ArrowDown");
    return false;
  });
  await tab.page.keyboard.press("Enter");
  await tab.sees("this part");
  expect(await tab.findings()).toEqual([]);
  await tab.click("Watch it: .price");
  await tab.sees("How Nest boxes is watched");
  await tab.click("Change");
  await until("the page of the new watch is shown", () => !tab.address().includes(before.id));
  await tab.sees("Watches .price");
  expect((await row()).options).toMatchObject({ select: [".price"] });
});

test("a muted line is ignored for good, and a watch is paused and continued", async () => {
  const counter = async () =>
    (await ask("GET", "/track?query=counter")).data[0] as Awaited<ReturnType<typeof row>>;
  const { id } = await counter();
  await until("the counter is muted", async () => (await ask("GET", `/sources/${id}`)).data.muted.length > 0);
  expect(await counter()).toMatchObject({
    muted: [{ text: expect.stringContaining("Seen by"), ignore: expect.stringContaining("Seen by") }],
  });
  await tab.go(`/sources/${id}?view=muted`);
  await tab.sees("Muted lines (1)");
  await tab.sees("Seen by");
  expect(await tab.findings()).toEqual([]);
  await tab.page.evaluate(() => document.querySelector<HTMLElement>("td button")?.click());
  await until("the page of the new watch is shown", () => !tab.address().includes(id));
  expect((await counter()).options?.ignore).toEqual([expect.stringContaining("Seen by")]);
  await tab.sees("Ignores lines with");
  await tab.click("Pause");
  await tab.sees("It is not checked.");
  expect((await counter()).options).toMatchObject({ paused: true });
  await tab.click("Continue");
  await until("it is checked again", async () => (await counter()).options?.paused === undefined);
});

test("the past is searched", async () => {
  await tab.go("/search");
  await tab.fill("Words", "larch");
  await tab.click("Search");
  await tab.sees("made of larch");
  expect(await tab.findings()).toEqual([]);
  expect(dashboard.problems).toEqual([]);
});
