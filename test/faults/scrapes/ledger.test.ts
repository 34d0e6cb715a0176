import { ScrapeLedger, type SeenNotice, type SeenScrape } from "./ledger.ts";

const ended: SeenScrape = { scrape_id: "a", status: "completed", ended_at: "1" };
const told: SeenNotice = { id: "evt_1", type: "scrape.completed", scrapeId: "a" };

function judge(seen: (SeenScrape | undefined)[], notices: SeenNotice[]) {
  const ledger = new ScrapeLedger();
  ledger.accept({ scrapeId: "a", ends: "completed", isTold: true, key: "k" });
  for (const scrape of seen) ledger.see("a", scrape);
  return ledger.judge(notices).wrong;
}

test("nothing is wrong with one that ended and was told, however often it was sent and asked for", () => {
  expect(judge([{ ...ended, status: "pending" }, ended, ended], [told, told])).toEqual([]);
});

test.each<[string, (SeenScrape | undefined)[], SeenNotice[], RegExp]>([
  ["is unknown", [undefined], [told], /is unknown/],
  ["has not ended", [{ ...ended, status: "pending" }], [told], /has not ended/],
  ["ends otherwise than its page", [{ ...ended, status: "failed" }], [], /should be completed/],
  ["changes after its end", [ended, { ...ended, ended_at: "2" }], [told], /changed since/],
  ["is pending after its end", [ended, { ...ended, status: "pending" }], [told], /changed since/],
  ["is not told", [ended], [], /nobody was told/],
  ["is told twice", [ended], [told, { ...told, id: "evt_2" }], /more than once/],
  ["is told both ways", [ended], [told, { ...told, type: "scrape.failed" }], /more than once/],
  ["is told otherwise than it is", [ended], [{ ...told, type: "scrape.failed" }], /was told as/],
])("a scrape that %s is found", (_, seen, notices, sentence) => {
  expect(judge(seen, notices)).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
});

test("a key that stands for two scrapes is found", () => {
  const ledger = new ScrapeLedger();
  for (const scrapeId of ["a", "b"]) ledger.accept({ scrapeId, ends: "completed", isTold: false, key: "k" });
  expect(ledger.judge([]).wrong[0]).toMatch(/stands for a and for b/);
});
