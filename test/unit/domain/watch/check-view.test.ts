import { RequestBudget } from "../../../../reader/text/request-budget.ts";
import { checkSelector, checkView } from "../../../../services/domain/watch/check-view.ts";

const tooLarge = "The selectors and expressions of this request are too large together.";

test("the selectors of a request have one budget, whatever field they are in", () => {
  const long = `${".abc ".repeat(199)}a`;
  const xpath = `//${"a/".repeat(498)}a`;
  const view = { select: Array.from({ length: 20 }, () => long), remove: [long] };
  expect(checkView(view)).toMatchObject({ field: "options.select.19", message: tooLarge });
  expect(checkView({ select: [long], remove: Array.from({ length: 50 }, () => xpath) })).toMatchObject({
    field: "options.remove.9",
    message: tooLarge,
  });
});

test("commas and unions cost more than their characters", () => {
  const budget = () => new RequestBudget(500);
  expect(checkSelector(`${"a,".repeat(400)}a`, budget())).toBe(tooLarge);
  expect(checkSelector(`${"//a|".repeat(200)}//a`, budget())).toBe(tooLarge);
  expect(checkSelector("a ".repeat(400), budget())).not.toBe(tooLarge);
});
