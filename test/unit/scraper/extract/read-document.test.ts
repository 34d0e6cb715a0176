import { codeOf } from "../../../../services/contracts/errors.ts";
import { readDocument } from "../../../../services/scraper/extract/read-document.ts";
import { docx, paragraph, xlsx } from "../../../support/office.ts";
import { makePdf } from "../../../support/pdf.ts";

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
    ["text/csv", "a\nb\n", "```csv\na\nb\n```", null],
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

describe("documents that are converted", () => {
  const rss =
    '<?xml version="1.0"?><rss><channel><title>News</title><item><title>One</title><guid>1</guid></item></channel></rss>';
  const atom =
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>One</title><id>1</id></entry></feed>';
  const rdf =
    '<!-- x --><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>News</title></channel><item><title>One</title><link>https://a.example/1</link></item></rdf:RDF>';
  const json =
    '{"version":"https://jsonfeed.org/version/1.1","title":"News","items":[{"id":"1","title":"One"}]}';
  test.each([
    ["RSS", "application/rss+xml", rss],
    ["RSS as XML", "text/xml; charset=utf-8", rss],
    ["RSS as HTML", "text/html", rss],
    ["RSS as text", "text/plain", `\ufeff\n${rss}`],
    ["RSS without a type", "application/octet-stream", rss],
    ["Atom", "application/atom+xml", atom],
    ["Atom as HTML", "text/html", atom],
    ["RDF", "application/rdf+xml", rdf],
    ["RDF as text", "text/plain", rdf],
    ["JSON Feed", "application/feed+json", json],
    ["JSON Feed as JSON", "application/json", json],
  ])("%s", async (_name, contentType, text) => {
    const document = await readDocument({ body: Buffer.from(text), contentType });
    expect(document).toMatchObject({
      kind: "converted",
      html: expect.stringMatching(/<h1>News<\/h1>.*One/s),
    });
    expect(document).toMatchObject({ source: text.replace("\ufeff", "") });
  });

  const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  const excel = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  const sheets = { One: '<sheetData><row><c r="A1"><v>5</v></c></row></sheetData>' };
  const plainTypes = ["", "application/octet-stream", "application/zip", "text/html", "text/plain"];
  test.each([
    ...[word, "application/msword", ...plainTypes].map(type => [type, docx(paragraph("Five"))] as const),
    ...[excel, "application/vnd.ms-excel", ...plainTypes].map(type => [type, xlsx({ sheets })] as const),
  ])("an office document, sent as %j", async (contentType, body) => {
    const document = await readDocument({ body, contentType });
    expect(document).toMatchObject({
      kind: "converted",
      html: expect.stringMatching(/Five|<th>5/),
      source: null,
    });
  });

  test.each([
    ["text/csv", "https://a.example/x", "a,b\n1,2"],
    ["application/csv", "https://a.example/x", "a,b\n1,2"],
    ["text/tab-separated-values", "https://a.example/x", "a\tb\n1\t2"],
    ["text/plain", "https://a.example/x.csv?y=1#z", "a,b\n1,2"],
    ["application/octet-stream", "https://a.example/x.TSV", "a\tb\n1\t2"],
    ["application/vnd.ms-excel", "https://a.example/x", "a;b\n1;2"],
  ])("a table sent as %s from %s", async (contentType, finalUrl, text) => {
    const document = await readDocument({ body: Buffer.from(text), contentType, finalUrl });
    const html = expect.stringContaining("<tr><th>a</th><th>b</th></tr>");
    expect(document).toEqual({ kind: "converted", html, source: text });
  });

  test.each([
    ["text/plain", "https://a.example/x.txt", "a,b\n1,2"],
    ["text/plain", "https://a.example/?file=x.csv", "a,b\n1,2"],
    ["application/xml", "https://a.example/", "<urlset><url><loc>x</loc></url></urlset>"],
    ["text/csv", "https://a.example/x", "one column\nonly"],
    ["application/json", "https://a.example/", '{"title":"x","items":[]}'],
  ])("%s from %s, %j, stays a text", async (contentType, finalUrl, text) => {
    expect(await readDocument({ body: Buffer.from(text), contentType, finalUrl })).toMatchObject({
      kind: "text",
    });
  });

  test.each([
    "application/vnd.oasis.opendocument.graphics",
    "application/vnd.apple.pages",
    "application/x-mobipocket-ebook",
  ])("%s is refused with the formats that are read", async contentType => {
    const body = Buffer.concat([Buffer.from("504b0304", "hex"), Buffer.alloc(2000)]);
    const error: unknown = await readDocument({ body, contentType }).catch((caught: unknown) => caught);
    const message = `A document of type ${contentType} is not read. What is read: PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, EPUB, RTF, EML, IPYNB, CSV, HTML and text.`;
    expect(error).toMatchObject({ code: 415, message, data: { content_type: contentType } });
  });

  test.each([
    "application/vnd.oasis.opendocument.text",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/epub+zip",
  ])("%s that is broken is an error of the site", async contentType => {
    const body = Buffer.concat([Buffer.from("504b0304", "hex"), Buffer.alloc(2000)]);
    const error: unknown = await readDocument({ body, contentType }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 502, message: "The document is broken or locked." });
  });

  test.each(["application/msword", "application/vnd.ms-excel"])(
    "%s before 2007 is refused by its name",
    async contentType => {
      const body = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(2000)]);
      const error: unknown = await readDocument({ body, contentType }).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 415, data: { content_type: contentType } });
    },
  );
});

describe("PDF", () => {
  test.each(["application/pdf", "application/octet-stream", "text/html", ""])(
    "sent as %j",
    async contentType => {
      const body = await makePdf(pdf => pdf.text("Hello"), { Title: "A small PDF" });
      expect(await readDocument({ body, contentType })).toEqual({
        kind: "converted",
        html: expect.stringMatching(/<title>A small PDF<\/title>.*<p>Hello<\/p>/s),
        source: null,
      });
    },
  );
});

test("a document that is too long says that it was cut", async () => {
  const contentType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  const body = docx("<w:p></w:p>".repeat(155_000));
  expect(await readDocument({ body, contentType })).toMatchObject({
    kind: "converted",
    warning: "The document is too long to be read as a whole: only its beginning was read.",
  });
  expect(await readDocument({ body: docx(paragraph("a")), contentType })).not.toHaveProperty("warning");
});
