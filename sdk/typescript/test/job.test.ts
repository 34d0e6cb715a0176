import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type Crawl, JobFailedError, Magpie, MagpieConnectionError } from "../src/index.ts";
import { type Asked, type FakeService, failure, hangUp, json, startFake } from "./fake-service.ts";

/** A crawl of five pages, two in an answer, that is slow to find the third. */
let fake: FakeService;
let magpie: Magpie;
let looks: number;
let outcome: object;
let broken: boolean;

beforeEach(async () => {
  looks = 0;
  outcome = { status: "completed" };
  broken = false;
  fake = await startFake((asked, res) => (broken ? hangUp : answerTo(asked))(asked, res));
  magpie = new Magpie({ url: fake.url, apiKey: "mk_test", retries: 1 });
});
afterEach(() => fake.close());

function answerTo({ method, url }: Asked) {
  const { pathname, searchParams } = new URL(url, "http://fake");
  if (method === "POST") return json({ crawl_id: "crw_1", version: "v1", status: "crawling" });
  if (method === "DELETE") return json({ crawl_id: "crw_1", version: "v1", status: "cancelled" });
  if (pathname.endsWith("/errors")) return failures(searchParams.get("cursor"));
  const cursor = Number(searchParams.get("cursor") ?? 0);
  looks += 1;
  if (cursor === 2 && looks < 4) return json({ status: "crawling", data: [], next_cursor: "2" });
  const data = ["a", "b", "c", "d", "e"].slice(cursor, cursor + 2).map(markdown => ({ markdown }));
  return json(
    cursor < 4
      ? { status: "crawling", data, next_cursor: String(cursor + 2) }
      : { ...outcome, data, next_cursor: null },
  );
}

function failures(cursor: string | null) {
  if (cursor === null)
    return json({ data: [{ url: "https://example.com/x", code: "robots" }], next_cursor: "1" });
  return json({ data: [], next_cursor: "1" });
}

const pollMs = 1;
const crawl = (options = {}) => magpie.crawl({ url: "https://example.com/" }, { pollMs, ...options });
const deleted = () => fake.asked.filter(({ method }) => method === "DELETE").length;

test("each page of a crawl comes once, across answers and waits", async () => {
  const pages = [];
  for await (const page of crawl()) pages.push(page.markdown);
  assert.deepEqual(pages, ["a", "b", "c", "d", "e"]);
  assert.equal(deleted(), 0);
});

test("a loop that is left cancels the crawl", async () => {
  for await (const page of crawl()) if (page.markdown === "b") break;
  assert.equal(deleted(), 1);
});

test("a lost connection does not cancel the crawl, which can be resumed", async () => {
  const job = crawl();
  const iterator = job[Symbol.asyncIterator]();
  await iterator.next();
  await iterator.next();
  broken = true;
  await assert.rejects(iterator.next(), MagpieConnectionError);
  assert.equal(deleted(), 0);
  assert.equal(job.cursor, "2");
});

test("after an abort no page comes, although the answer has more, and the crawl is cancelled", async () => {
  const ended = new AbortController();
  const pages: unknown[] = [];
  const reading = async () => {
    for await (const page of crawl({ signal: ended.signal })) {
      pages.push(page.markdown);
      ended.abort(new Error("enough"));
    }
  };
  await assert.rejects(reading(), { message: "enough" });
  assert.deepEqual(pages, ["a"]);
  assert.equal(deleted(), 1);
});

test("a loop that throws cancels the crawl and throws", async () => {
  const failing = async () => {
    for await (const page of crawl()) throw new Error(`no room for ${page.markdown}`);
  };
  await assert.rejects(failing, { message: "no room for a" });
  assert.equal(deleted(), 1);
});

test("an abort cancels the crawl and throws its reason", async () => {
  const stop = new AbortController();
  const reason = new Error("enough");
  const run = async () => {
    for await (const page of crawl({ signal: stop.signal })) if (page.markdown === "c") stop.abort(reason);
  };
  await assert.rejects(run, reason);
  assert.equal(deleted(), 1);
});

test("a crawl with `keep` continues, and another process takes the rest", async () => {
  const first = crawl({ keep: true });
  const pages = [];
  for await (const page of first) {
    pages.push(page.markdown);
    if (page.markdown === "c") break;
  }
  assert.equal(deleted(), 0);
  assert.deepEqual([first.id, first.cursor], ["crw_1", "2"]);
  const second = magpie.resumeCrawl("crw_1", { cursor: "2", pollMs });
  const rest = [];
  for await (const page of second) rest.push(page.markdown);
  assert.deepEqual(rest, ["c", "d", "e"]);
});

test("a crawl that fails throws after its last page", async () => {
  outcome = {
    status: "failed",
    error: { code: "target_unreachable", message: "The site's name does not resolve." },
  };
  const pages: (string | undefined)[] = [];
  const run = async () => {
    for await (const page of crawl()) pages.push(page.markdown);
  };
  await assert.rejects(run, (error: unknown) => {
    assert.ok(error instanceof JobFailedError);
    assert.deepEqual([error.id, error.code], ["crw_1", "target_unreachable"]);
    return true;
  });
  assert.equal(pages.length, 5);
  assert.equal(deleted(), 0);
});

test("each answer of the service is reported after its pages", async () => {
  const reported: string[] = [];
  const job = crawl({ onState: (state: Crawl) => reported.push(state.status) });
  for await (const page of job) reported.push(String(page.markdown));
  const expected = ["a", "b", "crawling", "crawling", "crawling", "c", "d", "crawling", "e", "completed"];
  assert.deepEqual(reported, expected);
});

test("the list of failed pages ends while the crawl runs", async () => {
  const failed = [];
  for await (const each of crawl().errors()) failed.push(each.code);
  assert.deepEqual(failed, ["robots"]);
});

test("cancelling a job that has ended does nothing", async () => {
  await fake.close();
  fake = await startFake(failure(409, "already_finished"));
  magpie = new Magpie({ url: fake.url });
  await magpie.resumeCrawl("crw_1").cancel();
  assert.equal(deleted(), 1);
});
