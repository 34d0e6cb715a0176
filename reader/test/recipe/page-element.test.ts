import { parsePage } from "../../recipe/parse-page.ts";

const { root } = parsePage(
  `<div id="a" class="x y"><p>one</p><p class="y">two <b>bold</b></p><span data-k="V">three</span></div>
  <div class="x"><p>four</p><ul><li>five<li>six</ul></div>`,
  "https://site.example/",
);

const texts = (selector: string, scope = root) =>
  scope.querySelectorAll(selector).map(({ textContent }) => textContent);

test.each<[string, string[]]>([
  ["p", ["one", "two bold", "four"]],
  ["p.y", ["two bold"]],
  ["#a > p", ["one", "two bold"]],
  [".x p + p", ["two bold"]],
  ["p ~ span", ["three"]],
  ["[data-k]", ["three"]],
  ['[data-k="v" i]', ["three"]],
  ['[class*="y"] > b', ["bold"]],
  ["p:has(> b)", ["two bold"]],
  ["p:not(.y)", ["one", "four"]],
  ["li:nth-child(2), b", ["bold", "six"]],
  ["b, p.y", ["two bold", "bold"]],
  [":scope > div > span", ["three"]],
  ["P.Y", []],
  [".none, #none, none", []],
])("%s", (selector, expected) => {
  expect(texts(selector)).toEqual(expected);
  expect(root.querySelector(selector)?.textContent).toBe(expected[0]);
});

test("below an element: only what is in it, and :scope is the element", () => {
  const [first, second] = root.querySelectorAll("div");
  expect(first && texts("p", first)).toEqual(["one", "two bold"]);
  expect(second && texts(":scope > p", second)).toEqual(["four"]);
  expect(first && texts(":scope > p", first)).toEqual(["one", "two bold"]);
  expect(second?.querySelector("span")).toBeNull();
});

test("up: the nearest that matches, the element itself included", () => {
  const bold = root.querySelector("b");
  expect(bold?.closest("b")).toBe(bold);
  expect(bold?.closest(".x")?.getAttribute("id")).toBe("a");
  expect(bold?.closest("ul")).toBeNull();
});
