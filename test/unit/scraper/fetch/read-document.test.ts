import { codeOf } from "../../../../services/contracts/errors.ts";
import { readDocument } from "../../../../services/scraper/fetch/read-document.ts";

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map(part => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

// "Привет" and friends, as each encoding spells them.
const privet1251 = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2];
const nihongoSjis = [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea];
const nihongoEuc = [0xc6, 0xfc, 0xcb, 0xdc, 0xb8, 0xec];
const nihongo2022 = [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x38, 0x6c, 0x1b, 0x28, 0x42];
const zhongwenGb18030 = [0xd6, 0xd0, 0xce, 0xc4];
const outsideGbk = [0x94, 0x39, 0xda, 0x33];
const utf16le = (text: string) => [...Buffer.from(text, "utf16le")];
const utf16be = (text: string) => [...Buffer.from(text, "utf16le").swap16()];

describe("charsets of HTML", () => {
  test.each([
    ["the header", "text/html; charset=windows-1251", bytes("<p>", privet1251), "<p>Привет"],
    ["a quoted header", 'text/html; charset="Windows-1251"', bytes("<p>", privet1251), "<p>Привет"],
    [
      "the header over meta",
      "text/html; charset=shift_jis",
      bytes("<meta charset=utf-8>", nihongoSjis),
      "日本語",
    ],
    ["meta", "text/html", bytes("<meta charset=gb18030>", zhongwenGb18030, outsideGbk), "中文💩"],
    ["gb2312 means gb18030", "text/html", bytes("<meta charset=gb2312>", zhongwenGb18030), "中文"],
    [
      "meta http-equiv",
      "text/html",
      bytes('<meta http-equiv=Content-Type content="text/html; charset=euc-jp">', nihongoEuc),
      "日本語",
    ],
    ["ISO-2022-JP, escapes and all", "text/html; charset=iso-2022-jp", bytes(nihongo2022), "日本語"],
    [
      "UTF-8 mark over the header",
      "text/html; charset=windows-1251",
      bytes([0xef, 0xbb, 0xbf], "<p>Привет"),
      "<p>Привет",
    ],
    ["UTF-16 LE mark", "text/html", bytes([0xff, 0xfe], utf16le("<p>Привет")), "<p>Привет"],
    ["UTF-16 BE mark", "text/html", bytes([0xfe, 0xff], utf16be("<p>Привет")), "<p>Привет"],
    ["UTF-16 by header", "text/html; charset=utf-16le", bytes(utf16le("<p>Привет")), "<p>Привет"],
    ["valid UTF-8 by itself", "text/html", bytes("<p>Привет"), "<p>Привет"],
    ["else windows-1252", "text/html", bytes("<p>", [0x93, 0xe9, 0x94, 0x80]), "<p>“é”€"],
    ["an unknown label", "text/html; charset=klingon", bytes("<p>Привет"), "<p>Привет"],
    ["the charset that is none", "text/html; charset=hz-gb-2312", bytes("<p>plain"), "<p>plain"],
    [
      "XHTML's declaration",
      "application/xhtml+xml",
      bytes('<?xml version="1.0" encoding="windows-1251"?><html>', privet1251),
      "Привет",
    ],
  ])("%s", async (_, contentType, body, expected) => {
    const document = await readDocument({ body, contentType });
    expect(document).toEqual({ kind: "html", html: expect.stringContaining(expected) });
  });
});

describe("what a body is", () => {
  const html = "<!DOCTYPE html><title>x</title>";
  test.each([
    ["no type, HTML", "", html, "html"],
    ["no type, HTML after a mark and blanks", "", `\ufeff \n${html}`, "html"],
    ["octet-stream, HTML", "application/octet-stream", html, "html"],
    ["nonsense type, HTML", "nonsense", html, "html"],
    ["plain text that looks like HTML", "text/plain", html, "text"],
    ["no type, text", "", "hello <b>there</b>", "text"],
    [
      "XML that is XHTML",
      "text/xml",
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
      "html",
    ],
    ["RSS", "application/rss+xml", "<rss/>", "text"],
    ["no type, XML", "", "<?xml version='1.0'?><rss/>", "text"],
    ["empty HTML", "text/html", "", "html"],
    ["empty", "", "", "text"],
  ])("%s", async (_, contentType, text, kind) => {
    expect((await readDocument({ body: Buffer.from(text), contentType })).kind).toBe(kind);
  });

  const png = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1,
  ];
  const zip = [0x50, 0x4b, 3, 4, 20, 0, 0, 0, 0, 0, ...Array<number>(20).fill(0)];
  test.each([
    ["image/png", "image/png", png],
    ["image/svg+xml", "image/svg+xml", [...Buffer.from("<svg/>")]],
    ["audio/mpeg", "audio/mpeg", [0x49, 0x44, 0x33]],
    ["video/mp4", "video/mp4; codecs=avc1", [0, 0, 0, 24]],
    ["font/woff2", "font/woff2", [0x77, 0x4f, 0x46, 0x32]],
    ["application/zip", "application/zip", zip],
    ["application/x-msdownload", "application/x-msdownload", [0x4d, 0x5a]],
    ["image/png", "text/plain", png],
    ["image/png", "text/html; charset=utf-8", png],
    ["image/png", "", png],
    ["application/zip", "application/octet-stream", zip],
    ["application/octet-stream", "text/plain", [0, 1, 2, 3, 4, 5, 6, 7]],
  ])("%s, sent as %j, is not supported", async (type, contentType, content) => {
    const error: unknown = await readDocument({ body: Buffer.from(content), contentType }).catch(e => e);
    expect(codeOf(error)).toBe("unsupported_media_type");
    expect(error).toMatchObject({ code: 415, data: { content_type: type } });
  });
});

describe("texts", () => {
  test.each([
    ["text/plain", "a\n\nb", "a\n\nb", null],
    ["text/markdown", "intro\n\n# The title #\n\ntext", "intro\n\n# The title #\n\ntext", "The title"],
    ["text/markdown", "# In C#\r\n", "# In C#\r\n", "In C#"],
    ["application/json", '{"a":[1]}', '```json\n{\n  "a": [\n    1\n  ]\n}\n```', null],
    ["application/ld+json; charset=utf-8", '{"a":"ü"}', '```json\n{\n  "a": "ü"\n}\n```', null],
    ["application/json", "{broken", "```json\n{broken\n```", null],
    ["application/x-ndjson", '{"a":1}\n{"a":2}\n', '```json\n{"a":1}\n{"a":2}\n```', null],
    ["text/csv", "a,b\n1,2\n", "```csv\na,b\n1,2\n```", null],
    ["text/x-python", "print()", "```python\nprint()\n```", null],
    ["application/javascript", "a()", "```javascript\na()\n```", null],
    ["application/atom+xml", "<feed>```</feed>", "````xml\n<feed>```</feed>\n````", null],
  ])("%s: %j", async (contentType, text, markdown, title) => {
    const document = await readDocument({ body: Buffer.from(text), contentType });
    expect(document).toMatchObject({ kind: "text", markdown, title });
  });

  test.each([
    ["a million fences", "text/css", "```\n".repeat(1_000_000)],
    ["blanks in a heading", "text/plain", `# a${" ".repeat(500_000)}x`],
    ["many headings of blanks", "text/markdown", `#${" ".repeat(400)}\n`.repeat(2000)],
    [
      "a deep list of many",
      "application/json",
      `${"[".repeat(3000)}${"1,".repeat(300_000)}1${"]".repeat(3000)}`,
    ],
  ])("%s take neither long nor much", async (_name, contentType, text) => {
    const document = await readDocument({ body: Buffer.from(text), contentType });
    expect(document).toMatchObject({ text });
    if (document.kind === "text") expect(document.markdown.length).toBeLessThan(4 * text.length);
  });

  test("a text that shows a meta element keeps its own charset", async () => {
    const document = await readDocument({
      body: Buffer.from("<meta charset=windows-1251> é"),
      contentType: "text/plain",
    });
    expect(document).toMatchObject({ text: "<meta charset=windows-1251> é" });
  });
});

describe("PDF", () => {
  test.each(["application/pdf", "application/octet-stream", "text/html", ""])(
    "sent as %j",
    async contentType => {
      const body = pdf(["Hello from page one", "And page two"], "A small PDF");
      expect(await readDocument({ body, contentType })).toEqual({
        kind: "text",
        title: "A small PDF",
        text: "Hello from page one\n\nAnd page two",
        markdown: "Hello from page one\n\nAnd page two",
      });
    },
  );

  test("one that is broken is the site's fault", async () => {
    const body = Buffer.from("%PDF-1.4\nnothing that follows is one");
    const error: unknown = await readDocument({ body, contentType: "application/pdf" }).catch(e => e);
    expect(codeOf(error)).toBe("upstream_error");
  });

  test("an aborted signal ends the reading with its reason", async () => {
    const reason = new Error("enough");
    const reading = readDocument({ body: pdf(["a"], "t"), contentType: "" }, AbortSignal.abort(reason));
    await expect(reading).rejects.toBe(reason);
  });

  test("the body is still whole afterwards", async () => {
    const body = pdf(["a"], "t");
    const { length } = body;
    await readDocument({ body, contentType: "" });
    expect(body.length).toBe(length);
  });
});

/** A PDF of one line of text a page, with its cross-reference table. */
function pdf(lines: string[], title: string): Buffer {
  const kids = lines.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const pages = lines.flatMap((line, index) => {
    const content = `BT /F1 24 Tf 72 700 Td (${line}) Tj ET`;
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ];
  });
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${lines.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages,
    `<< /Title (${title}) >>`,
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map(offset => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>`;
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${entries}${trailer}\nstartxref\n${text.length}\n%%EOF\n`,
  );
}
