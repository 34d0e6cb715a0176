import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CommandRun,
  program,
  runCommand,
  startCommand,
  startInTerminal,
} from "../../support/command.ts";
import { removeFolder } from "../../support/folders.ts";
import type { Site } from "../../support/http-site.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { withoutBrowser } from "../../support/start-args.ts";
import { until } from "../../support/until.ts";
import { page, Sites } from "../crawler/site.ts";

const home = mkdtempSync(join(tmpdir(), "magpie-command-"));
const ofFolder = { HOME: home, DATA_DIR: join(home, "data") };
const sites = new Sites();
let serviceEnv: Record<string, string>;
let service: CommandRun;
let receiver: Receiver;
let site: Site;

beforeAll(async () => {
  site = await sites.start({
    "/": page("Harbour", "boats", "tide"),
    "/boats": page("Boats"),
    "/tide": page("Tide"),
  });
  receiver = await startReceiver();
  serviceEnv = {
    ...ofFolder,
    ...withoutBrowser,
    ...{
      PORT: String(await freePort()),
      EGRESS_ALLOW: "127.0.0.1",
      SANDBOX_POST_EVERY: "1s",
      POLL_MIN_INTERVAL: "1s",
    },
    WEBHOOK_ALLOW_HTTP: "true",
  };
  service = await serve();
});

afterAll(async () => {
  service?.child.kill("SIGTERM");
  await service?.end;
  await receiver?.close();
  await sites.close();
  await removeFolder(home);
});

async function serve(): Promise<CommandRun> {
  const run = startCommand(["serve"], serviceEnv);
  await until("it listens", () => /listens on http/.test(run.stdout()) || run.child.exitCode !== null);
  if (run.child.exitCode !== null) throw new Error(run.stderr());
  return run;
}

/** The service has to come back where its clients know it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** In the folder of the service: nothing else has to be set. */
const magpie = (...args: string[]) => runCommand(args, ofFolder);
const lines = (text: string) => text.split("\n").filter(Boolean);
const json = (text: string) => lines(text).map(line => JSON.parse(line));

test("a scrape prints the page, or with --json all that is known of it on one line", async () => {
  const { code, stdout, stderr } = await magpie("scrape", `${site.url}/`, "--no-js");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^# Harbour\n/);
  const answer = await magpie("scrape", `${site.url}/`, "--no-js", "--json", "--format", "links");
  expect(json(answer.stdout)).toMatchObject([
    { status: "completed", data: { metadata: { title: "Harbour" } } },
  ]);
  const links = await magpie("scrape", `${site.url}/`, "--no-js", "--format", "links");
  expect(lines(links.stdout)).toEqual([`${site.url}/boats`, `${site.url}/tide`]);
});

test("a document of this machine is printed, and what it is with --json", async () => {
  const path = join(home, "towns.csv");
  writeFileSync(path, "town,people\nUpford,1200\n");
  const { code, stdout, stderr } = await magpie("parse", path);
  expect([code, stdout, stderr]).toEqual([0, "| town | people |\n| --- | --- |\n| Upford | 1200 |\n", ""]);
  const answer = await magpie("parse", path, "--json", "--format", "html");
  expect(json(answer.stdout)).toMatchObject([
    { data: { html: expect.stringContaining("<table>"), metadata: { file_name: "towns.csv" } } },
  ]);
  const missing = await magpie("parse", join(home, "none.pdf"));
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("none.pdf cannot be read")]);
});

test.each<[string, number, string[], Record<string, string>, RegExp]>([
  ["an unknown name", 2, ["fetch"], {}, /unknown command 'fetch'/],
  ["an unknown choice", 2, ["scrape", "x", "--format", "pdf"], {}, /Allowed choices are html/],
  ["a wrong setting", 2, ["scrape", "x"], { MAGPIE_URL: "ftp://x" }, /^magpie: MAGPIE_URL: /],
  ["an address that is no URL", 1, ["scrape", "nonsense"], {}, /^magpie: 400: .*\(url\)/],
  ["an address that the guard refuses", 1, ["scrape", "http://169.254.169.254/"], {}, /^magpie: 400: /],
  [
    "no service",
    3,
    ["scrape", "x", "--server", "http://127.0.0.1:1"],
    { MAGPIE_API_KEY: "k".repeat(20) },
    /cannot be reached/,
  ],
  ["no key", 4, ["scrape", "x", "--server", "http://127.0.0.1:1"], {}, /Set MAGPIE_API_KEY/],
  ["a wrong key", 4, ["sources"], { MAGPIE_API_KEY: "mk_wrong-wrong-wrong" }, /^magpie: 401: /],
  ["a wrong admin key", 4, ["keys", "list"], { MAGPIE_ADMIN_KEY: "wrong-wrong-wrong" }, /^magpie: 401: /],
])("a command with %s ends with exit code %i", async (_, expected, args, env, sentence) => {
  const { code, stdout, stderr } = await runCommand(args, { ...ofFolder, ...env });
  expect([code, stdout, stderr]).toEqual([expected, "", expect.stringMatching(sentence)]);
  for (const key of [env.MAGPIE_API_KEY, env.MAGPIE_ADMIN_KEY]) if (key) expect(stderr).not.toContain(key);
});

test("keys are created, listed, renamed and deleted, and a value is shown once", async () => {
  const created = await magpie("keys", "create", "laptop", "--owner", "ada", "--requests-per-minute", "30");
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mk_\S+\n$/) });
  const key = created.stdout.trim();
  const [, id = ""] = /^Key (\S+) of ada/.exec(created.stderr) ?? [];
  expect((await runCommand(["sources"], { ...ofFolder, MAGPIE_API_KEY: key })).code).toBe(0);
  await magpie("keys", "rename", id, "desk");
  const listed = await magpie("keys", "list", "--owner", "ada", "--json");
  expect(json(listed.stdout)).toMatchObject([{ id, name: "desk", limits: { requestsPerMinute: 30 } }]);
  expect(listed.stdout).not.toContain(key);
  const table = await magpie("keys", "list");
  expect(table.stdout).toMatch(/^ID +OWNER +NAME +REQUESTS\/MIN/);
  expect((await magpie("keys", "delete", id)).code).toBe(0);
  expect(json((await magpie("keys", "list", "--owner", "ada", "--json")).stdout)).toEqual([]);
});

test("a key with scopes and an end may do these only, and both are listed", async () => {
  const end = "2090-01-31T00:00:00.000Z";
  const scoped = ["--owner", "bea", "--scope", "scrape", "--scope", "read", "--expires", end];
  const created = await magpie("keys", "create", "reader", ...scoped);
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mk_\S+\n$/) });
  const [listed] = json((await magpie("keys", "list", "--owner", "bea", "--json")).stdout);
  expect(listed).toMatchObject({ expires_at: end });
  expect(listed.scopes.toSorted()).toEqual(["read", "scrape"]);
  const table = await magpie("keys", "list", "--owner", "bea");
  expect(table.stdout).toMatch(/ SCOPES .* EXPIRES .* LAST USED /);
  expect(table.stdout).toMatch(new RegExp(` (?:scrape,read|read,scrape) .* ${end} `));
  const asKey = (...args: string[]) =>
    runCommand(args, { ...ofFolder, MAGPIE_API_KEY: created.stdout.trim() });
  expect((await asKey("sources")).code).toBe(0);
  const refused = await asKey("crawl", `${site.url}/`, "--limit", "1");
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringMatching(/^magpie: 403: .*crawl/)]);
});

test.each([
  [["--scope", "fly"], 2, /A scope is one of /],
  [["--expires", "soon"], 1, /^magpie: 400: .*expires_at/],
  [["--expires", "2020-01-31T00:00:00Z"], 1, /^magpie: 400: .*expires_at/],
])("a key is not made with %p", async (options, code, sentence) => {
  const refused = await magpie("keys", "create", "none", "--owner", "eve", ...options);
  expect(refused).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(sentence) });
  expect(json((await magpie("keys", "list", "--owner", "eve", "--json")).stdout)).toEqual([]);
});

test("a map prints URLs, and a batch takes them from standard input", async () => {
  const map = await magpie("map", `${site.url}/`);
  expect(map).toMatchObject({ code: 0 });
  expect(lines(map.stdout).sort()).toEqual(["/", "/boats", "/tide"].map(path => site.url + path));
  const batch = await runCommand(["batch", "--no-js", "--json"], ofFolder, map.stdout);
  expect(batch).toMatchObject({ code: 0, stderr: expect.stringContaining("completed") });
  const titles = json(batch.stdout).map(({ metadata }) => metadata.title);
  expect(titles.sort()).toEqual(["Boats", "Harbour", "Tide"]);
});

test("a crawl draws a bar on a terminal only", async () => {
  const args = ["crawl", `${site.url}/`, "--no-js", "--out", join(home, "pages")];
  const terminal = startInTerminal(args, ofFolder);
  expect(await terminal.end).toBe(0);
  expect(terminal.stdout()).toContain(`\r[${"=".repeat(30)}] 3 found, 3 read, 0 failed, 0 skipped`);
  expect(terminal.stdout()).toContain("completed (finished) after");
  const plain = await magpie(...args, "--json");
  expect([plain.code, plain.stderr.includes("\r")]).toEqual([0, false]);
  expect(json(plain.stdout).map(({ metadata }) => metadata.title)).toHaveLength(3);
});

test("an error is red on a terminal unless NO_COLOR is set", async () => {
  const coloured = startInTerminal(["scrape", "nonsense"], ofFolder);
  expect(await coloured.end).toBe(1);
  expect(coloured.stdout()).toContain("\u001b[31mmagpie:\u001b[39m 400");
  const plain = startInTerminal(["scrape", "nonsense"], { ...ofFolder, NO_COLOR: "1" });
  expect(await plain.end).toBe(1);
  expect(plain.stdout()).toMatch(/magpie: 400/);
  expect(plain.stdout()).not.toContain("\u001b[");
});

test("a tracked source is listed and its events are printed until it is untracked", async () => {
  const tracked = await magpie("track", "microblog", "corvid_lab", "--json");
  const [{ id }] = json(tracked.stdout);
  const listed = await magpie("sources", "--kind", "microblog");
  expect(listed.stdout).toMatch(new RegExp(`^ID .*\n${id}  microblog  Corvid Lab`));
  const follower = startCommand(["events", "--follow", "--after", "0", "--json"], ofFolder);
  await until("events come", () => lines(follower.stdout()).length >= 3);
  follower.child.kill("SIGINT");
  expect(await follower.end).toBe(0);
  expect(
    json(follower.stdout())
      .map(({ seq }) => seq)
      .slice(0, 3),
  ).toEqual([1, 2, 3]);
  const past = await magpie("events", "--type", "microblog.*");
  expect(past.stdout).toMatch(
    /^1 {2}\S+Z {2}microblog\.post\.created {2}Corvid Lab {2}Corvid Lab \(@corvid_lab\): \S.*\n2 /,
  );
  expect((await magpie("untrack", "microblog", id)).code).toBe(0);
  expect((await magpie("sources", "--kind", "microblog")).stderr).toContain("There are none.");
});

test("a list is exported and imported as OPML, and a feed that fails fails the command", async () => {
  await magpie("track", "microblog", "corvid_lab", "--tag", "birds");
  const out = join(home, "sources.opml");
  const exported = await magpie("sources", "export");
  expect([exported.code, exported.stdout]).toEqual([
    0,
    expect.stringMatching(/<outline text="birds"[^>]*>\s+<outline/),
  ]);
  writeFileSync(out, exported.stdout);
  const again = await magpie("sources", "import", out);
  expect(again).toMatchObject({ code: 0, stdout: "", stderr: "Sources: 1 kept.\n" });
  const feeds = `<opml version="2.0"><body><outline text="Gone" xmlUrl="${site.url}/gone.xml"/></body></opml>`;
  const dry = await runCommand(["sources", "import", "-", "--dry-run"], ofFolder, feeds);
  expect(dry).toMatchObject({
    code: 0,
    stdout: `1  added  Gone  ${site.url}/gone.xml\n`,
    stderr: "Nothing was changed. Sources: 1 added.\n",
  });
  const failed = await runCommand(["sources", "import", "-", "--json"], ofFolder, feeds);
  expect([failed.code, json(failed.stdout)]).toMatchObject([1, [{ line: 1, outcome: "failed" }]]);
  expect(await magpie("sources", "import", join(home, "none.opml"))).toMatchObject({ code: 2, stdout: "" });
  const tagged = async (tag: string) => json((await magpie("sources", "--tag", tag, "--json")).stdout).length;
  expect([await tagged("birds"), await tagged("none")]).toEqual([1, 0]);
});

test("events are printed of some sources only", async () => {
  await magpie("track", "microblog", "corvid_lab", "--tag", "birds");
  const of = async (...filter: string[]) => json((await magpie("events", ...filter, "--json")).stdout);
  await until("events come", async () => (await of("--tag", "birds")).length > 2);
  expect(await of("--tag", "none")).toEqual([]);
  expect((await of("--source", "microblog")).length).toBeGreaterThan(2);
  const follower = startCommand(["events", "--follow", "--tag", "birds", "--json"], ofFolder);
  await until("some come", () => lines(follower.stdout()).length >= 2);
  follower.child.kill("SIGINT");
  expect(await follower.end).toBe(0);
  const numbers = json(follower.stdout()).map(({ seq }) => seq);
  expect(numbers).toEqual(numbers.map((_, at) => numbers[0] + at));
});

test("endpoints are created, listed, changed and deleted, and a secret is shown once", async () => {
  const created = await magpie(
    "webhooks",
    "create",
    "https://example.com/hook",
    "--name",
    "shop",
    "--tag",
    "birds",
  );
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_\S+\n$/) });
  const [, id = ""] = /^Endpoint (\S+)\./.exec(created.stderr) ?? [];
  const listed = await magpie("webhooks", "list", "--json");
  expect(json(listed.stdout)).toMatchObject([{ id, name: "shop", tags: ["birds"] }]);
  expect(listed.stdout).not.toContain(created.stdout.trim());
  expect((await magpie("webhooks", "update", id, "--disable", "--type", "webhook.test")).code).toBe(0);
  expect(json((await magpie("webhooks", "list", "--json")).stdout)).toMatchObject([
    { id, enabled: false, event_types: ["webhook.test"], tags: ["birds"] },
  ]);
  expect((await magpie("webhooks", "update", id, "--format", "text", "--template", "{{title}}")).code).toBe(
    0,
  );
  expect(json((await magpie("webhooks", "list", "--json")).stdout)).toMatchObject([
    { id, format: "text", template: "{{title}}" },
  ]);
  expect((await magpie("webhooks", "update", id, "--format", "fax")).code).toBe(2);
  expect((await magpie("webhooks", "list")).stdout).toMatch(/^ID +NAME +URL +TYPES +TAGS +STATUS\n/);
  expect((await magpie("webhooks", "delete", id)).code).toBe(0);
  expect((await magpie("webhooks", "list")).stderr).toContain("There are none.");
});

test("a preview shows what a watch sees, and tracks nothing", async () => {
  const watch = ["track", "web", site.url, "--select", "h1", "--preview"];
  const shown = await magpie(...watch);
  expect(shown).toMatchObject({ code: 0, stdout: "# Harbour\n" });
  expect(shown.stderr).toMatch(/Would make an event now: not known\. \S.*\./);
  expect(json((await magpie(...watch, "--json")).stdout)).toMatchObject([{ view: { text: "# Harbour" } }]);
  expect((await magpie("track", "microblog", "quiet_wren", "--preview")).code).toBe(0);
  expect((await magpie("sources", "--query", site.url)).stderr).toContain("There are none.");
});

test("what a page said is listed, compared, charted, tried with other options, and found", async () => {
  const prices = [49.9, 39.9];
  let price = prices[0];
  const lamp = () =>
    `<title>Lamp</title><main><h1>Desk lamp</h1><p class=price>${price} EUR</p><p>Brass, since 1931.</p></main>`;
  const shop = await sites.start({
    "/lamp": (_, response) => response.setHeader("content-type", "text/html").end(lamp()),
  });
  const options = join(home, "lamp.json");
  writeFileSync(options, JSON.stringify({ when: { value: { below: 45 } } }));
  const tracked = await magpie(
    "track",
    "web",
    `${shop.url}/lamp`,
    "--select",
    ".price",
    "--options",
    options,
  );
  const [id = ""] = tracked.stdout.split("  ");
  price = prices[1];
  const versions = async () => json((await magpie("versions", id, "--json")).stdout);
  await until("the lower price is kept", async () => (await versions()).length === 2);
  const [latest, first] = await versions();
  expect([latest.outcome, first.outcome]).toEqual(["changed", "first"]);

  const shown = await magpie("source", id);
  expect(shown.stdout).toMatch(/^Desk lamp {2}http.*\nok; next check .*\n2 versions, 1 with an event/);
  expect(shown.stdout).toMatch(/changed +The number fell from 49\.9 to 39\.9, below 45\./);
  expect((await magpie("versions", id)).stdout).toMatch(/^ID +AT +OUTCOME/);
  const then = await magpie("versions", id, "--at", first.at);
  expect([then.stdout, then.stderr]).toEqual(["49.9 EUR\n", expect.stringContaining(first.id)]);
  expect((await magpie("versions", id, "--at", "2001-01-01")).code).toBe(1);
  const diff = await magpie("diff", id);
  expect(diff.stdout).toMatch(/49\.9.*39\.9|-49\.9 EUR\n\+39\.9 EUR/s);
  expect((await magpie("diff", id, first.id, latest.id, "--unified")).stdout).toMatch(
    /^-49\.9 EUR\n\+39\.9 EUR/m,
  );
  const values = json((await magpie("values", id, "--field", "value", "--json")).stdout);
  expect(values.map(({ value }) => value)).toEqual([49.9, 39.9]);
  const silent = await magpie("rehearse", id, "--ignore", "EUR");
  expect(silent.stderr).toMatch(/would have fired/);
  const found = json((await magpie("search", "39.9", "--json")).stdout);
  expect(found).toMatchObject([{ version: latest.id }]);
  await magpie("untrack", "web", id);
  expect((await magpie("source", id)).stderr).toMatch(/^magpie: 404: /);
});

test("a whole site is tracked, and shown as a tree and page by page", async () => {
  const preview = await magpie("track", "site", site.url, "--preview");
  expect(preview).toMatchObject({ code: 0, stdout: expect.stringContaining(`${site.url}/boats`) });
  const tracked = await magpie("track", "site", site.url, "--limit", "10", "--exclude", "/tide");
  const [id = ""] = tracked.stdout.split("  ");
  const pages = async (...options: string[]) =>
    json((await magpie("site", "pages", id, "--json", ...options)).stdout);
  await until("both pages are read", async () => (await pages("--state", "there")).length === 2);
  const tree = await magpie("site", "tree", id);
  expect(tree.stdout).toMatch(/^127\.0\.0\.1:\d+ {2}2 pages\n {2}boats {2}there\n$/);
  expect((await magpie("site", "pages", id, "--prefix", "/boats")).stdout).toMatch(
    /^STATE +CHANGED +VISITED +TITLE +URL\nthere +- +\S+ +Boats +http/,
  );
  expect((await magpie("site", "pages", id, "--since", "2026-01-01")).stderr).toContain("There are none.");
  expect((await magpie("site", "tree", id, "--levels", "1", "--json")).stdout).toContain('"depth":0');
  await magpie("untrack", "site", id);
});

test("a monitor is made, checked, paused and deleted", async () => {
  const nothing = await magpie("monitor", "create", "Boats", "--at", "hourly");
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining("--page, --site or --search") });
  const at = ["--at", "daily at 9:00", "--zone", "Europe/Vienna"];
  const made = await magpie(
    "monitor",
    "create",
    "Boats",
    ...at,
    "--page",
    `${site.url}/boats`,
    "--keep",
    "7",
  );
  const id = made.stdout.trim();
  expect([made.code, id]).toEqual([0, expect.stringMatching(/^mon_/)]);
  expect((await magpie("monitor", "list")).stdout).toMatch(/Boats +daily at 9:00 +\d{4}-/);
  const run = await magpie("monitor", "run", id);
  expect(run.stdout).toMatch(/^chk_\S+ {2}completed, 1 new\n$/);
  const [check] = json((await magpie("monitor", "checks", id, "--json")).stdout);
  expect(check).toMatchObject({ status: "completed", trigger: "manual", counts: { pages: 1, new: 1 } });
  expect((await magpie("monitor", "show", id)).stdout).toMatch(
    new RegExp(
      `^Boats {2}daily at 9:00 \\(Europe/Vienna\\)\n {2}web {2}http.*last check: ${check.id} {2}completed`,
      "s",
    ),
  );
  expect(json((await magpie("monitor", "show", id, "last", "--json")).stdout)).toMatchObject([
    { status: "new", url: expect.stringContaining("/boats") },
  ]);
  expect((await magpie("monitor", "pause", id)).stderr).toContain("It is paused.");
  expect((await magpie("monitor", "continue", id)).stderr).toContain("Checked next at");
  expect((await magpie("monitor", "delete", id)).code).toBe(0);
  expect((await magpie("monitor", "show", id)).stderr).toMatch(/^magpie: 404: /);
});

test("attempts at an endpoint are listed, and a test, a retry and a replay reach it", async () => {
  const hook = await startReceiver();
  try {
    const made = await magpie("webhooks", "create", `${hook.url}/cli`, "--type", "webhook.test", "--json");
    const [{ id }] = json(made.stdout);
    expect((await magpie("webhooks", "deliveries", id)).stderr).toContain("There are none.");
    expect((await magpie("webhooks", "test", id)).code).toBe(0);
    await until("it has arrived", () => hook.taken().length === 1);
    const event = hook.taken()[0]?.id ?? "";
    const attempts = async () => json((await magpie("webhooks", "deliveries", id, "--json")).stdout);
    await until("it is listed", async () => (await attempts()).length === 1);
    const [attempt] = await attempts();
    expect(attempt).toMatchObject({ event_id: event, type: "webhook.test", outcome: "succeeded" });
    expect((await magpie("webhooks", "deliveries", id)).stdout).toMatch(/^ID +EVENT +TYPE +ATTEMPT +OUTCOME/);
    expect((await magpie("webhooks", "deliveries", id, "--status", "dead")).stderr).toContain(
      "There are none.",
    );
    expect(await magpie("webhooks", "retry", id, attempt.id)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/./),
    });
    await until("it has come again", () => hook.taken().length === 2);
    expect((await magpie("webhooks", "replay", id, "--event", event)).code).toBe(0);
    await until("and again", () => hook.taken().length === 3);
    expect(new Set(hook.taken().map(each => each.id))).toEqual(new Set([event]));
    expect(await magpie("webhooks", "replay", id)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/since/),
    });
    expect((await magpie("webhooks", "delete", id)).code).toBe(0);
  } finally {
    await hook.close();
  }
});

test("feeds are created, listed, read and deleted, and an address is alone on standard output", async () => {
  const created = await magpie(
    "feeds",
    "create",
    "--name",
    "Birds",
    "--tag",
    "birds",
    "--type",
    "webhook.test",
  );
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http\S+\/feeds\/\S+\.atom\n$/) });
  const [, id = ""] = /^Feed (\S+)\./.exec(created.stderr) ?? [];
  const address = created.stdout.trim();
  const read = () => fetch(address, { signal: AbortSignal.timeout(30_000) });
  expect(await (await read()).text()).toMatch(/<title[^>]*>Birds</);
  expect(json((await magpie("feeds", "list", "--json")).stdout)).toMatchObject([
    { id, name: "Birds", tags: ["birds"], event_types: ["webhook.test"], atom_url: address },
  ]);
  const listed = await magpie("feeds", "list");
  expect(listed.stdout).toMatch(/^ID +NAME +TYPES +TAGS +SOURCES\n/);
  expect(listed.stdout).not.toContain("http");
  expect((await magpie("feeds", "create", "--type", "none.such")).stderr).toContain("event_types");
  expect((await magpie("feeds", "delete", id)).code).toBe(0);
  expect((await magpie("feeds", "list")).stderr).toContain("There are none.");
  expect((await read()).status).toBe(404);
});

test("a laptop receives its events signed, each once and in order, through refusals and a kill of the service", async () => {
  await magpie("track", "microblog", "corvid_lab");
  const forward = ["listen", "--forward", `${receiver.url}/hook`, "--after", "0"];
  const listener = startCommand(forward, ofFolder);
  await until("it says its secret", () => /whsec_\S+/.test(listener.stderr()));
  receiver.trust(/whsec_\S+/.exec(listener.stderr())?.[0] ?? "");
  let refusals = 2;
  receiver.behave(() => (refusals-- > 0 ? 503 : 200));
  await until("some are taken", () => receiver.taken().length >= 3);
  service.child.kill("SIGKILL");
  await service.end;
  const before = receiver.taken().length;
  service = await serve();
  await until("it continues", () => receiver.taken().length >= before + 3);
  listener.child.kill("SIGINT");
  expect(await listener.end).toBe(0);
  const seqs = receiver.taken().map(({ event }) => event.seq);
  expect(seqs).toEqual(seqs.map((_, at) => at + 1));
  expect(receiver.received.filter(({ verified }) => !verified)).toEqual([]);
  const ids = receiver.received.slice(0, 3).map(({ id }) => id);
  expect(new Set(ids).size).toBe(1);
  expect(listener.stderr()).toContain(`To continue from here: --after ${seqs.length}`);
});

test("a listener that continues after Ctrl-C loses no event and repeats none", async () => {
  await magpie("track", "microblog", "corvid_lab");
  const listenAfter = (after: string) =>
    startCommand(["listen", "--forward", `${receiver.url}/hook`, "--after", after], ofFolder);
  const nextOf = (run: CommandRun) => /To continue from here: --after (\d+)/.exec(run.stderr())?.[1] ?? "";
  const interrupt = async (run: CommandRun) => {
    run.child.kill("SIGINT");
    expect(await run.end).toBe(0);
    return nextOf(run);
  };
  receiver.received.length = 0;

  // The answer to the third comes after Ctrl-C.
  const answered = Promise.withResolvers<void>();
  receiver.behave(({ event }) => (event.seq < 3 ? 200 : { status: 200, after: answered.promise }));
  const first = listenAfter("0");
  await until("the third is under way", () => receiver.received.length === 3);
  first.child.kill("SIGINT");
  await until("it waits", () => first.stderr().includes("Waiting for the answer to event 3"));
  answered.resolve();
  expect(await first.end).toBe(0);
  expect(nextOf(first)).toBe("3");

  // Ctrl-C in the pause after a refusal, with more attempts to come.
  receiver.behave(503);
  const second = listenAfter("2");
  await until("it waits", () => /again in/.test(second.stderr()));
  expect(await interrupt(second)).toBe("2");

  receiver.behave(200);
  receiver.received.length = 0;
  const third = listenAfter("3");
  await until("it continues", () => receiver.taken().length >= 2);
  const last = receiver.taken().at(0)?.event.seq;
  expect(last).toBe(4);
  const next = await interrupt(third);
  expect(next).toBe(String(receiver.taken().at(-1)?.event.seq));
});

test("a command runs for each event, again where it fails, and Ctrl-C waits for the one that runs", async () => {
  await magpie("track", "microblog", "corvid_lab");
  const folder = mkdtempSync(join(tmpdir(), "magpie-listen-"));
  const seen = join(folder, "seen.txt");
  const failed = join(folder, "failed");
  // The second event fails once.
  const command = `[ "$MAGPIE_EVENT_SEQ" != 2 ] || [ -e ${failed} ] || { touch ${failed}; exit 3; }; cat >> ${seen}; echo >> ${seen}`;
  const listener = startCommand(["listen", "--exec", command, "--after", "0", "--json"], ofFolder);
  const read = () => (existsSync(seen) ? json(readFileSync(seen, "utf8")) : []) as { seq: number }[];
  await until("some were taken", () => read().length >= 3);
  listener.child.kill("SIGINT");
  expect(await listener.end).toBe(0);
  expect(read().map(({ seq }) => seq)).toEqual(read().map((_, at) => at + 1));
  expect(json(listener.stdout()).slice(0, 2)).toMatchObject([
    { seq: 1, exit_code: 0, attempts: 1 },
    { seq: 2, exit_code: 0, attempts: 2 },
  ]);
  expect(listener.stderr()).toContain("Event 2: exit code 3; again in");
  expect(listener.stderr()).toContain(`To continue from here: --after ${read().length}`);
  expect((await magpie("listen")).stderr).toContain("--forward <url> or --exec <command>");
  removeFolder(folder);
});

test("the events of a time are exported in order, and adjacent times share none", async () => {
  await magpie("track", "microblog", "corvid_lab");
  await until("there are some", async () => json((await magpie("export")).stdout).length >= 3);
  const at = new Date().toISOString();
  const exported = async (...options: string[]) =>
    json((await magpie("export", ...options)).stdout).map(({ seq }: { seq: number }) => seq);
  await until("more have come", async () => (await exported("--since", at)).length >= 2);
  const later = await exported("--since", at);
  const all = [...(await exported("--until", at)), ...later];
  expect(all).toEqual(all.map((_, place) => place + 1));
  const none = await magpie("export", "--type", "search.*");
  expect([none.stdout, none.stderr]).toEqual(["", expect.stringContaining("0 events.")]);
  expect(await magpie("export", "--since", "yesterday")).toMatchObject({ code: 2, stdout: "" });
});

test("a reader that closes the pipe ends a command but no service", async () => {
  const help = startCommand(["--help"]);
  help.child.stdout?.destroy();
  expect([await help.end, help.stderr()]).toEqual([0, ""]);
  service.child.stdout?.destroy();
  for (const _ of [1, 2]) expect(await magpie("scrape", site.url)).toMatchObject({ code: 0 });
  expect(service.child.exitCode).toBe(null);
});

test("the guide names every command", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/command-line.md"), "utf8");
  const help = execFileSync(process.execPath, ["--no-warnings", program, "--help"], { encoding: "utf8" });
  const names = [...help.matchAll(/^ {2}([a-z]+)(?: [<[].*)? {2,}[A-Z]/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter(name => !guide.includes(`magpie ${name}`))).toEqual([]);
});
