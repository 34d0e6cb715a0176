import { clientAddress } from "../../../services/api/http/guess-limiter.ts";
import { LookupCache } from "../../../services/api/http/lookup-cache.ts";
import { createRouter } from "../../../services/api/http/router.ts";
import { UsageMeter } from "../../../services/api/http/usage-meter.ts";
import type { Method, Route } from "../../../services/api/routes/route.ts";
import { type Caller, defaultLimits } from "../../../services/contracts/caller.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import type { UsageCount } from "../../../services/contracts/keys.contract.ts";
import { nothing } from "../../../services/contracts/schema.ts";
import { parseAllowList } from "../../../services/domain/url/address-policy.ts";

const row = (method: Method, path: string): Route => ({
  name: "row",
  method,
  path,
  action: { kind: "service", name: "service.verb", params: {}, result: nothing },
  auth: "none",
  status: 200,
  responses: {},
  tag: "",
  summary: `${method} ${path}`,
});

const router = createRouter([
  row("GET", "/a"),
  row("POST", "/a"),
  row("GET", "/a/{id}"),
  row("DELETE", "/a/{id}"),
  row("GET", "/a/{id}/b"),
  row("POST", "/only"),
]);

test.each([
  ["GET", "/a", "GET /a", {}],
  ["HEAD", "/a", "GET /a", {}],
  ["POST", "/a/", "POST /a", {}],
  ["GET", "/a/1", "GET /a/{id}", { id: "1" }],
  ["DELETE", "/a/%40name", "DELETE /a/{id}", { id: "@name" }],
  ["GET", "/a/x%2Fy/b", "GET /a/{id}/b", { id: "x/y" }],
  ["GET", "/a/__proto__", "GET /a/{id}", { id: "__proto__" }],
])("%s %s is answered by %s", (method, path, summary, params) => {
  const match = router.match(method, path);
  expect(match.route.summary).toBe(summary);
  expect(match.params).toEqual(params);
});

test.each([
  ["GET", "/", "not_found"],
  ["GET", "/b", "not_found"],
  ["GET", "//a", "not_found"],
  ["GET", "/a//b", "not_found"],
  ["GET", "/a/1/b/c", "not_found"],
  ["GET", "/constructor", "not_found"],
  ["GET", "*", "not_found"],
  ["GET", "http://else.example/a", "not_found"],
  ["GET", "/a/%", "validation_failed"],
  ["GET", "/%ff", "validation_failed"],
  ["PUT", "/a", "method_not_allowed"],
  ["HEAD", "/only", "method_not_allowed"],
  ["TRACE", "/a", "method_not_allowed"],
])("%s %s is refused as %s", (method, path, code) => {
  let thrown: unknown;
  try {
    router.match(method, path);
  } catch (error) {
    thrown = error;
  }
  expect(codeOf(thrown)).toBe(code);
});

test("names the methods that a path takes", () => {
  expect(router.allowed("/a")).toEqual(["GET", "POST", "HEAD", "OPTIONS"]);
  expect(router.allowed("/only")).toEqual(["POST", "OPTIONS"]);
  expect(router.allowed("/a/5")).toEqual(["GET", "DELETE", "HEAD", "OPTIONS"]);
});

test.each<[trusted: string[], socket: string, forwarded: string | undefined, client: string]>([
  [[], "203.0.113.7", undefined, "203.0.113.7"],
  [[], "203.0.113.7", "198.51.100.1", "203.0.113.7"],
  [["10.0.0.0/8"], "203.0.113.7", "198.51.100.1", "203.0.113.7"],
  [["10.0.0.0/8"], "10.1.2.3", "198.51.100.1", "198.51.100.1"],
  [["10.0.0.0/8"], "::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
  // The client may have written addresses further left itself.
  [["10.0.0.0/8"], "10.1.2.3", "192.0.2.1, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
  [["10.0.0.0/8"], "10.1.2.3", "nonsense", "unknown"],
  [["10.0.0.0/8"], "10.1.2.3", "10.4.4.4", "10.4.4.4"],
  [["10.0.0.0/8"], "10.1.2.3", undefined, "10.1.2.3"],
  // A client has all of a /64.
  [[], "2001:db8:1:2:3:4:5:6", undefined, "2001:db8:1:2::"],
  [[], "2001:db8:1:2::9", undefined, "2001:db8:1:2::"],
  [[], "::ffff:203.0.113.7", undefined, "203.0.113.7"],
])("behind %j, from %s with %s it is %s", (trusted, remoteAddress, forwarded, client) => {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const request = { socket: { remoteAddress }, headers } as Parameters<typeof clientAddress>[0];
  expect(clientAddress(request, parseAllowList(trusted))).toBe(client);
});

const caller: Caller = { keyId: "1", owner: "o", limits: defaultLimits };

describe("the cache of look-ups", () => {
  test("asks once while an answer is fresh, and again after less than a second", async () => {
    let now = 0;
    let asked = 0;
    const cache = new LookupCache<Caller>(
      async () => {
        asked += 1;
        return caller;
      },
      () => now,
    );
    await Promise.all([cache.find("a"), cache.find("a")]);
    await cache.find("a");
    expect(asked).toBe(1);
    now = 999;
    await cache.find("a");
    expect(asked).toBe(2);
  });

  test("keeps neither unknown keys nor failures", async () => {
    const answers: (() => Promise<Caller | null>)[] = [
      async () => null,
      async () => Promise.reject(new Error("down")),
      async () => caller,
    ];
    const cache = new LookupCache<Caller>(
      () => answers.shift()?.() ?? Promise.reject(new Error("asked too often")),
      () => 0,
    );
    expect(await cache.find("a")).toBeNull();
    await expect(cache.find("a")).rejects.toThrow("down");
    expect(await cache.find("a")).toBe(caller);
    expect(await cache.find("a")).toBe(caller);
    expect(cache.size).toBe(1);
  });

  test("forgets a key that is gone, and answers that may be from before that", async () => {
    const asked: string[] = [];
    const late = Promise.withResolvers<Caller | null>();
    const cache = new LookupCache<Caller>(
      key => {
        asked.push(key);
        return key === "late" ? late.promise : Promise.resolve({ ...caller, keyId: key });
      },
      () => 0,
    );
    const waiting = cache.find("late");
    await cache.find("1");
    await cache.find("2");
    cache.forget(({ keyId }) => keyId === "1");
    late.resolve(caller);
    await waiting;
    for (const key of ["late", "1", "2"]) await cache.find(key);
    expect(asked).toEqual(["late", "1", "2", "late", "1"]);
  });

  test("is bounded", async () => {
    const cache = new LookupCache<Caller>(async () => caller);
    for (let n = 0; n < 10_050; n += 1) await cache.find(`key ${n}`);
    expect(cache.size).toBe(10_000);
  });
});

describe("the usage meter", () => {
  test("sends the counts of many keys in parts; none is lost or doubled when one of them fails", async () => {
    const counted: string[] = [];
    let calls = 0;
    const meter = new UsageMeter(
      async counts => {
        calls += 1;
        expect(counts.length).toBeLessThanOrEqual(100);
        if (calls === 2) throw new Error("away");
        counted.push(...counts.map(({ keyId }) => keyId));
      },
      () => undefined,
      () => undefined,
    );
    const keyIds = Array.from({ length: 250 }, (_, n) => `key ${n}`);
    for (const keyId of keyIds) meter.count(keyId);
    await meter.flush();
    expect(counted).toHaveLength(100);
    await meter.flush();
    expect(counted.sort()).toEqual(keyIds.sort());
  });

  test("sums per key and UTC day, with the minute of the latest request, and sends a batch once", async () => {
    const batches: (UsageCount & { usedAt: string })[][] = [];
    let now = Date.parse("2025-01-01T23:59:59Z");
    const meter = new UsageMeter(
      async counts => batches.push(counts),
      () => undefined,
      () => undefined,
      () => now,
    );
    meter.count("a");
    meter.count("a");
    meter.count("b");
    now = Date.parse("2025-01-02T00:00:00Z");
    meter.count("a");
    await meter.flush();
    await meter.flush();
    const before = "2025-01-01T23:59:00.000Z";
    expect(batches).toEqual([
      [
        { keyId: "a", day: "2025-01-01", requests: 2, usedAt: before },
        { keyId: "b", day: "2025-01-01", requests: 1, usedAt: before },
        { keyId: "a", day: "2025-01-02", requests: 1, usedAt: "2025-01-02T00:00:00.000Z" },
      ],
    ]);
  });

  test("counts again what could not be sent, and what came meanwhile", async () => {
    const taken: number[] = [];
    const errors: unknown[] = [];
    const meter = new UsageMeter(
      async ([first]) => {
        if (errors.length === 0) throw new Error("down");
        taken.push(first?.requests ?? 0);
      },
      error => errors.push(error),
      () => undefined,
    );
    meter.count("a");
    const first = meter.flush();
    meter.count("a");
    await first;
    expect(errors).toHaveLength(1);
    await meter.stop();
    expect(taken).toEqual([2]);
  });

  test("an outage is reported once", async () => {
    let isAway = true;
    const errors: unknown[] = [];
    const meter = new UsageMeter(
      async () => {
        if (isAway) throw new Error("down");
      },
      error => errors.push(error),
      () => undefined,
    );
    for (const away of [true, true, false, true]) {
      isAway = away;
      meter.count("a");
      await meter.flush();
    }
    expect(errors).toHaveLength(2);
  });
});
