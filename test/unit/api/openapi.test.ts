import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Validators } from "moleculer";
import { toConfig } from "../../../mixins/config/config.ts";
import { NamedParts, typeName } from "../../../services/api/openapi/components.ts";
import { openApiDocument } from "../../../services/api/openapi/document.ts";
import { eventSchema } from "../../../services/api/openapi/events.ts";
import { eventExamples, postExample } from "../../../services/api/openapi/examples.ts";
import { sandboxDocs } from "../../../services/api/openapi/introduction.ts";
import {
  answerSchema,
  fieldsOf,
  ruleSchema,
  toJsonSchema,
} from "../../../services/api/openapi/json-schema.ts";
import { responseSchema } from "../../../services/api/openapi/responses.ts";
import { routes } from "../../../services/api/routes/routes.ts";
import type { ParamsSchema } from "../../../services/contracts/action.ts";
import { eventTypes } from "../../../services/contracts/events.ts";
import * as keys from "../../../services/contracts/keys.contract.ts";
import { named, object, orNull, type Rule, text, time } from "../../../services/contracts/schema.ts";
import * as scraper from "../../../services/contracts/scraper.contract.ts";

test.each<[Rule, object]>([
  [
    { type: "string", min: 1, max: 5 },
    { type: "string", minLength: 1, maxLength: 5 },
  ],
  [
    { type: "string", length: 10 },
    { type: "string", minLength: 10, maxLength: 10 },
  ],
  [
    { type: "string", pattern: /^a$/ },
    { type: "string", pattern: "^a$" },
  ],
  [
    { type: "number", integer: true, min: 1 },
    { type: "integer", minimum: 1 },
  ],
  [
    { type: "boolean", default: true },
    { type: "boolean", default: true },
  ],
  [
    { type: "enum", values: ["a"] },
    { type: "string", enum: ["a"] },
  ],
  [
    { type: "array", items: { type: "string" }, unique: true, max: 2 },
    { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 2 },
  ],
  [{ type: "object" }, { type: "object", additionalProperties: true }],
  [
    { type: "record", value: { type: "number" } },
    { type: "object", additionalProperties: { type: "number" } },
  ],
  [
    { type: "multi", rules: [{ type: "string" }, { type: "number" }] },
    { anyOf: [{ type: "string" }, { type: "number" }] },
  ],
  [{ type: "string", nullable: true }, { type: ["string", "null"] }],
  [{ type: "any" }, {}],
])("%j becomes %j", (rule, schema) => {
  expect(ruleSchema(rule)).toEqual(schema);
});

test.each<[Rule, object]>([
  [
    object({ id: text, note: { type: "string", optional: true } }),
    {
      type: "object",
      required: ["id"],
      properties: { id: { type: "string" }, note: { type: "string" } },
    },
  ],
  [{ type: "object" }, { type: "object", additionalProperties: true }],
  [
    { type: "enum", values: ["a"], nullable: true },
    { type: ["string", "null"], enum: ["a", null] },
  ],
  [
    { type: "equal", value: "v1" },
    { type: "string", const: "v1" },
  ],
  [
    { type: "equal", value: "v1", nullable: true },
    { anyOf: [{ type: "string", const: "v1" }, { type: "null" }] },
  ],
  [
    { ...time, nullable: true },
    { type: ["string", "null"], format: "date-time" },
  ],
  [
    orNull(object({ id: text })),
    {
      anyOf: [{ type: "object", required: ["id"], properties: { id: { type: "string" } } }, { type: "null" }],
    },
  ],
])("the answer %j is documented as %j", (rule, schema) => {
  expect(answerSchema(rule)).toEqual(schema);
});

const samples = [
  {},
  { unknown: 1 },
  { key: "k" },
  { key: "" },
  { key: "x".repeat(600) },
  { id: "1" },
  { id: 1 },
  { id: "1", days: 3 },
  { id: "1", days: 0 },
  { id: "1", days: 367 },
  { id: "1", name: "n", limits: { requestsPerMinute: 1 } },
  { id: "1", limits: { requestsPerMinute: 1.5 } },
  { id: "1", limits: { more: 1 } },
  { owner: "o", name: "n" },
  { owner: "o", name: "n".repeat(101) },
  { apiKeyId: null },
  { apiKeyId: "1" },
  { counts: [] },
  { counts: [{ keyId: "1", day: "2025-01-01", requests: 1 }] },
  { counts: [{ keyId: "1", day: "2025-01-01", requests: 0 }] },
  { url: "https://example.com" },
  { url: "" },
  { url: "https://example.com", timeout: 999 },
  { url: "https://example.com", timeout: 600_000 },
  { url: "https://example.com", mode: "later" },
  { url: "https://example.com", output: { formats: [] } },
  { url: "https://example.com", output: { formats: ["html", "html"] } },
  { url: "https://example.com", output: { formats: ["pdf"] } },
  { url: "https://example.com", output: { formats: ["json"], json: { prompt: "p" } } },
  { url: "https://example.com", output: { more: 1 } },
  { url: "https://example.com", request: { cookies: { a: "b" } } },
  { url: "https://example.com", request: { cookies: [{ name: "a", value: "b" }] } },
  { url: "https://example.com", request: { cookies: [{ name: "a" }] } },
  { url: "https://example.com", request: { cookies: "a=b" } },
  { url: "https://example.com", request: { headers: { a: "b" } } },
  { url: "https://example.com", request: { headers: { a: 1 } } },
  { url: "https://example.com", request: { locale: "de-AT" } },
  { url: "https://example.com", request: { locale: "!" } },
  { url: "https://example.com", js_render: { viewport: { width: 100, height: 100 } } },
  { url: "https://example.com", js_render: { viewport: { width: 100 } } },
  { url: "https://example.com", proxy: { location: "USA" } },
  { url: "https://example.com", webhook: { url: "https://example.com/hook", events: ["completed"] } },
  { url: "https://example.com", webhook: { events: ["completed"] } },
  { url: null },
  { url: "https://example.com", mode: null, timeout: null, output: null, webhook: null },
  { url: "https://example.com", request: { locale: null, cookies: null, headers: null } },
  { url: "https://example.com", js_render: { viewport: { width: 100, height: null } } },
  { id: "1", name: null, limits: { requestsPerMinute: null } },
];

/** The documented schema and the validating one must judge alike, or the document lies. */
describe.each(Object.entries({ ...keys, ...scraper }).filter(([, value]) => "params" in Object(value)))(
  "%s",
  (_name, contract) => {
    const { params } = contract as { params: ParamsSchema };
    const check = new Validators.Fastest().compile(params);
    const documented = new Ajv2020({ strict: false }).compile(toJsonSchema(params));

    test.each(samples)("judges %j alike", sample => {
      expect(documented(structuredClone(sample))).toBe(check(structuredClone(sample)) === true);
    });
  },
);

const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);

function errorsOf(schema: object, value: unknown): unknown {
  return ajv.validate(schema, value) ? [] : ajv.errors;
}

const answers = routes.flatMap(route =>
  Object.entries(route.responses).flatMap(([status, response]) => {
    const { example } = response;
    const schema = responseSchema(route, response);
    const name = `${status} ${route.method} ${route.path}`;
    return schema && example !== undefined ? [{ name, schema, example }] : [];
  }),
);

test("every answer in JSON has an example", () => {
  const without = routes.flatMap(route => {
    const all = Object.values(route.responses).filter(response => responseSchema(route, response));
    return route.hidden || all.every(({ example }) => example !== undefined) ? [] : [route.name];
  });
  expect(answers.length).toBeGreaterThan(60);
  expect(without).toEqual([]);
});

test.each(answers)("the answer $name is what its schema says", ({ schema, example }) => {
  expect(errorsOf(schema, example)).toEqual([]);
});

test.each(eventTypes)("the event %s is what its schema says", type => {
  expect(errorsOf(eventSchema(type), eventExamples[type])).toEqual([]);
});

const requests = routes.flatMap(({ method, path, action: { params }, examples = {} }) =>
  Object.entries(examples).map(([name, body]) => ({
    name: `${method} ${path}: ${name}`,
    inPath: method === "GET" ? [] : [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    params,
    body,
  })),
);

test.each(requests)("the request $name is taken", ({ inPath, params, body }) => {
  const rules = Object.entries(params).filter(([name]) => !inPath.includes(name));
  const check = new Validators.Fastest().compile(Object.fromEntries(rules) as never);
  expect(check(structuredClone(body))).toBe(true);
});

const fields = routes.flatMap(({ method, path, hidden, action: { params } }) =>
  fieldsOf(hidden ? {} : params).map(([field, rule]) => ({ name: `${field} of ${method} ${path}`, rule })),
);

test.each(fields)("$name is described", ({ rule }) => {
  expect(ruleSchema(rule).description).toMatch(/\.$/);
});

describe("a filter of a list has the same names everywhere", () => {
  const namesOf = [
    ["type", "types", "event_types"],
    ["source", "sources"],
    ["tag", "tags"],
  ];
  /** Firecrawl's API has the names of Firecrawl. */
  const isOwn = (path: string) => !/^\/v[12]\//.test(path);
  const document = openApiDocument(routes, toConfig({}).social) as unknown as {
    paths: Record<string, { get?: { parameters?: { name: string; in: string }[] } }>;
  };
  const lists = Object.entries(document.paths).flatMap(([path, { get }]) => {
    const inQuery = get?.parameters?.filter(each => each.in === "query").map(({ name }) => name) ?? [];
    const families = namesOf.filter(names => names.some(name => inQuery.includes(name)));
    return isOwn(path) ? families.map(names => ({ path, names, inQuery })) : [];
  });

  test("which some lists have", () => {
    expect(lists.length).toBeGreaterThan(6);
  });

  test.each(lists)("$path: $names", ({ names, inQuery }) => {
    expect(inQuery).toEqual(expect.arrayContaining(names));
  });
});

/** Lists that are not read by `cursor` and `limit` with the answer's `data` and `next_cursor`, with the reason. */
const otherLists: Record<string, string> = {
  "/tracked-users": "The interface fixes `tracked_users`; GET /track?source=microblog has pages.",
  "/microblog/post": "A post, with its pictures.",
  "/messenger/search": "The interface fixes `messages`: a network's own search.",
  "/messenger/channel/{channelId}/search": "The interface fixes `messages`: a network's own search.",
  "/users/me/usage": "Figures of the days that are asked for.",
  "/internal/keys/{id}/usage": "Figures of the days that are asked for.",
  "/owner/keys/{id}/usage": "Figures of the days that are asked for.",
  "/sources/{id}/tree": "A tree, not a list.",
  "/sources/{id}/values": "A series of points for a chart, between two times.",
  "/health/ready": "Names of what is missing.",
  "/.well-known/webhooks/keys/{id}": "One key; two for a day.",
  "/guide": "Sections of the guide that answer a question.",
};

describe("a list is read by `cursor` and `limit`, and answers with `data` and `next_cursor`", () => {
  interface Part {
    $ref?: string;
    type?: string | string[];
    properties?: Record<string, Part>;
  }
  interface Get {
    parameters?: { name: string }[];
    responses: Record<string, { content?: Record<string, { schema: Part }> }>;
  }
  const { paths, components } = openApiDocument(routes, toConfig({}).social) as unknown as {
    paths: Record<string, { get?: Get }>;
    components: { schemas: Record<string, Part> };
  };
  const resolved = (part: Part): Part =>
    part.$ref ? resolved(components.schemas[part.$ref.split("/").at(-1) ?? ""] ?? {}) : part;
  const lists = Object.entries(paths).flatMap(([path, { get }]) => {
    const answer = resolved(get?.responses["200"]?.content?.["application/json"]?.schema ?? {});
    const fields = Object.entries(answer.properties ?? {}).map(([name, of]) => ({ name, of: resolved(of) }));
    const isList = answer.type === "array" || fields.some(({ of }) => of.type === "array");
    // Firecrawl's API has the forms of Firecrawl.
    if (!isList || /^\/v[12]\//.test(path)) return [];
    const asked = (get?.parameters ?? [])
      .map(({ name }) => name)
      .filter(name => /^(cursor|limit)$/.test(name));
    const told = fields.map(({ name }) => name).filter(name => /^(data|next_cursor)$/.test(name));
    return [{ path, names: [...asked.sort(), ...told.sort()] }];
  });
  const form = ["cursor", "limit", "data", "next_cursor"];

  test.each(lists.filter(({ path }) => !(path in otherLists)))("$path", ({ names }) => {
    expect(names).toEqual(form);
  });

  test("an exception is a list, and has another form", () => {
    const others = lists.filter(({ names }) => names.join() !== form.join()).map(({ path }) => path);
    expect(others.sort()).toEqual(Object.keys(otherLists).sort());
  });
});

const asBefore = "Asked for again, it is what it was.";
const works = "It asks for work on what is there; what comes of it has an identity of its own.";
const onlyAnswers = "It makes its answer and nothing else.";

/** The POSTs that take no `Idempotency-Key`, with the reason. */
const withoutKey: Record<string, string> = {
  track: asBefore,
  trackMany: asBefore,
  trackUser: asBefore,
  trackChat: asBefore,
  importSources: asBefore,
  setWebhook: "A key has one; a second request overwrites it with the same.",
  backfillPosts: "A post has an id, and is told once.",
  dispatchPosts: "A post has an id, and is told once.",
  startErasure: "A second one finds nothing that is left.",
  runMonitor: "A check that is under way is not begun again.",
  retryDelivery: works,
  retryEndpointDelivery: works,
  testWebhook: works,
  testEndpoint: works,
  testTransform: onlyAnswers,
  replayDeliveries: works,
  replayEndpoint: works,
  reactivateLane: works,
  replayLane: works,
  pollSource: works,
  pollAnySource: works,
  parse: onlyAnswers,
  mapSite: onlyAnswers,
  previewSource: onlyAnswers,
  rehearse: onlyAnswers,
  signIn: "Each session is one of its own, and ends by itself.",
  setPassword: "A password is set once by a link; a second request is refused.",
  createOwnerLink: "Only a hash of the link is kept: a second request makes a new one, and the former ends.",
  postInSandbox: "Two equal posts are two posts, as on a network.",
};

test("a POST that makes something of its own takes an Idempotency-Key", () => {
  const { paths } = openApiDocument(routes, toConfig({}).social) as unknown as {
    paths: Record<string, { post?: { operationId: string; parameters?: { name: string }[] } }>;
  };
  const posts = Object.values(paths).flatMap(({ post }) => post ?? []);
  const takes = ({ parameters = [] }: (typeof posts)[number]) =>
    parameters.some(({ name }) => name === "Idempotency-Key");
  const namesOf = (some: typeof posts) => some.map(({ operationId }) => operationId).sort();
  expect(namesOf(posts.filter(post => !takes(post)))).toEqual(Object.keys(withoutKey).sort());
  expect(namesOf(posts.filter(takes))).toEqual([
    ...["createApiKey", "createEndpoint", "createFeed", "createMonitor", "createOwnKey"],
    ...["scrape", "startBatch", "startCrawl"],
  ]);
});

test("every row has a name of its own, which clients can call", () => {
  const names = routes.map(({ name }) => name);
  expect(names.filter(name => !/^[a-z]+([A-Z][a-z0-9]+)*$/.test(name))).toEqual([]);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

interface Document {
  paths: Record<string, Record<string, { requestBody: { content: Record<string, { schema: object }> } }>>;
  components: { schemas: Record<string, object> };
}

type Json = Record<string, unknown>;

const document = openApiDocument(routes, toConfig({}).social) as unknown as Document;
const url = "https://example.com";
const hook = { url: "https://example.com/hook" };

test("an event has one schema for each type, which `type` chooses", () => {
  const { Event: event } = document.components.schemas as Record<string, Json>;
  const references = eventTypes.map(type => `#/components/schemas/${typeName(type)}Event`);
  expect(event).toEqual({
    oneOf: references.map($ref => ({ $ref })),
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(eventTypes.map((type, at) => [type, references[at]])),
    },
  });
});

describe("schemas with a name", () => {
  const bird = named("Bird", { wings: { type: "number" } });

  test("are written once, and referred to with what is said of them in each place", () => {
    const names = new NamedParts("schemas");
    const $ref = "#/components/schemas/Bird";
    expect(answerSchema(object({ a: bird, b: { ...bird, nullable: true } }), names).properties).toEqual({
      a: { $ref },
      b: { anyOf: [{ $ref }, { type: "null" }] },
    });
    expect(answerSchema({ ...bird, description: "The second." }, names)).toEqual({
      $ref,
      description: "The second.",
    });
    expect(names.all()).toEqual({ Bird: answerSchema(bird) });
  });

  test("cannot share one name", () => {
    const names = new NamedParts("schemas");
    answerSchema(bird, names);
    expect(() => answerSchema(named("Bird", { beak: text }), names)).toThrow("have the name Bird");
  });
});

/** What the services refuse although each field alone is right; the document says it, too. */
test.each<[string, string, unknown, boolean]>([
  ["delete", "/track/{source}", {}, false],
  ["delete", "/track/{source}", { eid: "1" }, true],
  ["delete", "/track/{source}", { eid: null, iid: "1" }, true],
  ["delete", "/track/{source}", { eid: "1", iid: "1" }, false],
  ["post", "/internal/dispatch", {}, false],
  ["post", "/internal/dispatch", { posts: [] }, false],
  ["post", "/internal/dispatch", { posts: [{}] }, false],
  ["post", "/internal/dispatch", { posts: [postExample] }, true],
  ["post", "/internal/dispatch", { post: postExample, posts: null }, true],
  ["post", "/internal/dispatch", { post: postExample, posts: [postExample] }, true],
  ["post", "/web/scrape", { url }, true],
  ["post", "/web/scrape", { url, webhook: hook }, false],
  ["post", "/web/scrape", { url, webhook: hook, mode: "sync" }, false],
  ["post", "/web/scrape", { url, webhook: null }, true],
  ["post", "/web/scrape", { url, webhook: hook, mode: "async" }, true],
  ["post", "/web/scrape", { url, output: { formats: ["json"] } }, false],
  ["post", "/web/scrape", { url, output: { formats: ["json"], json: null } }, false],
  ["post", "/web/scrape", { url, output: { formats: ["json"], json: {} } }, false],
  ["post", "/web/scrape", { url, output: { formats: ["json"], json: { prompt: "p" } } }, true],
  ["post", "/web/crawl", { url, output: { formats: ["markdown", "json"] } }, false],
  ["post", "/web/crawl", { url, webhook: hook }, true],
])("%s %s with %j: %s", (method, path, body, isValid) => {
  const { requestBody } = document.paths[path]?.[method] ?? {};
  const schema = requestBody?.content["application/json"]?.schema ?? false;
  expect(new Ajv2020({ strict: false }).validate({ ...document, ...schema }, body)).toBe(isValid);
});

describe("what the document says of simulated platforms", () => {
  const [simulated, real] = [{ driver: "sandbox" }, { driver: "mastodon" }];

  test("nothing where none is", () => {
    expect(sandboxDocs({ microblog: real, chatserver: real, messenger: real })).toEqual({
      prose: "",
      inventory: {},
    });
  });

  test("those that are, and no others", () => {
    const { prose, inventory } = sandboxDocs({
      microblog: real,
      chatserver: simulated,
      messenger: simulated,
    });
    expect(Object.keys(inventory)).toEqual(["chatserver", "messenger"]);
    expect(prose).toContain("the chat servers, the messenger.");
    expect(prose).not.toContain("the microblog");
  });
});
