import { DocumentError, readDocument, readHtml, readJson, TooMuchWork } from "../reader.ts";

const url = "https://site.example/a/page";
const html = `<html lang="en"><title>Rivers</title><nav><a href="/">Home</a></nav>
  <main><h1>Rivers</h1><p id="a">They run to the <a href="sea">sea</a>.</p><p>Bücher cost 5 €.</p></main></html>`;

test("a page is Markdown with its metadata where nothing else is asked for", () => {
  const page = readHtml(html, { url });
  expect(page).toMatchObject({ title: "Rivers", language: "en" });
  expect(page.markdown).toBe(
    "# Rivers\n\nThey run to the [sea](https://site.example/a/sea).\n\nBücher cost 5 €.",
  );
  expect(page).not.toHaveProperty("html");
  expect(page).not.toHaveProperty("text");
});

test("what is asked for is there: formats, text, the whole page, parts of it", () => {
  const formats = ["links", "html"] as const;
  const page = readHtml(html, { url, formats, text: true });
  expect(page.links).toEqual(["https://site.example/", "https://site.example/a/sea"]);
  expect(page.text).toBe("Rivers\nThey run to the sea.\nBücher cost 5 €.");
  expect(page).not.toHaveProperty("markdown");
  expect(readHtml(html, { url, wholePage: true }).markdown).toContain("Home");
  expect(readHtml(html, { url, include: ["#a"] }).markdown).not.toContain("Bücher");
  expect(readHtml(html, { url, exclude: ["//p[@id='a']"] }).markdown).not.toContain("sea");
});

test("bytes are decoded as the page declares, else as UTF-8", () => {
  const expected = readHtml(html, { url });
  expect(readHtml(Buffer.from(html), { url })).toEqual(expected);
  const declared = `<meta charset="iso-8859-15">${html}`;
  const bytes = Buffer.from(declared.replace("€", "\xa4"), "latin1");
  expect(readHtml(bytes, { url })).toEqual(expected);
});

test("JSON comes with a recipe that reads pages that are made alike", () => {
  const shelf = (name: string, price: string) =>
    `<main><h1 class="name">${name}</h1><p class="price">$${price}</p></main>`;
  const schema = { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } };
  const found = readJson(shelf("Oak", "49.90"), { url, schema });
  if (!found.ok) throw new Error(found.reason);
  expect(found.json).toEqual({ name: "Oak", price: 49.9 });
  const { recipe } = found;
  expect(readJson(Buffer.from(shelf("Elm", "31.50")), { url, recipe })).toMatchObject({
    json: { name: "Elm", price: 31.5 },
  });
  expect(readJson("", { url, schema })).toMatchObject({ ok: false, reason: expect.stringMatching(/\.$/) });
});

test("JSON of a document that is no page is found by the names of its properties", () => {
  const schema = { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } };
  const found = { ok: true, json: { name: "Oak", price: 49.9 } };
  const of = (page: string | Uint8Array, contentType: string) => readJson(page, { url, schema, contentType });
  expect(of('{"item":{"name":"Oak","cost":"$49.90"}}', "application/json")).toEqual(found);
  expect(of("<item><name>Oak</name><price>49.90</price></item>", "text/xml; charset=utf-8")).toEqual(found);
  expect(of(Buffer.from("Name\tPrice\nOak\t49.90\n"), "text/tab-separated-values")).toEqual(found);
  expect(of("<h1>Oak</h1>", "text/html")).toMatchObject({ ok: true, recipe: {} });
});

test("a schema or a recipe that is not accepted is an error that names its place", () => {
  const schema = { type: "object", properties: { name: { type: "text" } } };
  expect(() => readJson(html, { url, schema })).toThrow(/^schema\.properties\.name/);
  const recipe = { version: 1 as const, fields: { name: { selector: "h1[" } } };
  expect(() => readJson(html, { url, recipe })).toThrow(/^recipe\.fields\.name/);
});

test.each([
  ["text/csv", "Town,People\nUpford,1200\n", /\| Upford \| 1200 \|/],
  ["application/json", '{"a":[1]}', /^```json\n\{\n {2}"a"/],
  ["text/plain", "# Rivers\n\nThey run.", /^# Rivers\n\nThey run\.$/],
  ["text/html; charset=utf-8", html, /^# Rivers/],
  ["", html, /^# Rivers/],
])("a document of type %j", async (contentType, text, expected) => {
  const { markdown } = await readDocument(Buffer.from(text), { url, contentType });
  expect(markdown).toMatch(expected);
});

test("what cannot be read is an error with a code", async () => {
  const refused = (body: Uint8Array, contentType: string) =>
    readDocument(body, { url, contentType }).catch((error: unknown) => error);
  expect(await refused(Buffer.from([0, 1, 2]), "image/png")).toMatchObject({
    code: "unsupported",
    contentType: "image/png",
  });
  const broken = await refused(Buffer.from("%PDF-1.7 and nothing more"), "application/pdf");
  expect(broken).toBeInstanceOf(DocumentError);
  expect(broken).toMatchObject({ code: "broken", message: "The document is broken or locked." });
});

test("the signal ends the reading of a document", async () => {
  const reason = new Error("stopped");
  const options = { url, contentType: "application/pdf", signal: AbortSignal.abort(reason) };
  await expect(readDocument(Buffer.from("%PDF-1.7"), options)).rejects.toBe(reason);
});

test("parts that take too long to find are an error", () => {
  const include = Array.from({ length: 50 }, (_, n) => `p:not(p:nth-last-child(${n}n+2) ~ p ~ p)`);
  expect(() => readHtml("<p>x</p>".repeat(5000), { url, include })).toThrow(TooMuchWork);
});
