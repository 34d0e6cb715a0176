import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../support/folders.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { startEnv } from "../support/start-args.ts";

const root = join(import.meta.dirname, "../..");
const prompt = "magpie $ ";

let home: string;
let dataDir: string;
let site: Site | undefined;
const children: ChildProcess[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "magpie-repl-"));
  dataDir = join(home, "data");
});

afterEach(async () => {
  for (const child of children.splice(0)) await stop(child);
  await site?.close();
  site = undefined;
  await removeFolder(home);
});

interface Program {
  child: ChildProcess;
  output(): string;
}

/** The whole service or its REPL, as the guide starts them. */
function run(script: "start" | "repl", args: string[] = [], env: Record<string, string> = {}): Program {
  const command = script === "start" ? ["run", "--silent", "start", "--"] : ["exec", "--", "magpie", "repl"];
  const child = spawn("npm", [...command, ...args], {
    cwd: root,
    env: {
      ...startEnv,
      HOME: home,
      DATA_DIR: dataDir,
      PORT: "0",
      LOG_LEVEL: "error",
      SANDBOX_POST_EVERY: "off",
      ...env,
    },
  });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", text => {
      output += text;
    });
  return { child, output: () => output };
}

/** npm hands the signal on; of what kills it alone, its child would hear nothing. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

/** Waits for what a program prints. A busy machine may take its time; the test has a deadline. */
async function printed({ child, output }: Program, text: string, from = 0): Promise<void> {
  while (!output().slice(from).includes(text)) {
    if (child.exitCode !== null) throw new Error(`ended before it printed ${text}: ${output()}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

async function startService(env: Record<string, string> = {}): Promise<Program> {
  const program = run("start", [], env);
  await printed(program, "curl -s");
  return program;
}

/** Types a line and answers what comes before the next prompt. */
async function type(program: Program, line: string): Promise<string> {
  const from = program.output().length;
  program.child.stdin?.write(`${line}\n`);
  await printed(program, prompt, from);
  return program.output().slice(from).replace(prompt, "");
}

async function openRepl(args: string[] = [], env: Record<string, string> = {}): Promise<Program> {
  const program = run("repl", args, env);
  await printed(program, prompt);
  return program;
}

interface Credentials {
  adminKey: string;
  bootstrapApiKey: string;
}

const credentials = async (): Promise<Credentials> =>
  JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));

const address = async () => (await readFile(join(dataDir, "address"), "utf8")).trim();

interface Act {
  type: string;
  data: { actor: object; path: object; fields: string[]; target: string | null };
}

/** The acts of an operation, newest first. */
async function actsOf(operation: string): Promise<Act[]> {
  const headers = { "x-admin-key": (await credentials()).adminKey };
  const answer = await fetch(`${await address()}/internal/audit?type=${operation}`, { headers });
  return ((await answer.json()) as { data: Act[] }).data;
}

async function ask(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const { adminKey, bootstrapApiKey } = await credentials();
  const response = await fetch((await address()) + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(path.startsWith("/internal/") ? { "x-admin-key": adminKey } : { "x-api-key": bootstrapApiKey }),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const crafted = (rest_id: string, full_text: string) => ({
  rest_id,
  core: { user_results: { result: { rest_id: "1005", name: "Quiet Wren", username: "quiet_wren" } } },
  legacy: {
    full_text,
    created_at: "Wed Oct 10 20:19:24 +0000 2018",
    favorite_count: 7,
    repost_count: 0,
    reply_count: 0,
  },
});

async function writeJson(name: string, content: unknown): Promise<string> {
  const path = join(home, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

test("beside a service that runs, its commands show and do what that service has and does", async () => {
  const pages = await startSite((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<title>Page</title><p>Hello.</p>");
  });
  site = pages;
  const service = await startService({ EGRESS_ALLOW: `127.0.0.1:${pages.port}` });
  const scrape = await ask("/web/scrape", { url: `${pages.url}/page` });
  const crawl = await ask("/web/crawl", { url: `${pages.url}/`, crawler: { limit: 1, sitemaps: false } });
  await ask("/track/microblog", { sid: "quiet_wren" });
  await ask("/webhook", { url: "https://hooks.example.com/here" });
  const hostile = "Second \u001b[2Jpost.";
  for (const text of ["First post.", hostile, "Third post."])
    await ask("/internal/sandbox/post", { platform: "microblog", username: "quiet_wren", text });
  const gated = await ask("/track/messenger", { sid: "https://messenger.example/+innernest2026" });
  const repl = await openRepl();

  const keys = await type(repl, "keys");
  expect(keys).toMatch(/default .* 600 /);
  expect(keys).not.toContain((await credentials()).bootstrapApiKey);
  expect(await type(repl, "sources")).toMatch(/MICROBLOG .* 1005 .* Quiet Wren .* 1 .* ok /);
  expect(await type(repl, "sources --source rss")).toBe("There are none.\n");
  expect(await type(repl, "sources --health ok --query wren")).toMatch(/ Quiet Wren /);
  expect(await type(repl, "sources --health gone")).toBe("There are none.\n");
  expect(await type(repl, "sources --source gazette")).toMatch(/^validation_failed: .*\n$/);
  expect(await type(repl, "lanes")).toMatch(/https:\/\/hooks\.example\.com\/here .* ACTIVE /);
  const jobs = await type(repl, "jobs");
  expect(jobs).toMatch(new RegExp(`${scrape.body.scrape_id} .* ${pages.url}/page .* completed `));
  expect(jobs).toMatch(new RegExp(`${crawl.body.crawl_id} .* ${pages.url}/ .* \\d of \\d `));
  expect(jobs).toContain(String(gated.body.jobId));

  const page = await type(repl, "backfill 1005 --limit 2");
  expect(page).toMatch(/\[\S*\|+\S*\] \S*100%\S* 2 posts\n/);
  expect(page).toMatch(/quiet_wren .* Third post\. /);
  expect(page).not.toContain("First post.");
  expect(page).not.toContain("\u001b[2J");
  expect(page).toContain("Fetched 2 posts.\n");
  const [, cursor = ""] = /There are older ones: --cursor (\S+)\n/.exec(page) ?? [];
  const rest = await type(repl, `backfill 1005 --cursor ${cursor}`);
  expect(rest).toContain("First post.");
  expect(rest).toContain("Fetched 1 post.\n");
  expect(rest).not.toContain("--cursor");
  expect(await type(repl, "backfill 1005 --limit none")).toBe("--limit takes a whole number from 1.\n");
  expect(await type(repl, "backfill 424242")).toMatch(/^not_found: .*\n$/);
  expect(await type(repl, "backfill")).toMatch(/missing required argument 'account'/);

  const one = await writeJson("one.json", crafted("1", "One."));
  expect(await type(repl, `dispatch ${one}`)).toBe("Dispatched 1 post.\n");
  const list = await writeJson("list.json", [crafted("2", "Two."), crafted("3", "Three.")]);
  expect(await type(repl, `dispatch ${list}`)).toBe("Dispatched 2 posts.\n");
  const body = await writeJson("body.json", { post: crafted("4", "Four."), posts: [crafted("2", "Two.")] });
  expect(await type(repl, `dispatch ${body}`)).toBe("Dispatched 2 posts.\n");
  const bad = await writeJson("bad.json", [crafted("5", "Five."), {}]);
  expect(await type(repl, `dispatch ${bad}`)).toMatch(
    /^line 1: `rest_id` is required\.\nNothing was dispatched: 1 of 2 are no posts\.\n$/,
  );
  const text = await writeJson("text.json", "no JSON");
  expect(await type(repl, `dispatch ${text}`)).toMatch(/text\.json cannot be read as JSON, on line 1 /);
  expect(await type(repl, `dispatch ${join(home, "none.json")}`)).toMatch(/none\.json cannot be read /);

  const lines = [crafted("2", "Two."), crafted("6", "Six.")].map(each => JSON.stringify(each));
  const many = await writeJson("many.jsonl", `${lines.join("\n")}\n`);
  for (const _ of ["a dry run", "writes nothing"]) {
    const plan = await type(repl, `dispatch ${many} --dry-run`);
    expect(plan).toMatch(/ 1 .* 2 .* 1005 .* known [\s\S]* 2 .* 6 .* 1005 .* new /);
    expect(plan).toContain("Dry run, nothing was dispatched: 1 new, 1 known, 0 untracked, 0 invalid.\n");
  }
  expect(await type(repl, `dispatch ${many}`)).toBe("Dispatched 2 posts.\n");
  expect(await type(repl, `dispatch ${many} --dry-run`)).toContain(" 0 new, 2 known,");
  expect(await type(repl, "backfill @quiet_wren --since 2020-01-01")).toContain("Fetched 3 posts.\n");
  expect(await type(repl, "backfill @quiet_wren --until 2020-01-01")).toContain("Fetched 0 posts.\n");

  const [, endpoint = ""] = / ([0-9a-f]{8}-[0-9a-f-]{27}) /.exec(await type(repl, "lanes")) ?? [];
  expect(await type(repl, `reactivate ${endpoint}`)).toMatch(/^The webhook is active/);
  expect(await type(repl, `replay ${endpoint} --since 2020-01-01`)).toMatch(/^\d+ events\. These /);
  expect(await type(repl, `replay ${endpoint}`)).toBe("Give --since <time> or --events <ids>.\n");
  expect(await type(repl, "reactivate none")).toMatch(/^not_found: /);
  const [, source = ""] = / ([0-9a-f]{8}-[0-9a-f-]{27}) /.exec(await type(repl, "sources")) ?? [];
  expect(await type(repl, `poll ${source}`)).toMatch(/^(The source is |rate_limited: )/);
  expect(await type(repl, `cancel ${scrape.body.scrape_id}`)).toMatch(/^already_finished: /);
  expect(await type(repl, "cancel 7")).toMatch(/^The id of a job begins /);

  const made = await type(
    repl,
    "create-key acme trial --scopes scrape,read --requests 60 --quotas pages/day=9",
  );
  expect(made).toMatch(/ acme .* trial .* scrape, read .* never .* 60 /);
  const [, id = ""] = / ([0-9A-HJKMNP-TV-Z]{26}) /.exec(made) ?? [];
  const [, value = ""] = /shown this once: (mk_\w+)\n/.exec(made) ?? [];
  const live = await address();
  const statusOf = async () => (await fetch(`${live}/users/me`, { headers: { "x-api-key": value } })).status;
  expect(await statusOf()).toBe(200);
  expect(await type(repl, `limit-key ${id} --requests 5 --scopes all`)).toMatch(/ all .* 5 /);
  expect(await type(repl, `limit-key ${id}`)).toMatch(/^Name what to change/);
  expect(await type(repl, `end-key ${id}`)).toBe("Give either --at <time> or --delete.\n");
  expect(await type(repl, `end-key ${id} --at 2090-01-01T00:00:00Z`)).toMatch(/^The key ends at 2090/);
  expect(await type(repl, "keys --owner acme")).toMatch(/ all .* 2090-01-01T00:00:00/);
  expect(await type(repl, `end-key ${id} --delete`)).toBe("The key is deleted.\n");
  expect(await type(repl, "keys --owner acme")).toBe("There are none.\n");
  const admin = { role: "admin", owner: null, key_id: null, signed_in: false };
  const acts = ["deleteApiKey", "updateApiKey", "createApiKey"];
  const kept = (await Promise.all(acts.map(actsOf))).flat();
  expect(kept.map(({ type: act, data: { actor, path } }) => [act, actor, path])).toEqual([
    ["audit.deleteApiKey", admin, { id }],
    ["audit.updateApiKey", admin, { id }],
    ["audit.updateApiKey", admin, { id }],
    ["audit.createApiKey", admin, {}],
  ]);
  expect(kept.at(-1)?.data.target).toBe(id);
  // A dry run changes nothing, so none of those above is there.
  expect((await actsOf("dispatch")).map(({ data }) => data.fields)).toEqual(
    Array.from({ length: 4 }, () => expect.not.arrayContaining(["dry_run"])),
  );

  for (const [command, says] of Object.entries(explained))
    expect((await type(repl, `help ${command}`)).replaceAll(/\s+/g, " ")).toContain(says);
  const help = await type(repl, "help");
  for (const command of Object.keys(explained)) expect(help).toMatch(new RegExp(`^ {2}${command}\\b`, "m"));

  await stop(service.child);
  expect(await type(repl, "keys")).toMatch(/^No gateway listens for the data folder /);
  await startService();
  expect(await type(repl, "keys")).toMatch(/default .* 600 /);
});

const explained = {
  backfill: "Fetches posts of a microblog account",
  dispatch: "Hands the posts of a JSON file",
  "create-key": "Makes an API key",
  "end-key": "Ends a key",
  reactivate: "Starts a failed webhook endpoint",
  keys: "Lists API keys",
  sources: "Lists what is tracked",
  lanes: "Lists webhook endpoints",
  jobs: "Lists scrapes, crawls",
};

test("where nothing runs it starts the service in its own process, and answers lines from a file before it ends", async () => {
  const repl = run("repl");
  await Promise.all([printed(repl, prompt), printed(repl, "curl -s")]);
  const live = (await readFile(join(dataDir, "address"), "utf8")).trim();
  expect((await fetch(`${live}/health/live`)).status).toBe(200);
  const from = repl.output().length;
  const gone = once(repl.child, "exit");
  repl.child.stdin?.end("keys\nsources\nbackfill 1005\n");
  expect(await gone).toEqual([0, null]);
  expect(repl.output().slice(from)).toMatch(/default .* 600 [\s\S]*There are none\.[\s\S]*Fetched 0 posts\./);
});

test("it speaks to the service that is named, with the admin key from the environment", async () => {
  await startService();
  const { adminKey } = await credentials();
  const server = (await readFile(join(dataDir, "address"), "utf8")).trim();
  dataDir = join(home, "elsewhere");
  await Promise.all(
    (
      [
        [`${server}/`, adminKey, /default .* 600 /],
        [server, "", /^Set ADMIN_KEY to the admin key of /],
        [server, `${adminKey}-not`, /^unauthorized: /],
        ["http://127.0.0.1:9", adminKey, /^http:\/\/127\.0\.0\.1:9 cannot be reached /],
      ] as const
    ).map(async ([named, key, answer]) => {
      const repl = await openRepl(["--server", named], { ADMIN_KEY: key });
      expect(await type(repl, "keys")).toMatch(answer);
    }),
  );
});
