import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Site, startSite } from "../support/http-site.ts";
import { until } from "../support/until.ts";
import { page, root } from "./pages.ts";
import { type Service, startService } from "./service.ts";
import { startExampleSite } from "./site.ts";

interface Node {
  name: string;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: parameters differ by the type of the node
  parameters: any;
}

interface Workflow {
  nodes: Node[];
  connections: Record<string, { main: { node: string }[][] }>;
}

interface Delivery {
  headers: Record<string, unknown>;
  body: Buffer;
}

interface Verified {
  genuine: boolean;
  events: { id: string; type: string }[];
}

const files = ["receive-events.json", "scrape-a-page.json"];
const workflow = (file: string): Workflow =>
  JSON.parse(readFileSync(join(root, "examples/n8n", file), "utf8"));

let service: Service;
let site: Site;
let receiver: Site;
let deliveries: Delivery[] = [];

beforeAll(async () => {
  [service, site, receiver] = await Promise.all([
    startService(),
    startExampleSite(),
    startSite(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      deliveries.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(204).end();
    }),
  ]);
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([site?.close(), receiver?.close()]);
});
beforeEach(() => {
  deliveries = [];
});

test.each(files)("%s connects nodes that are there, and leaves none out", file => {
  const { nodes, connections } = workflow(file);
  const names = nodes.map(({ name }) => name);
  const targets = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node));
  expect([...Object.keys(connections), ...targets].filter(name => !names.includes(name))).toEqual([]);
  expect(names.filter(name => !targets.includes(name))).toEqual([names[0]]);
});

describe("receive-events.json", () => {
  const nodes = new Map(workflow("receive-events.json").nodes.map(node => [node.name, node]));
  const parametersOf = (name: string) => nodes.get(name)?.parameters;

  test("takes what Magpie signs, alone and in batches, and refuses everything else", async () => {
    const url = `${receiver.url}/magpie`;
    const { secret, id } = (await ask("POST", "/webhooks", { url })).data;
    await ask("POST", `/webhooks/${id}/test`);
    const alone = await delivered(1);
    expect(await verify(secret, alone)).toEqual({ genuine: true, events: [ofType("webhook.test")] });
    await ask("PATCH", `/webhooks/${id}`, { batch: { max_events: 10, max_wait_ms: 0 } });
    await ask("POST", `/webhooks/${id}/test`);
    const batch = await delivered(2);
    expect(JSON.parse(String(batch.body)).type).toBe("batch");
    expect(await verify(secret, batch)).toEqual({ genuine: true, events: [ofType("webhook.test")] });

    const refused = { genuine: false, events: [] };
    const changed = Buffer.from(String(alone.body).replace("webhook.test", "webhook.tesT"));
    expect(await verify(secret, { ...alone, body: changed })).toEqual(refused);
    const other = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
    expect(await verify(other, alone)).toEqual(refused);
    const old = { ...alone.headers, "webhook-timestamp": String(Math.floor(Date.now() / 1000) - 301) };
    expect(await verify(secret, { ...alone, headers: old })).toEqual(refused);
    expect(await verify(secret, { ...alone, headers: {} })).toEqual(refused);
  });

  test("asks n8n for the body as it arrived, and answers by the node that it names", () => {
    expect(parametersOf("Magpie")).toMatchObject({
      httpMethod: "POST",
      responseMode: "responseNode",
      options: { rawBody: true },
    });
    const [genuine, forged] = targetsOf("receive-events.json", "Is it genuine?");
    const codes = [genuine, forged].map(name => parametersOf(name ?? "")?.options.responseCode);
    expect(codes).toEqual([204, 401]);
    expect(page("examples/n8n/README.md")).toContain(`/webhook/${parametersOf("Magpie").path}"`);
  });

  test("routes types that exist, and names fields that their events have", async () => {
    const { data: types } = await ask("GET", "/event-types");
    const targets = targetsOf("receive-events.json", "By type");
    const rules = parametersOf("By type").rules.values;
    expect(targets.length).toBe(rules.length + 1);
    // biome-ignore lint/suspicious/noExplicitAny: a rule of a Switch node
    for (const [at, rule] of rules.entries() as Iterable<[number, any]>) {
      const [{ rightValue: type }] = rule.conditions.conditions;
      const known = types.find((each: { type: string }) => each.type === type);
      expect(known).toBeDefined();
      for (const value of assigned(parametersOf(targets[at] ?? ""), known.example))
        expect(value).not.toBe("");
    }
    const [type, event] = assigned(parametersOf(targets.at(-1) ?? ""), types[0].example);
    expect([type, JSON.parse(event ?? "")]).toEqual([types[0].type, types[0].example.data]);
    expect(evaluate(parametersOf("Only once").dedupeValue, types[0].example)).toBe(types[0].example.id);
  });

  async function verify(secret: string, { headers, body }: Delivery): Promise<Verified> {
    const code = parametersOf("Verify").jsCode.replace("whsec_REPLACE_ME", secret);
    // As the Code node runs it.
    const run = new Function("$input", "require", `return (async () => {${code}}).call(this);`);
    const helpers = { getBinaryDataBuffer: async () => body };
    const input = { first: () => ({ json: { headers } }) };
    const [item] = await run.call({ helpers }, input, createRequire(import.meta.url));
    return item.json;
  }
});

test("scrape-a-page.json asks an operation that there is, and its fields are in the answer", async () => {
  const nodes = workflow("scrape-a-page.json").nodes;
  const { parameters } = nodes.find(({ name }) => name === "Scrape") as Node;
  const document = await ask("GET", "/openapi.json");
  const operation = document.paths[new URL(parameters.url).pathname]?.[parameters.method.toLowerCase()];
  expect(operation).toBeDefined();
  const headers = Object.values(document.components.securitySchemes).map(scheme => (scheme as Node).name);
  expect(headers).toContain("x-api-key");
  expect(page("examples/n8n/README.md")).toContain("`x-api-key`");
  const body = { ...JSON.parse(parameters.jsonBody), url: `${site.url}/` };
  const answer = await ask(parameters.method, new URL(parameters.url).pathname, body);
  const { parameters: fields } = nodes.find(({ name }) => name === "Page") as Node;
  const [title, markdown, links] = assigned(fields, answer);
  expect({ title, markdown, links }).toEqual({
    title: "Example Domain",
    markdown: expect.stringContaining("# Example Domain"),
    links: expect.stringContaining("iana.org"),
  });
});

const ofType = (type: string) => expect.objectContaining({ id: expect.stringMatching(/^evt_/), type });

async function delivered(count: number): Promise<Delivery> {
  await until(`${count} deliveries have come`, () => deliveries.length >= count);
  return deliveries[count - 1] as Delivery;
}

/** The first node behind each output. */
function targetsOf(file: string, name: string): (string | undefined)[] {
  return workflow(file).connections[name]?.main.map(([target]) => target?.node) ?? [];
}

/** What an Edit Fields node makes of an item. */
function assigned(
  { assignments }: { assignments: { assignments: { value: string }[] } },
  json: object,
): string[] {
  return assignments.assignments.map(({ value }) => evaluate(value, json));
}

/** `={{ … }}` of n8n, which fails where a field is not there. */
function evaluate(expression: string, json: object): string {
  const [, source] = /^=\{\{(.*)\}\}$/.exec(expression) ?? [];
  const value = new Function("$json", `return ${source};`)(json);
  if (typeof value !== "string") throw new Error(`${expression} is ${value}`);
  return value;
}

// biome-ignore lint/suspicious/noExplicitAny: answers differ by the operation
async function ask(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(service.url + path, {
    method,
    headers: { "x-api-key": service.apiKey, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}
