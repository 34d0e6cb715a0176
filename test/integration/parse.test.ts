import { request as httpRequest } from "node:http";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { docx, openDocumentFile, paragraph } from "../support/office.ts";

/** Written by hand: a change of the wire breaks them. */
interface Parsed {
  data: {
    markdown?: string;
    html?: string;
    raw_html?: string;
    links?: string[];
    images?: string[];
    summary?: string;
    json?: Record<string, unknown>;
    metadata: {
      title: string;
      file_name: string;
      content_type: string;
      word_count: number;
      warning?: string;
    };
  };
  started_at: string;
  ended_at: string;
}
interface Refused {
  error: string;
  code: string;
  details?: { field: string; code: string }[];
}

let magpie: Magpie;
let key: string;

beforeAll(async () => {
  magpie = await startMagpie({}, config => [keysService(config), scraperService(config)]);
  key = magpie.apiKey;
});
afterAll(() => magpie.stop());

interface Part {
  name: string;
  body: string | Buffer;
  fileName?: string;
  type?: string;
}

async function send(parts: Part[], path = "/web/parse"): Promise<{ status: number; body: Parsed & Refused }> {
  const form = new FormData();
  for (const { name, body, fileName, type = "" } of parts) {
    if (fileName === undefined) form.append(name, body.toString());
    else form.append(name, new Blob([Buffer.from(body)], { type }), fileName);
  }
  const answer = await fetch(magpie.url + path, {
    method: "POST",
    headers: { "x-api-key": key },
    body: form,
  });
  return { status: answer.status, body: (await answer.json()) as Parsed & Refused };
}

const parse = (body: string | Buffer, fileName: string, options?: object, type?: string) =>
  send([
    { name: "file", body, fileName, ...(type !== undefined && { type }) },
    ...(options ? [{ name: "options", body: JSON.stringify(options) }] : []),
  ]);

const page = `<!doctype html><html lang="en"><head><title>The mill</title></head><body><nav><a href="/">Home</a></nav><main><h1>The mill</h1><p>It was built in 1842, and it grinds to this day. See <a href="https://map.example/">the map</a> and <a href="/rest">the rest</a>.</p><img src="https://img.example/mill.png" alt="x"></main><footer>Imprint</footer></body></html>`;

test("a document is Markdown without a word more", async () => {
  const { status, body } = await parse(docx(paragraph("It turns.")), "mill.docx");
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    markdown: "It turns.",
    metadata: {
      file_name: "mill.docx",
      word_count: 2,
      content_type: expect.stringContaining("wordprocessingml"),
    },
  });
  expect(body).toMatchObject({ started_at: expect.any(String), ended_at: expect.any(String) });
  expect(Object.keys(body.data.metadata)).not.toEqual(expect.arrayContaining(["status_code"]));
});

test("a page gives each format, and its relative addresses lead nowhere", async () => {
  const formats = ["markdown", "html", "raw_html", "links", "images", "summary", "json"];
  const json_schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
  const { status, body } = await parse(page, "mill.html", { output: { formats, json: { json_schema } } });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    markdown: expect.stringContaining("It was built in 1842"),
    html: expect.stringContaining("<h1>"),
    raw_html: page,
    links: ["https://map.example/"],
    images: ["https://img.example/mill.png"],
    summary: expect.stringContaining("1842"),
    json: { title: "The mill" },
    metadata: { title: "The mill", content_type: "text/html" },
  });
  expect(body.data.markdown).not.toMatch(/Imprint|Home|file:/);
  expect(JSON.stringify({ ...body.data, raw_html: "" })).not.toContain("file:");
});

test.each([
  ["a table by its name", "a,b\n1,2\n", "towns.csv", "", "| a | b |\n| --- | --- |\n| 1 | 2 |"],
  ["a text by its content type", "Plain *text*.", "x", "text/plain", "Plain *text*."],
  [
    "a notebook by its name",
    '{"cells":[{"cell_type":"markdown","source":"# Mill"}],"nbformat":4}',
    "n.ipynb",
    "application/octet-stream",
    "# Mill",
  ],
  [
    "what is named wrongly by its bytes",
    openDocumentFile({ kind: "text", body: "<text:p>It turns.</text:p>" }),
    "mill.pdf",
    "application/pdf",
    "It turns.",
  ],
])("%s", async (_name, body, fileName, type, markdown) => {
  const answer = await parse(body, fileName, undefined, type);
  expect(answer).toMatchObject({ status: 200, body: { data: { markdown } } });
});

test("a name of any letters is kept", async () => {
  const { body } = await parse("Text.", "Mühle 水車.txt");
  expect(body.data.metadata.file_name).toBe("Mühle 水車.txt");
});

const file: Part = { name: "file", body: "Text.", fileName: "a.txt" };
const options = (value: object): Part => ({ name: "options", body: JSON.stringify(value) });

test.each([
  ["no file", [options({})], "file", "required"],
  ["two files", [file, file], "file", "exactly_one"],
  ["an empty file", [{ ...file, body: "" }], "file", "empty"],
  ["a file that is a text", [{ name: "file", body: "Text." }], "file", "malformed"],
  ["a file under another name", [{ ...file, name: "upload" }], "upload", "unknown_field"],
  ["another field", [file, { name: "url", body: "x" }], "url", "unknown_field"],
  ["options that are no JSON", [file, { name: "options", body: "{" }], "options", "malformed"],
  ["options that are a list", [file, { name: "options", body: "[]" }], "options", "object"],
  ["options twice", [file, options({}), options({})], "options", "exactly_one"],
  ["options that are a file", [file, { ...file, name: "options" }], "options", "malformed"],
  ["long options", [file, { name: "options", body: " ".repeat(300_000) }], "options", "too_long"],
  [
    "a screenshot",
    [file, options({ output: { formats: ["screenshot"] } })],
    "options.output.formats.0",
    undefined,
  ],
  ["actions", [file, options({ js_render: { enabled: true } })], "options.js_render", undefined],
  [
    "JSON without an order",
    [file, options({ output: { formats: ["json"] } })],
    "options.output.json",
    "required",
  ],
  [
    "a selector that is none",
    [file, options({ request: { include_tags: ["p["] } })],
    "options.request.include_tags.0",
    undefined,
  ],
] as [string, Part[], string, string | undefined][])(
  "%s is a 400 that names it",
  async (_name, parts, field, code) => {
    const { status, body } = await send(parts);
    expect(status).toBe(400);
    const { details = [] } = body;
    const named = details.find(detail => detail.field.startsWith(field));
    expect({ details, message: body.error, named }).toMatchObject({
      named: { field: expect.stringContaining(field), ...(code && { code }) },
    });
  },
);

test("what is too large is a 413, whether its length is stated or not", async () => {
  const bytes = Buffer.alloc(33 * 1024 * 1024, "x");
  expect(await parse(bytes, "big.txt")).toMatchObject({
    status: 413,
    body: { code: "payload_too_large" },
  });
  const status = await new Promise<number>((resolve, reject) => {
    const sent = httpRequest(`${magpie.url}/web/parse`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "multipart/form-data; boundary=b" },
    });
    sent.on("response", answer => resolve(answer.statusCode ?? 0)).on("error", reject);
    sent.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
    for (let at = 0; at < 33; at++) sent.write(bytes.subarray(0, 1024 * 1024));
    sent.end("\r\n--b--\r\n");
  });
  expect(status).toBe(413);
});

test("other bodies are refused by what is wrong with them", async () => {
  const ask = async (body: string, type: string, query = "") => {
    const headers = { "x-api-key": key, "content-type": type };
    const answer = await fetch(`${magpie.url}/web/parse${query}`, { method: "POST", headers, body });
    return { status: answer.status, code: ((await answer.json()) as Refused).code };
  };
  expect(await ask("{}", "application/json")).toEqual({ status: 415, code: "unsupported_media_type" });
  expect(await ask("x", "multipart/form-data")).toEqual({ status: 415, code: "unsupported_media_type" });
  expect(await ask("x", "multipart/form-data; x=y")).toEqual({ status: 400, code: "malformed_request" });
  expect(await ask("--b\r\nContent-Disp", "multipart/form-data; boundary=b")).toEqual({
    status: 400,
    code: "malformed_request",
  });
  expect(await ask("--b--", "multipart/form-data; boundary=b", "?a=1")).toEqual({
    status: 400,
    code: "validation_failed",
  });
});

test("what holds no text is a 415, and what is broken says so", async () => {
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  expect(await parse(png, "a.png")).toMatchObject({
    status: 415,
    body: { code: "unsupported_media_type" },
  });
  const broken = docx(paragraph("x")).subarray(0, 500);
  expect(await parse(broken, "a.docx")).toMatchObject({
    status: 422,
    body: { error: "The document is broken or locked." },
  });
});

test("it counts as a page of the key, where it was read", async () => {
  const limits = { quotas: { day: { pages: 2 } } };
  const made = await magpie.request("POST", "/internal/keys", {
    admin: true,
    body: { owner: "o", name: "n", ...limits },
  });
  const own = made.json<{ data: { key: string } }>().data.key;
  const ask = async (body: string | Buffer, name: string) => {
    const form = new FormData();
    form.append("file", new Blob([Buffer.from(body)]), name);
    return await fetch(`${magpie.url}/web/parse`, {
      method: "POST",
      headers: { "x-api-key": own },
      body: form,
    });
  };
  expect((await ask(docx(paragraph("x")).subarray(0, 500), "a.docx")).status).toBe(422);
  expect((await ask("One.", "a.txt")).status).toBe(200);
  expect((await ask("Two.", "a.txt")).status).toBe(200);
  const refused = await ask("Three.", "a.txt");
  expect({ ...(await refused.json()), status: refused.status }).toMatchObject({
    status: 429,
    code: "quota_exceeded",
  });
});

test("a table answers a schema", async () => {
  const json_schema = {
    type: "object",
    properties: {
      towns: {
        type: "array",
        items: { type: "object", properties: { town: { type: "string" }, people: { type: "number" } } },
      },
    },
  };
  const { status, body } = await parse("town,people\nUpford,1200\nRill,90\n", "towns.csv", {
    output: { formats: ["json"], json: { json_schema } },
  });
  expect({ status, json: body.data?.json }).toEqual({
    status: 200,
    json: {
      towns: [
        { town: "Upford", people: 1200 },
        { town: "Rill", people: 90 },
      ],
    },
  });
});

test("a form without an API key is not read", async () => {
  const form = new FormData();
  form.append("file", new Blob(["Text."]), "a.txt");
  expect((await fetch(`${magpie.url}/web/parse`, { method: "POST", body: form })).status).toBe(401);
});

describe("Firecrawl's form", () => {
  test("is read with its options, and answered as its clients expect", async () => {
    const parts = [
      { name: "file", body: page, fileName: "mill.html" },
      options({
        formats: ["markdown", "links", "rawHtml"],
        onlyMainContent: true,
        timeout: 20_000,
        origin: "x",
        zeroDataRetention: true,
      }),
    ];
    const { status, body } = await send(parts, "/v2/parse");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      data: {
        markdown: expect.stringContaining("1842"),
        links: ["https://map.example/"],
        rawHtml: page,
        metadata: { title: "The mill", sourceFile: "mill.html" },
      },
    });
  });

  test.each([
    [{ formats: ["screenshot"] }, "options.formats.0"],
    [{ formats: ["video"] }, "options.formats.0"],
    [{ actions: [] as object[], waitFor: 5 }, "options.waitFor"],
    [{ timeout: 5 }, "options.timeout"],
    [{ includeTags: ["p["] }, "options.includeTags.0"],
  ])("%j is refused by name", async (sent, field) => {
    const { status, body } = await send([file, options(sent)], "/v2/parse");
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(field);
  });
});
