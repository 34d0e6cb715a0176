import { type OpmlReader, openOpmlReader } from "../../services/tracker/opml/opml-reader.ts";
import { longestHold } from "../support/longest-hold.ts";

const open: OpmlReader[] = [];
afterEach(async () => {
  for (const reader of open.splice(0)) await reader.close();
});

function reader(maxMs?: number): OpmlReader {
  const opened = openOpmlReader(maxMs);
  open.push(opened);
  return opened;
}

const patient = new AbortController().signal;
const sender = { keyId: "key", signal: patient };
const document = (outlines: string) => ({
  body: Buffer.from(`<opml version="2.0"><body>${outlines}</body></opml>`).toString("base64"),
});
const feeds = (count: number) =>
  Array.from({ length: count }, (_, n) => `<outline type="rss" xmlUrl="https://a.example/${n}"/>`).join("");

test("a document is read", async () => {
  expect(await reader().read(document(feeds(2)), sender)).toMatchObject({
    ok: true,
    entries: [{ sid: "https://a.example/0" }, { sid: "https://a.example/1" }],
    failures: [],
  });
});

test("the encoding is that of the document or its sender", async () => {
  const body = Buffer.from(
    `<opml><body><outline text="St\xe4dte">${feeds(1)}</outline></body></opml>`,
    "latin1",
  );
  const sent = { body: body.toString("base64"), charset: "iso-8859-1" };
  expect(await reader().read(sent, sender)).toMatchObject({ ok: true, entries: [{ tags: ["Städte"] }] });
});

/** Each of 4 MB. On the main thread they hold it for 6, 10 and 2 seconds on a busy machine. */
const attacks: [string, string, string | undefined][] = [
  ["outlines that say nothing", `<outline text="nothing"/>`.repeat(160_000), "more than 20000 elements"],
  [
    "attributes of one outline",
    `<outline ${Array.from({ length: 300_000 }, (_, n) => `a${n}="1"`).join(" ")}/>`,
    "more than 200 attributes",
  ],
  ["ampersands that begin no entity", `<outline text="${"&aaaaaaaa".repeat(440_000)}"/>`, undefined],
  ["a folder's name", `<outline text="${"n".repeat(3_500_000)}">${feeds(5000)}</outline>`, undefined],
];

test.each(attacks)("%s: nobody else waits", async (_, outlines, reason) => {
  const opened = reader();
  await opened.read(document(""), sender);
  const sent = document(outlines);
  const { heldMs, result } = await longestHold(() => opened.read(sent, sender));
  expect(heldMs).toBeLessThan(500);
  expect(result).toMatchObject(
    reason === undefined ? { ok: true } : { ok: false, reason: expect.stringContaining(reason) },
  );
});

test("a document that takes too long is refused", async () => {
  const opened = reader(1);
  await expect(opened.read(document(feeds(5000)), sender)).rejects.toMatchObject({
    data: { details: [{ field: "body", message: expect.stringContaining("too long") }] },
  });
});

test("documents of one key wait for one another, and only a few may", async () => {
  const opened = reader();
  const sent = document(feeds(5000));
  const all = Array.from({ length: 8 }, () => opened.read(sent, sender));
  const other = opened.read(document(feeds(1)), { keyId: "other", signal: patient });
  expect(await other).toMatchObject({ ok: true });
  const ended = await Promise.allSettled(all);
  expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect(ended.flatMap(each => (each.status === "rejected" ? each.reason.type : []))).toEqual([
    ...Array(3).fill("overloaded"),
  ]);
});
