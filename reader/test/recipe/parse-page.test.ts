import { parseHtml } from "../../html/parse-html.ts";
import { Elements, TooMuchWork } from "../../recipe/parse-page.ts";

const tree = () => parseHtml(`<main>${"<p><b>x</b></p>".repeat(100)}</main>`);

test.each([
  ["select", "p:has(b)"],
  ["selectFirst", "p:nth-child(100)"],
] as const)(
  "%s: a question that is repeated takes the same steps, and gets the same answer",
  (ask, selector) => {
    const page = new Elements(tree(), 10_000_000);
    const spent: number[] = [];
    const spend = page.spend.bind(page);
    page.spend = steps => {
      spent[spent.length - 1]! += steps;
      spend(steps);
    };
    const answers = [0, 1, 2].map(() => {
      spent.push(0);
      return page[ask](page.root, selector);
    });
    expect(answers[1]).toBe(answers[0]);
    // The first question also sorts the elements by their tags, once for the page.
    expect(spent[1]).toBe(spent[0]! - page.size);
    expect(spent[2]).toBe(spent[1]);
  },
);

test("repeated questions reach the limit", () => {
  const page = new Elements(tree(), 5000);
  const askAgain = () => {
    for (let time = 0; time < 100; time++) page.select(page.root, "p");
  };
  expect(askAgain).toThrow(TooMuchWork);
});
