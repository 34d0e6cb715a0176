import { parsePage } from "../../recipe/parse-page.ts";
import { selectorFor } from "../../recipe/selector-for.ts";

test.each([
  ["o:p", "<o:p>1</o:p><o:p>2</o:p>"],
  ["x.y", "<x.y>1</x.y><div><x.y>2</x.y></div>"],
])("a selector for <%s> names it although its tag has marks of selectors", (tag, html) => {
  const page = parsePage(`<body><main>${html}</main></body>`, "https://site.example/");
  const root = page.root.querySelector("main");
  const all = root?.querySelectorAll("*").filter(({ localName }) => localName === tag) ?? [];
  expect(all).toHaveLength(2);
  for (const element of all) {
    const selector = root && selectorFor(element, root);
    expect(selector && root?.querySelector(selector)).toBe(element);
  }
});
