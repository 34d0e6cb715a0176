import { colouredCode, type Html, html } from "../guide/html.ts";
import { type ExampleRequest, prose, requestLines } from "./reference-lines.ts";
import { fieldHead, fieldList, resolved, type Schema, type Schemas, typeOf } from "./schema-fields.ts";

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

interface Answer {
  $ref?: string;
  description: string;
  content?: Record<string, Media>;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { description?: string; content: Record<string, Media> };
  responses: Record<string, Answer>;
  security?: Record<string, unknown>[];
  "x-required-scopes"?: string[];
}

/** What is read of the service's own OpenAPI document. */
export interface ApiDocument {
  info: { version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Operation }>;
  components: { schemas: Schemas; responses: Record<string, Answer> };
}

/** An operation with its place; `path` is the type of an event for what is sent to webhooks. */
export interface Entry {
  method: string;
  path: string;
  isEvent: boolean;
  operation: Operation;
}

export interface Chapter {
  name: string;
  slug: string;
  description: string;
  entries: Entry[];
}

/** The document in chapters, by its tags; those without an operation are left out. */
export function chaptersOf({ tags, paths, webhooks = {} }: ApiDocument): Chapter[] {
  const entries: Entry[] = [
    ...Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        isEvent: false,
        operation,
      })),
    ),
    ...Object.entries(webhooks).map(([type, { post }]) => ({
      method: "event",
      path: type,
      isEvent: true,
      operation: post,
    })),
  ];
  return tags
    .map(({ name, description }) => ({
      name,
      slug: name.toLowerCase().replaceAll(" ", "-"),
      description,
      entries: entries.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter(each => each.entries.length > 0);
}

/** Every operation in a line, by chapters. */
export function operationIndex(chapters: Chapter[]): Html[] {
  return chapters.map(
    ({ name, slug, entries }) => html`<h2 id="${slug}"><a href="/docs/${slug}">${name}</a></h2>
<ul class="operations">${entries.map(
      ({ method, path, operation }) =>
        html`<li><a href="/docs/${slug}#${operation.operationId}">${operation.summary}</a> <span class="route">${methodHtml(method)} <code>${path}</code></span></li>
`,
    )}</ul>
`,
  );
}

function methodHtml(method: string): Html {
  return html`<span class="method is-${method.toLowerCase()}">${method}</span>`;
}

/** What of the dashboard tries an operation. */
const trials: Record<string, string> = {
  scrape: "/dashboard/playground",
  startCrawl: "/dashboard/playground?what=crawl",
};

/** An operation with all that a program needs: parameters, body, lines, answers and errors. */
export function operationHtml(entry: Entry, document: ApiDocument, hasDashboard: boolean): Html {
  const { method, path, isEvent, operation } = entry;
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const { schemas } = document.components;
  const trial = hasDashboard && trials[operationId];
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return html`<section class="operation" aria-labelledby="${operationId}">
<h2 id="${operationId}">${summary} <a class="anchor" href="#${operationId}" aria-label="Link to “${summary}”">#</a></h2>
<p class="route">${methodHtml(method)} <code>${path}</code>${trial && html` <a class="try" href="${trial}">Try it in the playground</a>`}</p>
${description !== undefined && prose(description)}
${!isEvent && html`<p class="soft">${keyWords(operation)}</p>`}
${parameters.length > 0 && html`<h3>Parameters</h3><ul class="fields">${parameters.map(each => parameterHtml(each, schemas))}</ul>`}
${media && html`<h3>Body</h3><p class="soft"><code>${type}</code></p>${requestBody?.description !== undefined && prose(requestBody.description)}${bodyHtml(media, schemas)}`}
${
  isEvent
    ? media?.example !== undefined &&
      html`<h3>Example</h3>${codeHtml(JSON.stringify(media.example, null, 2), "json")}`
    : html`<h3>In a program</h3>${requestLines(exampleOf(entry, document)).map(
        ([language, lines], at) =>
          html`<details name="lines-${operationId}"${at === 0 && html` open`}><summary>${language}</summary>${codeHtml(lines, language)}</details>`,
      )}`
}
${!isEvent && answersHtml(operation, document)}
</section>
`;
}

/** Which key it takes, in a sentence. */
function keyWords({ security = [], "x-required-scopes": scopes }: Operation): Html | string {
  const takes = (name: string) => security.some(each => name in each);
  if (takes("apiKey")) {
    const or = takes("adminKey") ? " or the admin key" : "";
    if (!scopes) return `Takes an API key${or}.`;
    if (scopes.length === 0) return `Takes an API key without scopes${or}.`;
    return html`Takes an API key${or}; a key with scopes needs ${scopes.map((each, at) => html`${at > 0 && " or "}<code>${each}</code>`)}.`;
  }
  if (takes("adminKey")) return html`Takes the admin key in <code>x-admin-key</code>.`;
  return takes("session") ? "Takes the session of an owner who signed in." : "Takes no key.";
}

function parameterHtml(parameter: Parameter, schemas: Schemas): Html {
  const { name, required = false, schema, description } = parameter;
  const field = { ...resolved(schema, schemas), ...(description === undefined ? {} : { description }) };
  return html`<li>${fieldHead(name, field, required, schemas, `in the ${parameter.in}`)}</li>`;
}

function bodyHtml({ schema }: Media, schemas: Schemas): Html {
  return fieldList(schema, schemas) || html`<p>${typeOf(schema, schemas)}</p>`;
}

function codeHtml(text: string, language: string): Html {
  return html`<div class="code"><pre tabindex="0"><code>${colouredCode(text, language)}
</code></pre></div>
`;
}

/** A request that may be sent as it is, but for its key: the first example, and what the path needs. */
function exampleOf({ method, path, operation }: Entry, { servers }: ApiDocument): ExampleRequest {
  const { parameters = [], requestBody, security = [] } = operation;
  const server = servers[0]?.url ?? "/";
  const origin = server === "/" ? "http://localhost:3000" : server.replace(/\/$/, "");
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURI(exampleText(parameters.find(each => each.name === name)) ?? `<${name}>`),
  );
  const query = parameters
    .filter(
      each => each.in === "query" && (each.required || (each.example !== undefined && method === "GET")),
    )
    .map(each => `${each.name}=${encodeURIComponent(exampleText(each) ?? "")}`);
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const isJson = type === "application/json";
  const body = media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
  const takes = (name: string) => security.some(each => name in each);
  return {
    method,
    url: origin + filled + (query.length > 0 ? `?${query.join("&")}` : ""),
    ...(takes("apiKey") ? { key: ["x-api-key", "MAGPIE_API_KEY"] } : {}),
    ...(!takes("apiKey") && takes("adminKey") ? { key: ["x-admin-key", "MAGPIE_ADMIN_KEY"] } : {}),
    ...(isJson && body !== undefined ? { body } : {}),
    ...(type === undefined || isJson
      ? {}
      : {
          curlBody: type.startsWith("multipart/")
            ? "-F file=@document.pdf"
            : `-H 'content-type: ${type}' --data-binary @file`,
        }),
  };
}

function exampleText(parameter: Parameter | undefined): string | undefined {
  const value = parameter?.example ?? parameter?.schema.enum?.[0] ?? parameter?.schema.default;
  return value === undefined ? undefined : String(value);
}

function answersHtml({ responses }: Operation, { components }: ApiDocument): Html {
  const { schemas } = components;
  const all = Object.entries(responses).map(([status, answer]): [string, Answer] => {
    const name = answer.$ref?.slice(answer.$ref.lastIndexOf("/") + 1);
    return [status, (name === undefined ? undefined : components.responses[name]) ?? answer];
  });
  const [good, bad] = [all.filter(([status]) => status < "400"), all.filter(([status]) => status >= "400")];
  return html`<h3>Answer</h3>${good.map(([status, { description, content = {} }]) => {
    const [media] = Object.values(content);
    const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
    const fields = media && fieldList(media.schema, schemas);
    return html`<div class="answer"><p class="status">${status}</p>${prose(description)}</div>
${example !== undefined && (typeof example === "string" ? codeHtml(example, "") : codeHtml(JSON.stringify(example, null, 2), "json"))}
${fields && html`<details><summary>Fields of the answer</summary>${fields}</details>`}`;
  })}
${bad.length > 0 && html`<details><summary>Errors</summary><ul class="fields">${bad.map(([status, { description }]) => html`<li class="answer"><p class="status">${status}</p>${prose(description)}</li>`)}</ul></details>`}`;
}
