import { routes } from "../../services/api/routes/routes.ts";
import { keyScopes } from "../../services/contracts/key-scopes.ts";
import { type Magpie, type Reply, startMagpie } from "../support/magpie.ts";

type Operation = { operationId: string; "x-required-scopes"?: string[]; responses: Record<string, unknown> };
type Key = { id: string; name: string; key: string; scopes: string[] | null };
type Case = { method: string; path: string; scopes?: readonly string[] | undefined };

let magpie: Magpie;
let keys: Key[];
let documented: (Case & Operation)[];

beforeAll(async () => {
  // The services behind the gateway are away: a request that is admitted reaches none, and changes nothing.
  magpie = await startMagpie({ keysPerOwner: 100 });
  const wanted = keyScopes.flatMap(one => [[one], keyScopes.filter(other => other !== one)]);
  keys = await Promise.all([...wanted, null].map(keyWith));
  const { paths } = (await magpie.request("GET", "/openapi.json")).json<{ paths: Record<string, object> }>();
  documented = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      scopes: operation["x-required-scopes"],
    })),
  );
});
afterAll(() => magpie.stop());

async function keyWith(scopes: string[] | null): Promise<Key> {
  const limits = { requestsPerMinute: 1_000_000 };
  const body = { owner: "ann", name: scopes?.join(" ") ?? "all", scopes, limits };
  const { data } = (await magpie.request("POST", "/internal/keys", { admin: true, body })).json<{
    data: Key;
  }>();
  return data;
}

/** Asks with a body that no operation reads without an error: a refusal for the scope has to come before it is read. */
async function ask(
  { method, path }: Case,
  { key }: Key,
): Promise<Pick<Reply, "status" | "headers" | "text">> {
  const url = magpie.url + path.replace("{source}", "rss").replace(/\{\w+\}/g, "x");
  const gone = new AbortController();
  const response = await fetch(url, {
    method,
    headers: {
      "x-api-key": key,
      accept: "text/event-stream, application/json",
      "content-type": "application/json",
    },
    ...(method === "GET" ? {} : { body: "{" }),
    signal: gone.signal,
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const text = isStream ? "" : await response.text();
  if (isStream) gone.abort();
  return { status: response.status, headers: response.headers, text };
}

/** What is wrong with the answers that the keys get from an operation. */
async function faultsOf(each: Case): Promise<string[]> {
  const faults = await Promise.all(
    keys.map(async key => {
      const { status, headers, text } = await ask(each, key);
      const challenge = headers.get("www-authenticate") ?? "";
      const isRefused = status === 403 && challenge.includes('error="insufficient_scope"');
      const wanted = each.scopes ?? keyScopes;
      const isFit = key.scopes === null || wanted.some(scope => key.scopes?.includes(scope));
      const names = wanted.every(scope => text.includes(`\`${scope}\``) && challenge.includes(scope));
      const isRight = isFit ? !isRefused && !text.includes("insufficient_scope") : isRefused && names;
      return isRight ? [] : [`${each.method} ${each.path} with ${key.name}: ${status} ${text.slice(0, 200)}`];
    }),
  );
  return faults.flat();
}

test("every operation of the document refuses exactly the keys without its scopes, before it reads the body", async () => {
  expect(documented.length).toBeGreaterThan(100);
  const faults: string[] = [];
  for (const each of documented.filter(({ scopes }) => scopes)) faults.push(...(await faultsOf(each)));
  expect(faults).toEqual([]);
});

test("so does every address of other programs' clients", async () => {
  const hidden = routes.flatMap(({ hidden, method, path, scopes }) =>
    hidden && scopes && path !== "/mcp" ? [{ method, path, scopes }] : [],
  );
  expect(hidden.length).toBeGreaterThan(50);
  const faults: string[] = [];
  for (const each of hidden) faults.push(...(await faultsOf(each)));
  expect(faults).toEqual([]);
});

test("every operation that takes an API key says its scopes and both refusals", () => {
  const taking = documented.filter(
    ({ path }) => !/^\/(internal|owner|session|health|metrics|docs|dashboard|guide)/.test(path),
  );
  const secured = taking.filter(each => JSON.stringify(each).includes('"security":[{"apiKey":[]}'));
  expect(secured.length).toBeGreaterThan(70);
  for (const { operationId, scopes, responses } of secured)
    expect([operationId, Array.isArray(scopes), JSON.stringify(responses)]).toEqual([
      operationId,
      true,
      expect.stringMatching(/key_?expired.*insufficient_?scope/is),
    ]);
});

/*
 * What the scopes mean, apart from the rows. An address below none of these fails, so that a new one is thought of here.
 */
const makers: [RegExp, string][] = [
  [/^\/web\/(crawl|batch|map)/, "crawl"],
  [/^\/web\/(scrape|parse)/, "scrape"],
  [/^\/(track|tracked|monitors|sources|feeds|search|microblog|messenger)/, "track"],
  [/^\/webhooks?(\/|$)/, "webhooks"],
  [/^\/(stream|events)/, "events"],
];
const special: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    ["listSiteSessions", "getSiteSession"].map(name => [name, ["read", "scrape", "crawl", "track"]]),
  ),
  eraseSiteSession: ["scrape", "crawl", "track"],
  getScreenshot: ["read", "scrape", "crawl", "track"],
  listEventTypes: keyScopes,
  me: keyScopes,
  getUsage: ["read"],
  listApiKeys: [],
  setMessengerDefaultKey: [],
  getMicroblogPost: ["track"],
  aboutMicroblogUser: ["track"],
  searchMessages: ["track"],
  searchChannel: ["track"],
};

test("an operation needs the scope of what it makes, and one that reads that or `read`", () => {
  for (const { operationId, method, path, scopes } of documented.filter(each => each.scopes)) {
    const maker = makers.find(([at]) => at.test(path))?.[1];
    const ofMaker = method !== "GET" ? [maker] : maker === "events" ? ["read"] : ["read", maker];
    expect([operationId, [...(scopes ?? [])].sort()]).toEqual([
      operationId,
      [...(special[operationId] ?? ofMaker)].sort(),
    ]);
  }
});

test.each<[object, string]>([
  [{ scopes: ["webhook"] }, "must be one of: scrape, crawl, track, webhooks, read (did you mean webhooks?)"],
  [{ scopes: ["sing"] }, "must be one of: scrape, crawl, track, webhooks, read."],
  [{ scopes: [] }, "`scopes` must have at least 1 items."],
  [{ scopes: ["read", "read"] }, "must not name anything twice"],
  [{ expires_at: "2020-01-01T00:00:00Z" }, "`expires_at` must be in the future"],
  [{ expires_at: "tomorrow" }, "`expires_at` must be an RFC 3339 time"],
  [{ expires_at: "2030-13-01T00:00:00Z" }, "`expires_at` must be an RFC 3339 time"],
])("%j is refused by a sentence that names the field", async (bounds, message) => {
  const body = { owner: "ann", name: "n", ...bounds };
  const made = await magpie.request("POST", "/internal/keys", { admin: true, body });
  const changed = await magpie.request("PATCH", `/internal/keys/${keys[0]?.id}`, {
    admin: true,
    body: bounds,
  });
  for (const reply of [made, changed])
    expect([reply.status, reply.json().message]).toEqual([400, expect.stringContaining(message)]);
});
