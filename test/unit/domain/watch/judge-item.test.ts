import { itemJudge } from "../../../../services/domain/watch/item-judge.ts";
import type { View } from "../../../../services/domain/watch/view.ts";

const item = { title: "Boots, waxed", text: "Now $ 1,299.00\nSponsored by nobody", isUpdate: false };

test.each<[View, boolean]>([
  [{}, true],
  [{ ignore: ["sponsored"] }, false],
  [{ ignore: ["shoes"] }, true],
  [{ when: { contains: ["WAXED"] } }, true],
  [{ when: { contains: ["shoes", "/^boots/i"] } }, true],
  [{ when: { contains: ["shoes"] } }, false],
  [{ when: { not_contains: ["nobody"] } }, false],
  [{ when: { value: { below: 1300 } } }, true],
  [{ when: { value: { below: 1299 } } }, false],
  [{ when: { value: { above: 1000 } } }, true],
  [{ when: { value: { below: 10, above: 2000 } } }, false],
])("with %j an item counts: %s", (view, counts) => expect(itemJudge(view)(item)).toBe(counts));

test("updates of items do not count where only what was added does", () => {
  const view = { when: { added_only: true } };
  expect([item, { ...item, isUpdate: true }].map(itemJudge(view))).toEqual([true, false]);
});

test("an item without a number meets no limit", () => {
  const view = { when: { value: { below: 1300 } } };
  expect(itemJudge(view)({ title: "Boots", text: null, isUpdate: false })).toBe(false);
});

test("marks that are piled on one letter cost no more than their number", () => {
  const text = `Boots e${"\u0301\u0327".repeat(500_000)}`;
  const piled = { title: null, text, isUpdate: false };
  expect(itemJudge({ ignore: ["boots"] })(piled)).toBe(false);
  expect(itemJudge({ ignore: ["shoes"] })(piled)).toBe(true);
});

test.each([
  ["de", "Fahrrad 1.299 €", false],
  ["de", "Fahrrad 499,00 €", true],
  [undefined, "Fahrrad 1.299 €", false],
  ["de", "Temperatur 1.299", false],
  ["en", "Temperature 1.299", true],
])("numbers are read in the language of the feed: in %s %s", (language, title, counts) => {
  const isCounted = itemJudge({ when: { value: { below: 500 } } });
  expect(isCounted({ title, text: null, ...(language && { language }), isUpdate: false })).toBe(counts);
});
