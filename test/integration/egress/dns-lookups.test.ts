import { readFile } from "node:fs/promises";
import { ProxyAgent, request } from "undici";
import { DnsLookups } from "../../../mixins/egress/dns-lookups.ts";
import type { Answer } from "../../../mixins/egress/dns-resolver.ts";
import { createEgress, type Egress, isRefusal } from "../../../mixins/egress/egress.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { type NameServer, startNameServer, type Zone } from "../../support/name-server.ts";
import { until } from "../../support/until.ts";

const local = { addresses: ["127.0.0.1"] };
const unlimited = { maxBytes: Number.MAX_SAFE_INTEGER };
const alternating = (_: unknown, turn: number) => ({
  addresses: [turn % 2 === 1 ? "127.0.0.1" : "10.0.0.1"],
});
/** Lookups that one key has under way. */
const perKey = 32;
const hanging = Array.from({ length: 200 }, (_, index) => `hang-${index}.example`);

let site: Site;
let server: NameServer;
let egress: Egress;

beforeAll(async () => {
  site = await startSite({ "/": "home" });
});
afterAll(() => site.close());

beforeEach(async () => {
  const zone: Zone = {
    "a.example": local,
    "kept.example": { ...local, ttl: 3600 },
    "rebind.example": alternating,
    "inner.example": { addresses: ["10.1.2.3"] },
    "mixed.example": { addresses: ["127.0.0.1", "fd00::1"] },
    "broken.example": "servfail",
    ...Object.fromEntries(hanging.map(name => [name, "silent"])),
  };
  server = await startNameServer(zone);
  egress = createEgress({ allow: ["127.0.0.1/32"], names: { servers: [server.address] } });
});
afterEach(async () => {
  await egress.close();
  await server.close();
});

/** Over a connection of its own. */
async function get(host: string, agent = egress.agent({ tenant: "one" })): Promise<string> {
  const url = `http://${host}:${site.port}/`;
  const { body } = await request(url, { dispatcher: agent, headers: { connection: "close" } });
  return await body.text();
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test("many callers at once ask once for a name", async () => {
  const callers = Array.from({ length: 40 }, (_, index) =>
    get("a.example", egress.agent({ tenant: `${index % 3}` })),
  );
  expect(new Set(await Promise.all(callers))).toEqual(new Set(["home"]));
  expect([server.asked("a.example"), server.asked("a.example", "AAAA")]).toEqual([1, 1]);
});

test("two egresses of a process ask once", async () => {
  const other = createEgress({ allow: ["127.0.0.1/32"], names: { servers: [server.address] } });
  await Promise.all([get("a.example"), get("a.example", other.agent())]);
  expect(server.asked("a.example")).toBe(1);
  await other.close();
  expect(await get("a.example")).toBe("home");
});

test("a caller that leaves takes the answer from nobody", async () => {
  server.drop(2);
  const leaver = new AbortController();
  const left = request(`http://a.example:${site.port}/`, {
    dispatcher: egress.agent(),
    signal: leaver.signal,
  });
  const stayed = get("a.example");
  await until("the question is there", () => server.asked("a.example") > 0);
  leaver.abort();
  await failureOf(left);
  expect(await stayed).toBe("home");
});

test("a job keeps to the answer that was vetted; the next one is vetted anew", async () => {
  const agent = egress.agent({ tenant: "one" });
  expect([await get("rebind.example", agent), await get("rebind.example", agent)]).toEqual(["home", "home"]);
  expect(server.asked("rebind.example")).toBe(1);
  expect(isRefusal(await failureOf(get("rebind.example")))).toBe(true);
});

test.each(["broken.example", "none.example", "inner.example", "mixed.example"])(
  "a job that failed at %s fails again without asking",
  async name => {
    const agent = egress.agent({ tenant: "one" });
    const first = await failureOf(get(name, agent));
    const { length } = server.questions;
    expect(length).toBeGreaterThan(0);
    const again = await failureOf(get(name, agent));
    expect([first, again].every(error => error instanceof Error)).toBe(true);
    expect(server.questions).toHaveLength(length);
  },
);

test("without a tenant each request is a job of its own", async () => {
  const agent = egress.agent();
  await failureOf(get("broken.example", agent));
  await failureOf(get("broken.example", agent));
  expect(server.asked("broken.example")).toBe(2);
});

test("the next job asks for what was not answered", async () => {
  await failureOf(get("broken.example"));
  await failureOf(get("broken.example"));
  expect(server.asked("broken.example")).toBe(2);
});

test("an answer serves other jobs as long as its TTL says", async () => {
  await get("kept.example");
  await get("kept.example", egress.agent({ tenant: "other" }));
  expect(server.asked("kept.example")).toBe(1);
  await get("a.example");
  await get("a.example");
  expect(server.asked("a.example")).toBe(2);
});

test("200 names that never answer hold nobody else's lookups, and no thread", async () => {
  const ended: string[] = [];
  const agent = egress.agent({ tenant: "greedy" });
  const stuck = hanging.map(name => failureOf(get(name, agent)).then(() => ended.push(name)));
  await until("the greedy key's lookups are under way", () => server.asked(`hang-${perKey - 1}.example`) > 0);
  await expect(get("a.example", egress.agent({ tenant: "other" }))).resolves.toBe("home");
  await expect(readFile(import.meta.filename, "utf8")).resolves.toContain("no thread");
  const asked = new Set(server.questions.map(({ name }) => name).filter(name => name.startsWith("hang")));
  expect(ended).toEqual([]);
  expect(asked.size).toBe(perKey);
  await egress.close();
  await Promise.all(stuck);
});

describe("in a lane", () => {
  const status = async (proxy: string, host: string) => {
    const dispatcher = new ProxyAgent({ uri: proxy, proxyTunnel: false });
    const { statusCode, body } = await request(`http://${host}:${site.port}/`, { dispatcher });
    await body.dump();
    await dispatcher.destroy();
    return statusCode;
  };

  test("a name means the same until the next job begins", async () => {
    const tenantProxy = await egress.openTenantProxy({ tenant: "one" });
    tenantProxy.begin(unlimited);
    expect([
      await status(tenantProxy.url, "rebind.example"),
      await status(tenantProxy.url, "rebind.example"),
    ]).toEqual([200, 200]);
    expect(server.asked("rebind.example")).toBe(1);
    tenantProxy.begin(unlimited);
    expect([
      await status(tenantProxy.url, "rebind.example"),
      await status(tenantProxy.url, "rebind.example"),
    ]).toEqual([403, 403]);
    expect(server.asked("rebind.example")).toBe(2);
  });

  test("what comes of a lookup after its job is not told of the next one", async () => {
    const tenantProxy = await egress.openTenantProxy({ tenant: "one" });
    tenantProxy.begin(unlimited);
    const stuck = hanging.slice(0, 16).map(name => failureOf(status(tenantProxy.url, name)));
    await until("all are under way", () => server.asked("hang-15.example") > 0);
    tenantProxy.begin(unlimited);
    await Promise.all(stuck);
    expect(tenantProxy.record().unreachable).toEqual([]);
  });
});

test("lookups that wait are given up with their job", async () => {
  const asked: string[] = [];
  const first = Promise.withResolvers<Answer>();
  const names = new DnsLookups(name => {
    asked.push(name);
    return first.promise;
  });
  const over = names.job("one");
  const next = names.job("one");
  const begun = hanging.slice(0, perKey).map(name => failureOf(over.lookup(name)));
  const waiting = failureOf(over.lookup("waiting.example"));
  const later = next.lookup("later.example");
  over.end();
  first.resolve({ addresses: [{ address: "192.0.2.1", family: 4 }], ttlMs: 0 });
  expect(await later).toHaveLength(1);
  expect(await waiting).toMatchObject({ code: "EAI_AGAIN" });
  await Promise.all(begun);
  expect(asked).toEqual([...hanging.slice(0, perKey), "later.example"]);
});
