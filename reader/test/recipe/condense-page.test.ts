import { condensePage } from "../../recipe/condense-page.ts";
import { pageOf, pageUrl } from "./goldens.ts";

function page(body: string): string {
  return `<html lang="en"><body>${body}</body></html>`;
}

test("shows what selectors need, and repeated siblings twice with their count", () => {
  const condensed = condensePage(pageOf("forum"), pageUrl, 10_000);
  expect(condensed).toContain(`page ${pageUrl}`);
  expect(condensed.match(/ div id="p1002\d+" class="post"/g)).toHaveLength(2);
  expect(condensed).toContain("(3 of div.post in all)");
  expect(condensed).toContain('time datetime="2024-04-02T10:15:00Z" "yesterday"');
});

test("keeps linked data, drops scripts and styles", () => {
  const html = page(
    `<style>p{}</style><script>secret()</script><script type="application/ld+json">{"@type":"X"}</script><p>t</p>`,
  );
  const condensed = condensePage(html, pageUrl, 10_000);
  expect(condensed).toContain('{"@type":"X"}');
  expect(condensed).not.toMatch(/secret|p\{\}/);
});

test.each([0, 100, 1000])("stays within %d characters", size => {
  expect(condensePage(pageOf("listing-cards"), pageUrl, size).length).toBeLessThanOrEqual(size);
});

test("of a long page it has the parts with the words that are asked for, with what they are in", () => {
  const section = (n: number, text: string) =>
    `<section class="s${n}"><div class="box"><h2>Part ${n}</h2><p class="t${n}">${text}</p></div></section>`;
  const many = Array.from({ length: 300 }, (_, n) =>
    section(n, n === 250 ? "The warranty is 7 years" : "Ships and tides"),
  );
  const condensed = condensePage(page(`<main id="m">${many.join("")}</main>`), pageUrl, 6000, ["warranty"]);
  expect(condensed.length).toBeLessThanOrEqual(6000);
  expect(condensed).toContain(`page ${pageUrl}`);
  expect(condensed).toMatch(/main id="m"[\s\S]*section class="s250"[\s\S]*The warranty is 7 years/);
});
