import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ElementHandle } from "puppeteer";
import { type Site, startSite } from "../../support/http-site.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";
import { type Dashboard, openDashboard, type Tab } from "./dashboard.ts";

let dashboard: Dashboard;
let receiver: Receiver;
let site: Site;
let tab: Tab;
const items = ["The first"];
let isFeedBroken = false;
/** The title of the feed, and how the feed has to write it so that it is no markup there. */
const feedName = "Tides <script>alert(1)</script>";
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

beforeAll(async () => {
  [receiver, site, dashboard] = await Promise.all([
    startReceiver(),
    startSite(harbour),
    openDashboard({ WEBHOOK_BACKOFF: "100ms,100ms,100ms,100ms", POLL_MIN_INTERVAL: "1s" }),
  ]);
  tab = await dashboard.signIn({ api_key: dashboard.apiKey });
});

afterAll(async () => {
  await dashboard.close();
  await Promise.all([receiver.close(), site.close()]);
});

/** A feed whose title has a script in it, and pages that lead to one another; the sixth fails. */
function harbour(request: { url?: string }, response: import("node:http").ServerResponse): void {
  const path = request.url ?? "/";
  if (path === "/feed.xml" && !isFeedBroken) {
    response.setHeader("content-type", "application/rss+xml");
    const entries = items.map(
      title => `<item><title>${escaped(escaped(title))}</title><guid>${escaped(title)}</guid></item>`,
    );
    response.end(
      `<rss version="2.0"><channel><title>${escaped(escaped(feedName))}</title>${entries.join("")}</channel></rss>`,
    );
    return;
  }
  const at = Number(/^\/boats\/(\d+)$/.exec(path)?.[1] ?? -1);
  response.setHeader("content-type", "text/html");
  if (at < 0) response.writeHead(404);
  if (at === 6) response.destroy();
  const links = [2 * at + 1, 2 * at + 2]
    .filter(each => each < 15)
    .map(each => `<a href="/boats/${each}">Boat ${each}</a>`);
  response.end(
    `<!doctype html><html lang="en"><title>Boat ${at}</title><main><h1>Boat ${at}</h1><p>It's a boat that lies in the harbour tonight, and it leaves with the tide.</p>${links.join(" ")}</main>`,
  );
}

/** Does the work of curl on a machine without it. */
const standIn = `command -v curl >/dev/null || curl() { '${process.execPath}' '${join(import.meta.dirname, "../../support/curl-stand-in.js")}' "$@"; }\n`;

async function asKey(method: string, path: string, body?: unknown): Promise<void> {
  await ask({ "x-api-key": dashboard.apiKey }, method, path, body);
}

/** As an account that posts on demand only. */
async function post(text: string): Promise<void> {
  const body = { platform: "microblog", username: "quiet_wren", text };
  await ask(asAdmin(), "POST", "/internal/sandbox/post", body);
}

const asAdmin = () => ({ "x-admin-key": dashboard.adminKey });

async function ask(headers: Record<string, string>, method: string, path: string, body?: unknown) {
  const response = await fetch(dashboard.url + path, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(120_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

test("a post arrives live, and markup in it stays text", async () => {
  await asKey("POST", "/track/microblog", { sid: "quiet_wren" });
  await tab.go("/events");
  await tab.sees("Live");
  await post("A heron <script>document.title = 'taken'</script> came in");
  await tab.sees("A heron <script>document.title = 'taken'</script> came in");
  expect(await tab.page.title()).toBe("Live events · Magpie");
  await tab.theme("dark");
  expect(await tab.findings()).toEqual([]);
});

test("a paused page counts waiting events and shows them when it continues", async () => {
  await tab.click("Pause");
  await post("While it was paused");
  await tab.sees("Continue (1 new)");
  expect(await tab.text()).not.toContain("While it was paused");
  await tab.click("Continue (1 new)");
  await tab.sees("While it was paused");
});

test("an event opens as what happened, with its JSON in a tab", async () => {
  await tab.page.evaluate(() => {
    const rows = [...document.querySelectorAll<HTMLElement>(".event button")];
    rows.find(row => row.innerText.includes("While it was paused"))?.click();
  });
  await tab.sees("What happened");
  expect(await tab.findings()).toEqual([]);
  await tab.click("JSON");
  await tab.sees('full_text: "While it was paused"');
  expect(await tab.findings()).toEqual([]);
  await tab.page.keyboard.press("Escape");
});

test("the address holds the filters of events", async () => {
  await tab.go("/events?source=nobody");
  await tab.sees("No event matches yet");
  await tab.go("/events?type=microblog.post.created&source=wren");
  await tab.sees("While it was paused");
});

test("an endpoint is registered, and its secret is shown once", async () => {
  await tab.go("/webhook");
  await tab.sees("No endpoint is registered");
  await tab.click("Register an endpoint");
  await tab.fill("Address", `${receiver.url}/hook`);
  await tab.fill("Name", "harbour office");
  await tab.click("Register");
  await tab.sees("It is shown only once");
  const secret = /whsec_\S+/.exec(await tab.text())?.[0] ?? "";
  receiver.trust(secret);
  expect(await tab.findings()).toEqual([]);
  await tab.click("I have saved it");
  await tab.sees("harbour office");
  expect(await tab.text()).not.toContain("whsec_");
  await tab.click("Send a test");
  await until("the test arrives", () => receiver.received.some(({ event }) => event.type === "webhook.test"));
  expect(receiver.received.every(({ verified }) => verified)).toBe(true);
});

test("an endpoint fails with its receiver and gets the kept events when it is made active", async () => {
  receiver.behave(500);
  await post("Kept, the first");
  // The word is also that of a failed attempt, and while the endpoint is probed it takes what comes.
  await until("the endpoint has failed", async () => {
    const { data } = await ask({ "x-api-key": dashboard.apiKey }, "GET", "/webhooks");
    return data[0].status === "FAILED";
  });
  await tab.sees("Failed");
  await post("Kept, the second");
  await tab.sees("Waiting 2 events");
  const admin = await dashboard.signIn({ admin_key: dashboard.adminKey });
  await admin.sees("1 webhook or source needs attention");
  await admin.sees(`Needs attention ${receiver.url}/hook has failed`);
  expect(await admin.findings()).toEqual([]);
  await tab.go("/");
  await tab.sees("failed too often and gets nothing more");
  await tab.go("/webhook");
  expect(
    await admin.page.$$eval(".rate.is-bad .rate-title", found => found.map(each => each.textContent)),
  ).toEqual(["Failed deliveries"]);
  await admin.sees("a minute");
  await admin.close();
  expect(await tab.findings()).toEqual([]);
  receiver.behave(200);
  const taken = () => receiver.taken().map(({ body }) => /Kept, the \w+/.exec(body)?.[0]);
  expect(taken()).not.toContain("Kept, the first");
  await tab.click("Make active");
  await tab.sees("Active");
  await until("both are delivered", () => taken().includes("Kept, the second"));
  expect(taken().filter(Boolean)).toEqual(["Kept, the first", "Kept, the second"]);
  await tab.sees("Waiting 0 events");
});

test("a second endpoint gets chosen events only, and none while it is paused", async () => {
  await tab.go("/webhook");
  await tab.click("Add an endpoint");
  await tab.fill("Address", `${receiver.url}/tides`);
  await tab.fill("Name", "tides only");
  await tab.fill("Tags", "tides");
  await tab.page.evaluate(() => {
    const labels = [...document.querySelectorAll<HTMLElement>("dialog .option-chips label")];
    labels.find(label => label.textContent === "New entry")?.click();
  });
  expect(await tab.findings()).toEqual([]);
  await tab.click("Register");
  await tab.click("I have saved it");
  await tab.sees("New entry of sources tagged tides");
  expect(await tab.text()).toContain("harbour office");
  expect(await tab.findings()).toEqual([]);
  await tab.click("tides only");
  await tab.sees("Events New entry of sources tagged tides");
  await tab.click("Pause");
  await tab.sees("Paused");
  await tab.click("Continue");
  await tab.sees("Active");
  await tab.click("Change…");
  await tab.fill("Name", "tides");
  await tab.click("Change");
  await until("the dialog is gone", () => tab.page.evaluate(() => document.querySelector("dialog") === null));
  await tab.click("Remove…");
  await tab.click("Remove");
  await tab.sees("This endpoint no longer exists");
  await tab.go("/webhook");
  await tab.sees("harbour office");
});

test("a feed is made of some sources, read without a key, and removed", async () => {
  await tab.go("/feeds");
  await tab.sees("No feed yet");
  await tab.click("Make a feed");
  await tab.fill("Name", "Wren <b>watch</b>");
  await tab.click("Only some sources");
  await tab.page.evaluate(() => {
    const labels = [...document.querySelectorAll<HTMLElement>("dialog .wanted-sources label")];
    labels.find(label => label.textContent?.includes("Quiet Wren"))?.click();
  });
  await tab.sees("1 source chosen");
  expect(await tab.findings()).toEqual([]);
  await tab.click("Make the feed");
  await tab.sees("Anyone with this address can read the feed");
  expect(await tab.findings()).toEqual([]);
  const address = /http\S+\.atom/.exec(await tab.text())?.[0] ?? "";
  const read = () => fetch(address, { signal: AbortSignal.timeout(30_000) });
  expect(await (await read()).text()).toContain("Kept, the second");
  await tab.click("Done");
  await tab.sees("Every event of 1 source");
  expect(await tab.text()).not.toContain(".atom");
  await tab.click("Remove Wren <b>watch</b>");
  await tab.click("Remove");
  await tab.sees("No feed yet");
  expect((await read()).status).toBe(404);
});

test("attempts are listed, filtered and opened, and one is sent again", async () => {
  await tab.go("/webhook");
  await tab.click("All attempts");
  await tab.sees("Every attempt to deliver");
  await tab.go("/deliveries?status=failed");
  await tab.sees("500");
  await tab.sees(`${receiver.url}/hook`);
  expect(await tab.text()).not.toContain("Delivered New");
  const before = receiver.received.length;
  await tab.page.evaluate(() => document.querySelector<HTMLElement>("tbody th a")?.click());
  await tab.sees("What was sent");
  await tab.sees("Kept, the first");
  await tab.click("JSON");
  await tab.sees('full_text: "Kept, the first"');
  expect(await tab.findings()).toEqual([]);
  await tab.click("Send it again");
  await until("it arrives once more", () => receiver.received.length > before);
  expect(receiver.received.at(-1)?.body).toContain("Kept, the first");
});

/** Notes the files that the page saves from now on, in place of the browser. */
async function noteFiles({ page }: Tab): Promise<void> {
  await page.evaluate(() => {
    const noted = window as unknown as { file?: Blob; fileName?: string };
    URL.createObjectURL = file => {
      noted.file = file as Blob;
      return "blob:noted";
    };
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      noted.fileName = this.download;
    };
  });
}

async function savedFile({ page }: Tab): Promise<[name: string, text: string]> {
  await page.waitForFunction(() => "fileName" in window);
  return await page.evaluate(async () => {
    const { file, fileName = "" } = window as unknown as { file?: Blob; fileName?: string };
    return [fileName, (await file?.text()) ?? ""] as [string, string];
  });
}

test("a crawl starts in the playground, and its pages appear as they are read", async () => {
  await tab.go("/playground?what=crawl");
  await tab.fill("url", `${site.url}/boats/0`);
  await tab.click("Crawl");
  await tab.sees("Read (");
  await tab.sees("Completed");
  await tab.sees("Read (12)");
  await tab.sees("Boat 12");
  expect(tab.address()).toMatch(/^\/crawls\/crw_/);
  expect(await tab.findings()).toEqual([]);
  const listed = await tab.page.evaluate(() => document.querySelectorAll("tbody tr").length);
  expect(listed).toBe(12);
  await noteFiles(tab);
  await tab.click("Download as JSON Lines");
  const [name, lines] = await savedFile(tab);
  const pages = lines
    .trim()
    .split("\n")
    .map(line => JSON.parse(line));
  expect([name, pages.length, typeof pages[0].markdown]).toEqual(["pages.jsonl", 12, "string"]);
  await tab.click("Failed or skipped (1)");
  await tab.sees("/boats/6");
  await tab.click("Read (12)");
  await tab.click("Boat 12");
  await tab.sees("It's a boat that lies in the harbour tonight");
  await tab.page.keyboard.press("Escape");
  await tab.go("/crawls?status=completed");
  await tab.sees("13 of 13 1 failed");
});

test("a scrape in the playground shows the line that does the same in a shell", async () => {
  await tab.go("/playground");
  await tab.fill("url", `${site.url}/boats/3?it's=1`);
  await tab.page.evaluate(() => document.querySelector<HTMLElement>("input[value=links]")?.click());
  await tab.click("Scrape");
  await tab.sees("It's a boat that lies in the harbour tonight");
  await tab.sees("Links (2)");
  expect(await tab.findings()).toEqual([]);
  await noteFiles(tab);
  await tab.click("Download page.md");
  expect(await savedFile(tab)).toEqual(["page.md", expect.stringContaining("It's a boat")]);
  const line = await tab.page.evaluate(() => document.querySelector("pre.lines")?.textContent ?? "");
  expect(line).not.toContain(dashboard.apiKey);
  const { stdout } = await promisify(execFile)("sh", ["-c", standIn + line], {
    env: { ...process.env, MAGPIE_API_KEY: dashboard.apiKey },
  });
  const answer = JSON.parse(stdout);
  expect(answer).toMatchObject({ status: "completed", url: `${site.url}/boats/3?it's=1` });
  expect(answer.data.links).toHaveLength(2);
  expect(answer.data.markdown).toContain("It's a boat");
});

test("the address of the playground holds the options but no cookies", async () => {
  await tab.page.evaluate(() => {
    for (const group of document.querySelectorAll("details")) group.open = true;
  });
  await tab.fill("request.cookies", "sid: secret");
  await tab.fill("timeout", "45000");
  await until("the address has them", () => tab.address().includes("timeout=45000"));
  expect(tab.address()).toContain("output.formats=markdown%2Clinks");
  expect(tab.address()).not.toContain("secret");
  expect(await tab.page.evaluate(() => document.querySelector("pre.lines")?.textContent)).toContain(
    '"sid": "secret"',
  );
  const other = await dashboard.signIn({ api_key: dashboard.apiKey }, tab.address());
  await other.sees('"timeout": 45000');
  await other.close();
});

test("an invalid option is refused at its field", async () => {
  await tab.go("/playground?timeout=soon&url=https%3A%2F%2Fexample.com");
  await tab.click("Scrape");
  await tab.sees("timeout: This must be a number.");
  await tab.go("/playground?url=ftp%3A%2F%2Fexample.com");
  await tab.click("Scrape");
  await until("the field is marked", () =>
    tab.page.evaluate(
      () => document.querySelector("input[name=url]")?.getAttribute("aria-invalid") === "true",
    ),
  );
});

test("a source is added after a preview", async () => {
  await tab.go("/sources");
  await tab.click("Add a source");
  await until("the address has the focus", () =>
    tab.page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name === "sid"),
  );
  await tab.fill("Address", `${site.url}/feed.xml`);
  await until("it is taken for a feed", () =>
    tab.page.evaluate(() => document.querySelector<HTMLInputElement>("input[value=rss]")?.checked === true),
  );
  await tab.click("Show a preview");
  await tab.sees("The first");
  expect(await tab.findings()).toEqual([]);
  await tab.click("Track it");
  await until("the dialog is gone", () => tab.page.evaluate(() => document.querySelector("dialog") === null));
  await tab.sees(feedName);
  expect(await tab.page.evaluate(() => document.querySelectorAll("td script, th script").length)).toBe(0);
});

test("new entries of a feed arrive live", async () => {
  await tab.go("/events?source=tides");
  await tab.sees("Live");
  items.unshift("The second <b>boat</b>");
  await tab.sees("The second <b>boat</b>");
});

test("a source is checked at once by its button", async () => {
  await until("it was last polled a while ago", async () => {
    const { data } = await ask(asAdmin(), "GET", "/internal/sources?source=microblog");
    return data.every(({ polled_at }: { polled_at: string }) => Date.now() - Date.parse(polled_at) > 31_000);
  });
  await tab.go("/sources");
  await tab.click("Check now: Quiet Wren");
  await tab.sees("Quiet Wren is being checked.");
});

test("the address filters the sources", async () => {
  await tab.go("/sources?source=rss");
  await tab.sees(feedName);
  expect(await tab.text()).not.toContain("Quiet Wren");
  await tab.go("/sources?query=wren");
  await tab.sees("Quiet Wren");
  expect(await tab.text()).not.toContain(feedName);
  await tab.go("/sources?health=gone");
  await tab.sees("No match");
});

test("a part of a page is watched by pointing at it, and its options are changed later", async () => {
  await tab.go(`/sources?add=1&kind=web&sid=${encodeURIComponent(`${site.url}/boats/4`)}`);
  await tab.click("Show a preview");
  await tab.click("Point at a part of the page");
  await tab.sees("Arrow keys go from part to part");
  await tab.click("Boat 9");
  await tab.sees("this part");
  expect(await tab.findings()).toEqual([]);
  // The first proposal is the part itself, the others are the elements around it.
  await tab.page.evaluate(() => document.querySelector<HTMLElement>(".point-at-proposals button")?.click());
  await tab.click("Show the preview again");
  await until("only that part is shown", () =>
    tab.page.evaluate(() => document.querySelector(".would-watch-text")?.textContent?.trim() === "Boat 9"),
  );
  await tab.click("Track it");
  await until("the dialog is gone", () => tab.page.evaluate(() => document.querySelector("dialog") === null));
  const row = async () =>
    (await ask({ "x-api-key": dashboard.apiKey }, "GET", "/track?source=web")).data[0] as {
      options: { select?: string[]; interval?: string };
    };
  expect((await row()).options.select).toHaveLength(1);
  await tab.go("/sources?source=web");
  await tab.click("Change how Boat 4 is watched");
  await tab.click("How often");
  await tab.fill("Check every", "2h");
  expect(await tab.findings()).toEqual([]);
  await tab.click("Change");
  await until("the dialog is gone", () => tab.page.evaluate(() => document.querySelector("dialog") === null));
  expect((await row()).options).toMatchObject({ interval: "2h", select: [expect.any(String)] });
});

test("a list of sources is exported and imported as OPML", async () => {
  const opml = await (
    await fetch(`${dashboard.url}/track/opml`, {
      headers: { "x-api-key": dashboard.apiKey },
      signal: AbortSignal.timeout(30_000),
    })
  ).text();
  const folder = mkdtempSync(join(tmpdir(), "magpie-opml-"));
  const file = join(folder, "feeds.opml");
  const broken = '<outline type="rss" text="Broken boat" xmlUrl="ftp://boats.example/feed"/>';
  writeFileSync(file, opml.replace("</body>", `${broken}</body>`));
  await tab.go("/sources");
  await tab.click("Import or export…");
  const input = (await tab.page.waitForSelector(
    "dialog input[type=file]",
  )) as ElementHandle<HTMLInputElement>;
  await input.uploadFile(file);
  await tab.click("Show what would change");
  await tab.sees("Would be added");
  await tab.sees("Broken boat");
  expect(await tab.findings()).toEqual([]);
  await tab.click("Import");
  await tab.sees("Added");
  rmSync(folder, { recursive: true });
});

test("a source is removed after a confirmation", async () => {
  await tab.go("/sources?source=rss");
  await tab.click(`Remove ${feedName}`);
  await tab.sees("This key gets no more events from it.");
  await tab.click("Remove");
  await tab.sees("No match");
});

test("a feed that fails says why", async () => {
  await asKey("POST", "/track/rss", { sid: `${site.url}/feed.xml` });
  isFeedBroken = true;
  await tab.go("/sources?source=rss");
  await tab.sees("Retrying");
  isFeedBroken = false;
});

test("arrow keys go from tab to tab", async () => {
  await tab.go("/playground");
  await tab.sees("curl -sS");
  await tab.sees('"url": "https://example.com/"');
  await tab.page.focus("[role=tab][data-name=curl]");
  await tab.page.keyboard.press("ArrowRight");
  await tab.sees("await fetch(");
  await tab.page.keyboard.press("End");
  await tab.sees("requests.post(");
  expect(await tab.page.evaluate(() => document.activeElement?.textContent)).toBe("Python");
});

const pages = [
  "/sources",
  "/sources?add=1",
  "/events",
  "/joins",
  "/sessions",
  "/webhook",
  "/deliveries",
  "/feeds",
  "/scrapes",
  "/crawls",
  "/playground",
  "/playground?what=crawl",
];

/** Waits until the page shows what it has, and opens what is closed. */
async function loaded(path: string, { page }: Tab): Promise<void> {
  await until(`${path} has loaded`, () => page.evaluate(() => document.querySelector(".waiting") === null));
  await page.evaluate(() => {
    for (const group of document.querySelectorAll<HTMLDetailsElement>("details.option-group"))
      group.open = true;
  });
}

test.each(["light", "dark"] as const)("no page of a key has a serious finding in %s", async theme => {
  await tab.theme(theme);
  for (const path of pages) {
    await tab.go(path);
    await loaded(path, tab);
    expect([path, await tab.findings()]).toEqual([path, []]);
  }
});

test("an administrator sees the work of all keys and acts as one by the address", async () => {
  const admin = await dashboard.signIn({ admin_key: dashboard.adminKey });
  const seen: [path: string, text: string][] = [
    ["/sources", "Quiet Wren"],
    ["/webhook", `${receiver.url}/hook`],
    ["/deliveries?status=failed", "500"],
    // Keys are named.
    ["/deliveries", "default"],
    // With one key in the installation there is nothing to choose.
    ["/feeds", "No feed yet"],
    ["/joins", "No requests yet"],
    ["/scrapes", "/boats/3"],
    ["/scrapes", "default"],
    ["/crawls", "13 of 13"],
    ["/playground", "The result appears here"],
  ];
  for (const [path, text] of seen) {
    await admin.go(path);
    await admin.sees(text);
    for (const theme of ["light", "dark"] as const) {
      await admin.theme(theme);
      expect([path, await admin.findings()]).toEqual([path, []]);
    }
  }
  await admin.go("/webhook");
  await admin.click(`${receiver.url}/hook`);
  await admin.sees("harbour office");
  expect(admin.address()).toMatch(/^\/webhook\/[\w-]+\?key=/);
  await admin.close();
});

test("an administrator of several keys who adds something chooses the key first", async () => {
  await ask(asAdmin(), "POST", "/internal/keys", { owner: "acme", name: "second" });
  const admin = await dashboard.signIn({ admin_key: dashboard.adminKey });
  const choose = () =>
    admin.page.waitForSelector(".picker-keys button").then(button => button?.click() ?? undefined);
  await admin.go("/sources");
  await admin.click("Add a source");
  await admin.sees("Choose the key");
  await choose();
  await admin.sees("Address, account or words");
  await admin.go("/webhook");
  await admin.click("Add an endpoint");
  await admin.sees("Choose the key");
  await choose();
  await admin.sees("Register an endpoint");
  await admin.close();
});

test("an administrator sees the events of all keys", async () => {
  const admin = await dashboard.signIn({ admin_key: dashboard.adminKey });
  await admin.go("/events?source=wren");
  await admin.sees("Live");
  await post("For everybody");
  await admin.sees("For everybody");
  await admin.go("/");
  await admin.go("/events?source=wren");
  await admin.sees("For everybody");
  await admin.close();
});

test("no page violates the policy or throws", () => {
  expect(dashboard.problems).toEqual([]);
});
