import { h, render } from "preact";
import { Markdown, outside } from "../../../dashboard/parts/markdown.ts";
import { openDocument } from "./document.ts";

const shown = (text: string): string => {
  const place = openDocument();
  render(h(Markdown, { text }), place);
  return place.firstElementChild?.innerHTML ?? "";
};

test.each([
  ["# One\n\ntext", "<h3>One</h3><p>text</p>"],
  ["###### Six", "<h6>Six</h6>"],
  ["a **b** *c* ~~d~~ `e<f>`", "<p>a <strong>b</strong> <em>c</em> <del>d</del> <code>e&lt;f&gt;</code></p>"],
  ["- a\n- b\n  1. c", "<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>"],
  ["3. c\n4. d", '<ol start="3"><li>c</li><li>d</li></ol>'],
  ["- [x] done\n- [ ] open", "<ul><li>☑ done</li><li>☐ open</li></ul>"],
  ["> said", "<blockquote><p>said</p></blockquote>"],
  ["a &amp; b &lt;c&gt; &#33; &#x21; &unknown; \\*", "<p>a &amp; b &lt;c&gt; ! ! &amp;unknown; *</p>"],
  ["---", "<hr>"],
])("the text %j becomes elements", (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test("a table has a head and aligned cells", () => {
  const table = shown("| a | b |\n|---|--:|\n| 1 | **2** |");
  expect(table).toContain('<thead><tr><th>a</th><th class="to-right">b</th></tr></thead>');
  expect(table).toContain('<tr><td>1</td><td class="to-right"><strong>2</strong></td></tr>');
});

test("code keeps its characters", () => {
  const place = openDocument();
  render(h(Markdown, { text: "```js\nlet a = '<b> &amp;';\n```" }), place);
  expect(place.querySelector("pre > code")?.textContent).toBe("let a = '<b> &amp;';");
});

test("links open in another tab and send no referrer", () => {
  const place = openDocument();
  render(h(Markdown, { text: "[here](https://example.com/a?b=1&c=2)" }), place);
  const link = place.querySelector("a");
  expect(link?.textContent).toBe("here");
  expect(link?.getAttribute("href")).toBe("https://example.com/a?b=1&c=2");
  expect(link?.getAttribute("target")).toBe("_blank");
  expect(link?.getAttribute("rel")).toBe("noopener noreferrer nofollow");
});

test("a picture becomes a link, and nothing is loaded from elsewhere", () => {
  const picture = shown("![a bird](https://example.com/a.png)");
  expect(picture).not.toContain("<img");
  expect(picture).toContain('href="https://example.com/a.png"');
  expect(picture).toContain("a bird");
});

test.each([
  "<script>alert(1)</script>",
  "text <img src=x onerror=alert(1)> text",
  "[a](javascript:alert(1))",
  "[a](java&#115;cript:alert(1))",
  "![a](javascript:alert(1))",
  "[a]: javascript:alert(1)\n\n[a]",
  "<javascript:alert(1)>",
  "[a](data:text/html,<script>alert(1)</script>)",
])("the text %s runs nothing", text => {
  const place = openDocument();
  render(h(Markdown, { text }), place);
  expect(place.querySelectorAll("script, img, iframe").length).toBe(0);
  for (const link of place.querySelectorAll("a")) expect(link.getAttribute("href")).toMatch(/^https?:/);
  expect(place.textContent).not.toBe("");
});

test("a very long text is cut, with a note", () => {
  const text = shown("word ".repeat(50_000));
  expect(text.length).toBeLessThan(210_000);
  expect(text).toContain("50,000 more characters are in the source.");
});

test.each([
  ["https://example.com", "https://example.com/"],
  ["mailto:a@example.com", "mailto:a@example.com"],
  ["/relative", undefined],
  ["ftp://example.com/", undefined],
  [" javascript:alert(1)", undefined],
])("the address %s leads to %s", (href, expected) => {
  expect(outside(href)).toBe(expected);
});
