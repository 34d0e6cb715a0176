import { setImmediate as yieldToLoop } from "node:timers/promises";
import { openReader, type Reader } from "../../../services/connectors/reader.ts";
import { fail } from "../../../services/contracts/errors.ts";
import { digestFeed, type FeedDocument } from "../../../services/domain/feed/digest-feed.ts";

const open: Reader[] = [];
afterEach(async () => {
  for (const reader of open.splice(0)) await reader.close();
});

/** Far more than any feed here takes on a busy machine, and less than these would in the square of their length. */
const patientMs = 40_000;

function reader(timeoutMs = patientMs): Reader {
  const opened = openReader(timeoutMs);
  open.push(opened);
  return opened;
}

/** A feed of so many items, of about half a kilobyte each. */
function feed(count: number): FeedDocument {
  const items = Array.from(
    { length: count },
    (_, n) =>
      `<item><guid>https://x.example/${n}</guid><title>Item ${n}</title><description>${"<![CDATA[<p>Text</p>]]>".repeat(18)}</description></item>`,
  );
  const xml = `<rss version="2.0"><channel><title>Feed</title>${items.join("")}</channel></rss>`;
  const memory = { rule: "guid" as const, seen: "", current: 0, edits: 0, version: 2 };
  return { body: Buffer.from(xml), contentType: "", url: "https://x.example/feed", memory, maxNews: 50 };
}

const patient = new AbortController().signal;

/** How often others had their turn until the work was done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  for (await Promise.resolve(); !isDone; turns += 1) await yieldToLoop();
  return turns;
}

test.each([
  ["small", 10],
  ["large", 2000],
])("a %s feed is read alike here and in a thread", async (_, count) => {
  expect(await reader().read(feed(count), patient)).toEqual(digestFeed(feed(count)));
});

test("a large one that is none says why", async () => {
  const document = { ...feed(0), body: Buffer.alloc(200 * 1024, "no feed ") };
  expect(await reader().read(document, patient)).toEqual({
    ok: false,
    reason: "The document is not a feed.",
  });
});

test("while a large one is read, others have their turn", async () => {
  const work = reader().read(feed(5000), patient);
  expect(await turnsDuring(work)).toBeGreaterThan(0);
  expect(await work).toMatchObject({ ok: true, complete: false });
});

test("what is no author may be as long as it likes", async () => {
  const author = `<author>${"( ".repeat(500_000)}</author>`;
  const body = Buffer.from(
    `<rss version="2.0"><channel><title>T</title><item>${author}</item></channel></rss>`,
  );
  expect(await reader().read({ ...feed(0), body }, patient)).toMatchObject({ ok: true });
});

test("a text in place of a date may be of any length", async () => {
  const body = Buffer.from(
    `<rss version="2.0"><channel><title>T</title><item><pubDate>${"a".repeat(1_000_000)}</pubDate></item></channel></rss>`,
  );
  expect(await reader().read({ ...feed(0), body }, patient)).toMatchObject({ ok: true });
});

test("a feed that takes too long is aborted with its thread; the next is read", async () => {
  const impatient = reader(1);
  const late = { type: "upstream_error", message: "The feed takes too long to read." };
  await expect(impatient.read(feed(20_000), patient)).rejects.toMatchObject(late);
  await expect(impatient.read(feed(20_000), patient)).rejects.toMatchObject(late);
  expect(await impatient.read(feed(1), patient)).toMatchObject({ ok: true });
});

test("a stopping service aborts reads, with its own reason", async () => {
  const stopping = new AbortController();
  const opened = reader();
  const reading = opened.read(feed(20_000), stopping.signal);
  await yieldToLoop();
  stopping.abort(fail("overloaded", "The service is stopping; try again."));
  await expect(reading).rejects.toMatchObject({ type: "overloaded" });
  expect(await opened.read(feed(500), patient)).toMatchObject({ ok: true });
});
