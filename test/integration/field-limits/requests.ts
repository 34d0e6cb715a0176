/** Requests that fill one field each, made from the OpenAPI document. */
import { expressions, fillingsOf } from "./costly.ts";
import {
  type Document,
  type Field,
  fieldsOf,
  type Operation,
  resolve,
  smallest,
  withValue,
} from "./fields.ts";

export interface FilledRequest {
  /** Operation, field and value. */
  name: string;
  method: string;
  path: string;
  type?: string;
  body?: () => string;
  /** Who may ask, by the names of the document; none for everybody. */
  security: string[];
}

const queryLength = 8000;

/** `site`: what stands for `https://example.com` of the examples. */
export function requestsOf(document: Document, site: string): FilledRequest[] {
  return [...documented(document, site), ...ofFirecrawl(site)];
}

/** Firecrawl's API has a document of its own. */
function ofFirecrawl(site: string): FilledRequest[] {
  const { objects, patterns, selectors } = expressions;
  const url = `${site}/`;
  const asked = (path: string, name: string, body: () => object): FilledRequest => ({
    ...{ name: `POST ${path} ${name}`, method: "POST", path, type: "application/json", security: ["apiKey"] },
    body: () => JSON.stringify(body()),
  });
  const list = (text: (length: number, nth: number) => string) =>
    Array.from({ length: 100 }, (_, nth) => text(500, nth).replace(/^\/|\/$/g, ""));
  return [
    ...objects.map(([name, schema]) =>
      asked("/v1/extract", `schema (${name})`, () => ({ urls: [url], schema })),
    ),
    ...objects.map(([name, schema]) =>
      asked("/v2/scrape", `formats.schema (${name})`, () => ({ url, formats: [{ type: "json", schema }] })),
    ),
    ...patterns.map(([name, text]) =>
      asked("/v2/crawl", `includePaths (${name})`, () => ({ url, includePaths: list(text) })),
    ),
    ...selectors.map(([name, text]) =>
      asked("/v2/scrape", `excludeTags (${name})`, () => ({ url, excludeTags: list(text) })),
    ),
  ];
}

function documented(document: Document, site: string): FilledRequest[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const base = {
        method: method.toUpperCase(),
        path: path.replace("{source}", "web").replace(/\{\w+\}/g, "none"),
        security: (operation.security ?? []).flatMap(Object.keys),
      };
      const named = `${base.method} ${path}`;
      const filled = [...inQuery(operation), ...inBody(document, operation, site)];
      return filled.map(({ field, query = "", ...rest }) => ({
        ...base,
        ...rest,
        name: `${named} ${field}`,
        path: base.path + query,
      }));
    }),
  );
}

interface Filled {
  field: string;
  query?: string;
  type?: string;
  body?: () => string;
}

function inQuery({ parameters = [] }: Operation): Filled[] {
  return parameters
    .filter(({ schema, ...parameter }) => parameter.in === "query" && !schema.enum)
    .map(({ name, schema }) => {
      const value = "a,b "
        .repeat(queryLength)
        .slice(0, Math.min(schema.maxLength ?? queryLength, queryLength));
      return { field: `?${name}`, query: `?${name}=${encodeURIComponent(value).slice(0, queryLength)}` };
    });
}

function inBody(document: Document, { requestBody }: Operation, site: string): Filled[] {
  return Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema, examples = {} }]) => {
    if (type !== "application/json") return asText(type);
    const listed = Object.entries(examples);
    const [, example] = listed.find(([name]) => name === "page") ?? listed[0] ?? [];
    const given = example?.value ?? smallest(document, schema);
    const body = JSON.parse(JSON.stringify(given).replaceAll(/https:\/\/example\.(com|org)/g, site));
    return filledBodies(document, schema, body).map(([field, filled]) => ({
      field,
      type,
      body: () => JSON.stringify(filled()),
    }));
  });
}

function filledBodies(
  document: Document,
  schema: Parameters<typeof resolve>[1],
  body: unknown,
): [string, () => unknown][] {
  const fields = fieldsOf(document, schema);
  const plain = isRendered(document, schema) ? { ...Object(body), js_render: { enabled: false } } : body;
  return fields.flatMap(field => {
    const base = field.path[0] === "js_render" ? body : plain;
    const wanted = field.path.at(-1) === "json_schema" || field.path.at(-1) === "recipe";
    const withFormat =
      wanted && field.path[0] === "output" ? { ...Object(base), output: { formats: ["json"] } } : base;
    return fillingsOf(field, lengthOfItems(fields, field)).map(([name, make]): [string, () => unknown] => [
      `${field.path.join(".")} (${name})`,
      () => withValue(document, schema, withFormat, field.path, make()),
    ]);
  });
}

/** Of a list of texts, how long each may be. */
function lengthOfItems(fields: Field[], { path, kind }: Field): number | undefined {
  const items = fields.find(each => each.kind === "text" && `${each.path}` === `${[...path, "[]"]}`);
  return kind === "list" && items ? (items.schema.maxLength ?? 2000) : undefined;
}

function isRendered(document: Document, schema: Parameters<typeof resolve>[1]): boolean {
  return resolve(document, schema).properties?.js_render !== undefined;
}

/** Bodies that are no JSON: OPML. */
function asText(type: string): Filled[] {
  const bytes = 4_000_000;
  const whole = (outlines: string) => `<opml version="2.0"><body>${outlines}</body></opml>`;
  const attributes = () => Array.from({ length: 200_000 }, (_, nth) => `a${nth}="b"`).join(" ");
  const texts: Record<string, () => string> = {
    "many outlines": () => whole('<outline text="a"/>'.repeat(bytes / 20)),
    "many attributes": () => whole(`<outline ${attributes()}/>`),
    "many references": () => whole(`<outline text="${"&amp;".repeat(bytes / 6)}"/>`),
    "references without an end": () => "&aaaaaaaa".repeat(bytes / 10),
    "nested outlines": () => whole("<outline>".repeat(bytes / 20) + "</outline>".repeat(bytes / 20)),
  };
  return Object.entries(texts).map(([name, body]) => ({ field: `(${name})`, type, body }));
}
