import { quotaWords, takeQuotas } from "../../../dashboard/pages/quota-words.ts";
import { allQuotas, quotaWords as inTables } from "../../../services/domain/quota/quotas.ts";

test.each([
  [{}, "none", "none"],
  [{ day: { pages: 1000 } }, "1,000 pages a day", "pages 1000/day"],
  [{ day: { rendered: 0 }, month: { events: 5 } }, "2 quotas", "rendered 0/day, events 5/month"],
])("the quotas %j are named in words", (quotas, words, line) => {
  expect(quotaWords(allQuotas(quotas))).toBe(words);
  expect(inTables(allQuotas(quotas))).toBe(line);
});

test("an empty field sets no quota, 0 sets one, and other fields stay", () => {
  const fields = {
    "quotas.day.pages": "0",
    "quotas.day.rendered": "",
    "quotas.month.crawled": "12",
    name: "n",
  };
  expect(takeQuotas(fields)).toEqual({
    quotas: allQuotas({ day: { pages: 0 }, month: { crawled: 12 } }),
    others: { name: "n" },
  });
});
