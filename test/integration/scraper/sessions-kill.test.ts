import { mkdtemp } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jest } from "@jest/globals";
import { ServiceProcess } from "../../faults/deliveries/service-process.ts";
import { removeFolder } from "../../support/folders.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { type LoginSite, loginWith, startLoginSite } from "../../support/login-site.ts";
import { until } from "../../support/until.ts";

const minute = 60_000;
const timeoutMs = 120_000;
const password = "correct horse";
const { now: realNow } = Date;
/** How far the clocks of all are ahead. */
let offset = 0;

let dataDir: string;
let service: ServiceProcess;
let site: LoginSite;
let pairs: PairSite;
let key: string;

beforeAll(async () => {
  jest.spyOn(Date, "now").mockImplementation(() => realNow() + offset);
  dataDir = await mkdtemp(join(tmpdir(), "magpie-session-kill-"));
  [site, pairs] = await Promise.all([startLoginSite(password), startPairSite()]);
  service = new ServiceProcess(dataDir, {}, () => ({ NODE_OPTIONS: `--import ${clockAt(offset)}` }));
  await service.start();
  const limits = { requestsPerMinute: 1_000_000, concurrentScrapes: 50 };
  const made = await service.admin("POST", "/internal/keys", { owner: "ann", name: "sessions", limits });
  ({ key } = (made as { data: { key: string } }).data);
});
afterAll(async () => {
  await service?.close();
  await Promise.all([site?.close(), pairs?.close()]);
  await removeFolder(dataDir);
  jest.restoreAllMocks();
});

/** A module that sets the clock of a process. */
function clockAt(ms: number): string {
  const code = `const { now } = Date; Date.now = () => now() + ${ms};`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

interface PairSite extends Site {
  /** Visits whose two cookies were of one answer, and of two. */
  whole: number;
  half: number;
}

/** Sets two cookies with each answer, which are the same number. */
async function startPairSite(): Promise<PairSite> {
  let number = 0;
  const answer = ({ headers: { cookie = "" } }: IncomingMessage, response: ServerResponse) => {
    const [, a] = /a=(\d+)/.exec(cookie) ?? [];
    const [, b] = /b=(\d+)/.exec(cookie) ?? [];
    if (a !== b) pairSite.half += 1;
    else if (a !== undefined) pairSite.whole += 1;
    number += 1;
    response.setHeader("set-cookie", [`a=${number}; Path=/`, `b=${number}; Path=/`]);
    response.setHeader("content-type", "text/html").end("<title>Pair</title><p>Two cookies.</p>");
  };
  const pairSite: PairSite = Object.assign(await startSite(answer), { whole: 0, half: 0 });
  return pairSite;
}

const scrape = async (url: string, session: object, more: object = {}) => {
  const body = { url, session, timeout: 60_000, request: { only_main_content: false }, ...more };
  return JSON.stringify(await service.as(key, "POST", "/web/scrape", body));
};
const plain = { js_render: { enabled: false } };

/** Visits the site of pairs one after the other until the service is gone. */
async function visitPairs(): Promise<void> {
  for (let n = 0; ; n += 1) {
    const visit = scrape(`${pairs.url}/${n}`, { name: "pair" }, plain);
    const isDone = await visit.then(
      () => true,
      () => false,
    );
    if (!isDone) return;
  }
}

const restartedAfter = async (ms: number) => {
  offset += ms;
  await service.start();
};

interface Shown {
  name: string;
  signed_in_since: string | null;
  last_login: string | null;
}

const sessions = async () => {
  const { data } = (await service.as(key, "GET", "/sessions")) as { data: Shown[] };
  return data.filter(({ name }) => name !== "pair");
};

test("kill -9 in a login: none is tried again within the hour, then it works, and no jar is half", async () => {
  const urls = ["/orders/a", "/orders/b"].map(path => site.url + path) as [string, string];
  // One dies when its password was sent, and one when the site has let it in.
  const steps = ["password /orders/a", "signed in /orders/b"];
  for (const step of steps) site.unanswered.add(step);
  const dying = [
    scrape(urls[0], { name: "one", login: loginWith(password) }),
    scrape(urls[1], { name: "two", login: loginWith(password) }),
    visitPairs(),
  ];
  const outcomes = Promise.allSettled(dying);
  await until("both logins are under way", () => site.waiting.length === 2, timeoutMs);
  await until("the pairs are visited", () => pairs.whole > 3, timeoutMs);
  await service.kill();
  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  expect(site.waiting.toSorted()).toEqual(steps.toSorted());
  site.unanswered.clear();

  await restartedAfter(5 * minute);
  expect(site.tries.length).toBe(2);
  for (const [at, name] of ["one", "two"].entries())
    await expect(scrape(urls[at] ?? "", { name })).rejects.toThrow("tried within the last hour");
  expect(site.tries.length).toBe(2);
  for (const { signed_in_since, last_login } of await sessions())
    expect([signed_in_since, last_login]).toEqual([null, expect.any(String)]);
  const seen = pairs.whole;
  const visits = visitPairs();
  await until("the pairs are visited", () => pairs.whole > seen + 3, timeoutMs);
  await service.kill();
  await visits;

  await restartedAfter(57 * minute);
  for (const [at, name] of ["one", "two"].entries())
    expect(await scrape(urls[at] ?? "", { name })).toContain("You have 1 orders");
  expect(site.tries.length).toBe(4);
  expect((await sessions()).map(each => each.signed_in_since)).toEqual([
    expect.any(String),
    expect.any(String),
  ]);
  const known = pairs.whole;
  await scrape(`${pairs.url}/last`, { name: "pair" }, plain);
  expect([pairs.whole, pairs.half]).toEqual([known + 1, 0]);
});
