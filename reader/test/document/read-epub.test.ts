import { epub } from "../../../test/support/office.ts";
import { readEpub } from "../../document/read-epub.ts";
import { failureOf, markdownOf, readAs } from "./markdown-of.ts";

test("chapters come in the order of the spine, without the table of contents", async () => {
  const chapters = {
    "b.xhtml": "<h1>The mill</h1><p>It <b>turned</b>.</p><script>x()</script>",
    "a%20one.xhtml":
      '<h1>The river</h1><p>See <a href="b.xhtml#top">the mill</a> and <a href="https://map.example/">a map</a>.</p><img src="x.jpg" alt="A mill at dusk"/>',
  };
  const metadata =
    "<dc:title>Two tales</dc:title><dc:creator>Ann Lind</dc:creator><dc:creator>Bo Kahn</dc:creator><dc:language>en</dc:language>";
  const page = await readAs(epub({ chapters, metadata }));
  expect(page.markdown?.trim()).toBe(
    "# The mill\n\nIt **turned**.\n\n# The river\n\nSee the mill and [a map](https://map.example/).\n\n*A mill at dusk*",
  );
  expect(page).toMatchObject({ title: "Two tales", author: "Ann Lind, Bo Kahn", language: "en" });
});

test("notes of chapters that have the same names stay apart", async () => {
  const chapter = (n: number) =>
    `<h1>Part ${n}</h1><p>A fact<a id="r1" href="#fn1"><sup>1</sup></a>.</p><ol><li id="fn1">Source ${n}. <a href="#r1">↩</a></li></ol>`;
  const markdown = await markdownOf(epub({ chapters: { "a.xhtml": chapter(1), "b.xhtml": chapter(2) } }));
  expect(markdown).toMatch(/A fact\[\^1\][\s\S]*A fact\[\^(?!1\])/);
  expect(markdown).toMatch(/\]: Source 1\.[\s\S]*\]: Source 2\./);
});

test("formulas and encodings of chapters are kept", async () => {
  const math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mn>1</mn><mi>x</mi></mfrac></math>';
  expect(await markdownOf(epub({ chapters: { "a.xhtml": `<p>So ${math} – né.</p>` } }))).toBe(
    "So $\\frac{1}{x}$ – né.",
  );
});

test("books of others end, and locked ones say so", async () => {
  const chapters = { "a.xhtml": "<p>Text.</p>" };
  const encryption =
    '<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/a.xhtml"/></CipherData></EncryptedData></encryption>';
  const locked = epub({ chapters, more: { "META-INF/encryption.xml": encryption } });
  expect(() => readEpub(locked)).toThrow("locked by its seller");
  const font = epub({
    chapters,
    more: { "META-INF/encryption.xml": encryption.replace("a.xhtml", "x.otf") },
  });
  expect(await markdownOf(font)).toBe("Text.");
  expect(await failureOf(epub({ chapters, more: { "META-INF/container.xml": "<container/>" } }))).toBe(
    "broken",
  );
  expect(await failureOf(epub({ chapters: { "a.xhtml": " ".repeat(60_000_000) } }))).toBe("broken");
  const deep = epub({ chapters: { "a.xhtml": `<p>Near.</p>${"<div>".repeat(50_000)}x` } });
  expect(await markdownOf(deep)).toContain("Near.");
  const long = epub({ chapters: { "a.xhtml": "<p>One.</p>", "b.xhtml": "<p>Two.</p>".repeat(100) } });
  expect(readEpub(long, 50)).toMatchObject({ isCut: true, html: expect.stringContaining("One.") });
  const outside = epub({ chapters: { "..%2f..%2f..%2fetc%2fpasswd": "<p>x</p>" } });
  expect(await markdownOf(outside)).not.toContain("root:");
});
