import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { findOnPath } from "../support/debian-binary.ts";
import type { Site } from "../support/http-site.ts";
import { needs } from "../support/needs.ts";
import { until } from "../support/until.ts";
import { blocksOf, page, repositoryFiles, root } from "./pages.ts";
import { type Service, startService } from "./service.ts";
import { startExampleSite } from "./site.ts";

interface Run {
  output(): string;
  exit: Promise<number | null>;
}

const withPython = needs(findOnPath("python3") !== undefined, "Python, which runs examples");
let service: Service;
let site: Site;
const children: ChildProcess[] = [];
beforeAll(async () => {
  [service, site] = await Promise.all([startService(), startExampleSite()]);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(async () => {
  await service.stop();
  await site.close();
});

test("the README of the examples lists each program", () => {
  const programs = repositoryFiles.filter(path => /^examples\/.*\.(mjs|py)$/.test(path));
  const listed = [...page("examples/README.md").matchAll(/\]\(([\w-]+\/[\w-]+\.(?:mjs|py))\)/g)].map(
    ([, path]) => path,
  );
  expect(listed.map(path => `examples/${path}`).sort()).toEqual(programs.sort());
});

test("crawl-to-files writes each page of a site", async () => {
  const folder = join(service.folder, "pages");
  const { exit, output } = run("crawl-to-files/crawl.mjs", [`${site.url}/boats/`, folder]);
  expect([await exit, output()]).toEqual([
    0,
    expect.stringContaining("completed: 2 pages, 0 failed, 0 skipped"),
  ]);
  const files = (await readdir(folder)).sort();
  expect(files).toEqual(
    [expect.stringMatching(/heron\.html\.md$/), expect.stringMatching(/boats\.md$/)].sort(),
  );
  expect(await readFile(join(folder, String(files.find(file => /boats\.md$/.test(file)))), "utf8")).toContain(
    "Seven boats",
  );
});

describe.each(["track-and-print/track.mjs", "python/track_and_print.py"])("%s", program => {
  testOf(program)("prints what a tracked account posts", async () => {
    const { output } = run(program, ["microblog", "quiet_wren"]);
    await until("the account is tracked", () => output().includes("The source "));
    // The program listens a little later than it says so.
    await until("a post is printed", async () => {
      await post("quiet_wren", `The first word of ${program}.`);
      return output().includes(`microblog.post.created The first word of ${program}.`);
    });
  });
});

test("the WebSocket client of the guide prints what a tracked account posts", async () => {
  const [client] = blocksOf(page("docs/guides/streams.md")).filter(({ info }) => info === "js");
  const text = client?.text.replace("localhost:3000", new URL(service.url).host) ?? "";
  await ask("POST", "/track/microblog", { sid: "quiet_wren" });
  const { output } = start(["--input-type=module", "-e", text], { KEY: service.apiKey });
  await until("a post is printed", async () => {
    await post("quiet_wren", "Another word.");
    return output().includes("microblog.post.created");
  });
});

describe.each(["webhook-receiver/receive.mjs", "python/receive_webhooks.py"])("%s", program => {
  testOf(program)("takes signed events once, and nothing else", async () => {
    const { secret } = (await ask("POST", "/webhook", { url: `${site.url}/hook` })).data;
    const { output } = run(program, [], { WEBHOOK_SECRET: secret, PORT: "0" });
    const listens = /receiving on (\S+)/;
    await until("the receiver listens", () => listens.test(output()));
    const url = listens.exec(output())?.[1] ?? "";
    const forged = await fetch(url, {
      method: "POST",
      body: '{"id":"evt_forged","type":"webhook.test"}',
      headers: {
        "webhook-id": "evt_forged",
        "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
        "webhook-signature": "v1,AAAA",
      },
    });
    expect(forged.status).toBe(401);
    await ask("PATCH", "/webhook", { url, batch: { max_events: 10, max_wait_ms: 0 } });
    await ask("POST", "/webhook/test");
    await until("the test event is printed", () => output().includes("webhook.test"));
    expect(output()).not.toContain("evt_forged");
    await ask("DELETE", "/webhook");
  });
});

function testOf(program: string) {
  return program.endsWith(".py") ? withPython.test : test;
}

function run(program: string, args: string[], env: Record<string, string> = {}): Run {
  const interpreter = program.endsWith(".py") ? "python3" : process.execPath;
  return start([join(root, "examples", program), ...args], env, interpreter);
}

function start(args: string[], env: Record<string, string>, interpreter = process.execPath): Run {
  const child = spawn(interpreter, args, {
    cwd: root,
    env: { PATH: process.env.PATH, MAGPIE_URL: service.url, MAGPIE_API_KEY: service.apiKey, ...env },
  });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", text => {
      output += text;
    });
  return { output: () => output, exit: new Promise(resolve => child.once("exit", resolve)) };
}

async function post(username: string, text: string): Promise<void> {
  const headers = { "x-admin-key": service.adminKey };
  await ask("POST", "/internal/sandbox/post", { platform: "microblog", username, text }, headers);
}

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(service.url + path, {
    method,
    headers: { "x-api-key": service.apiKey, "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}
