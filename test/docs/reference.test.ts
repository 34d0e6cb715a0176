import { readdirSync, readFileSync } from "node:fs";
import { settings } from "../../mixins/config/settings.ts";
import { compatRoutes } from "../../services/api/routes/compat.routes.ts";
import { errorStatus } from "../../services/contracts/errors.ts";
import { detailCodes } from "../../services/domain/errors/detail-codes.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { configurationPage } from "./configuration.ts";
import { errorsPage } from "./detail-codes.ts";
import { drawings, writtenDrawings } from "./drawings.ts";
import { logEventsPage } from "./log-events.ts";
import { blocksOf, page, pages, proseOf } from "./pages.ts";

test("the reference of settings is the table of settings; `npm run docs` writes it", () => {
  expect(page("docs/reference/configuration.md")).toBe(configurationPage());
});

test("the reference of log events is their table; `npm run docs` writes it", () => {
  expect(page("docs/reference/log-events.md")).toBe(logEventsPage());
});

test("the reference of errors has each code of a field, from their table; `npm run docs` writes it", () => {
  expect(page("docs/reference/errors.md")).toBe(errorsPage());
});

test("each code of a field is given somewhere", () => {
  const sources = ["services", "reader", "mixins"].flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter(file => file.endsWith(".ts") && !file.endsWith("detail-codes.ts") && !/\btest\b/.test(file))
      .map(file => readFileSync(`${folder}/${file}`, "utf8")),
  );
  const all = sources.join("\n");
  expect(Object.keys(detailCodes).filter(code => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([]);
  expect(Object.keys(detailCodes).filter(code => !all.includes(`"${code}"`))).toEqual([]);
});

test("the drawings of the guide are those of its pages; `npm run docs` writes them", () => {
  expect(drawings().size).toBeGreaterThan(4);
  expect(Object.fromEntries(writtenDrawings())).toEqual(Object.fromEntries(drawings()));
});

test("every setting that a page names is one of the table", () => {
  const others = new Set(
    [
      ["NO_COLOR", "WEBHOOK_SECRET", "FIRECRAWL_API_URL", "FIRECRAWL_API_KEY"],
      ["MAGPIE_EVENT_ID", "MAGPIE_EVENT_TYPE", "MAGPIE_EVENT_SEQ"],
      ["TEST_PARTS", "TEST_LENGTH", "REQUIRE_ALL", "NODE_FUNCTION_ALLOW_BUILTIN"],
      ["GET", "POST", "PATCH", "PUT", "DELETE", "FAILED", "ACTIVE", "DISABLED", "UNCONFIRMED"],
      ["IST", "BST", "CST", "EST", "AST", "NODE_FUNCTION_ALLOW_BUILTIN"],
      ["BGSAVE", "FLOOD_WAIT", "PHPSESSID", "JSESSIONID", "CFID", "CFTOKEN", "LICENSE"],
    ].flat(),
  );
  const unknown = [...pages].flatMap(([path, text]) => {
    if (path.startsWith("docs/decisions/")) return [];
    const named = [...proseOf(text).matchAll(/`([A-Z][A-Z0-9_]{2,})(?:=[^`]*)?`/g)].map(
      ([, name = ""]) => name,
    );
    return named
      .filter(name => !others.has(name) && !Object.hasOwn(settings, name))
      .map(name => `${path}: ${name}`);
  });
  expect(unknown).toEqual([]);
});

test("the reference of errors has a row for each code, with its status", () => {
  const rows = page("docs/reference/errors.md").matchAll(/^\| `(\w+)` \| (\d{3}) \| [^|]{5,} \|/gm);
  const documented = Object.fromEntries([...rows].map(([, code = "", status]) => [code, Number(status)]));
  expect(documented).toEqual(errorStatus);
});

test("every script that a page names is in package.json", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  // The lab and the list of changes also name scripts of their days.
  const ofToday = [...pages].filter(([path]) => !path.startsWith("docs/lab/") && path !== "CHANGELOG.md");
  const named = ofToday.flatMap(([, text]) =>
    [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(name => !Object.hasOwn(scripts, name ?? ""))).toEqual([]);
});

describe("beside a service", () => {
  let magpie: Magpie;
  beforeAll(async () => {
    magpie = await startMagpie();
  });
  afterAll(() => magpie.stop());

  test("every endpoint that a page names is in the OpenAPI document", async () => {
    const { paths } = (await magpie.request("GET", "/openapi.json")).json<{
      paths: Record<string, object>;
    }>();
    const known = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`.replace(/\{\w+\}/g, "{}")),
    );
    // Other programs' APIs are described by their own documents.
    for (const { method, path } of compatRoutes) known.push(`${method} ${path}`.replace(/\{\w+\}/g, "{}"));
    const named = [...pages].flatMap(([path, text]) =>
      [...proseOf(text).matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`?\s]*)/g)]
        .map(([, endpoint = ""]) => endpoint.replace(/\{\w+\}/g, "{}"))
        .filter(endpoint => !isKnown(endpoint, known))
        .map(endpoint => `${path}: ${endpoint}`),
    );
    expect(named).toEqual([]);
  });

  test("the reference of events shows each event with the example of the OpenAPI document", async () => {
    const document = (await magpie.request("GET", "/openapi.json")).json<{
      webhooks: Record<string, Webhook>;
    }>();
    const examples = Object.entries(document.webhooks).map(([type, { post }]) => [
      type,
      post.requestBody.content["application/json"].example,
    ]);
    const sections = page("docs/reference/events.md").split(/^## /m).slice(1);
    const shown = sections.map(section => [
      section.split("\n", 1)[0],
      JSON.parse(blocksOf(section).find(({ info }) => info === "json")?.text ?? "null"),
    ]);
    expect(examples.length).toBeGreaterThan(9);
    expect(Object.fromEntries(shown)).toEqual(expect.objectContaining(Object.fromEntries(examples)));
  });
});

test("the version of the changelog is that of the package", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(page("CHANGELOG.md")).toContain(`## [${version}]`);
});

/** `POST /track/rss` is one of `POST /track/{source}`. */
function isKnown(endpoint: string, known: string[]): boolean {
  return known.some(each => new RegExp(`^${each.replaceAll("{}", "[^/ ]+")}$`).test(endpoint));
}

interface Webhook {
  post: { requestBody: { content: { "application/json": { example: unknown } } } };
}
