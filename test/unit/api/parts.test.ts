import { toConfig } from "../../../mixins/config/config.ts";
import { prometheusText } from "../../../mixins/metrics/prometheus-text.ts";
import { KeyCache } from "../../../services/api/auth/key-cache.ts";
import { banner } from "../../../services/api/banner.ts";
import { coerceQuery } from "../../../services/api/request/coerce-query.ts";
import { requestId } from "../../../services/api/request/request-id.ts";
import { UsageMeter } from "../../../services/api/usage-meter.ts";
import { type Caller, defaultLimits } from "../../../services/contracts/caller.ts";
import type { UsageCount } from "../../../services/contracts/keys.contract.ts";

const caller: Caller = { keyId: "1", owner: "o", limits: defaultLimits };

describe("the key cache", () => {
  test("asks once while an answer is fresh, and again after less than a second", async () => {
    let now = 0;
    let asked = 0;
    const cache = new KeyCache(
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
    const cache = new KeyCache(
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
    const cache = new KeyCache(
      key => {
        asked.push(key);
        return key === "late" ? late.promise : Promise.resolve({ ...caller, keyId: key });
      },
      () => 0,
    );
    const waiting = cache.find("late");
    await cache.find("1");
    await cache.find("2");
    cache.forget("1");
    late.resolve(caller);
    await waiting;
    for (const key of ["late", "1", "2"]) await cache.find(key);
    expect(asked).toEqual(["late", "1", "2", "late", "1"]);
  });

  test("is bounded", async () => {
    const cache = new KeyCache(async () => caller);
    for (let n = 0; n < 10_050; n += 1) await cache.find(`key ${n}`);
    expect(cache.size).toBe(10_000);
  });
});

describe("the usage meter", () => {
  test("hands many keys' counts on in parts; none is lost or doubled when one of them fails", async () => {
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
    );
    const keyIds = Array.from({ length: 250 }, (_, n) => `key ${n}`);
    for (const keyId of keyIds) meter.count(keyId);
    await meter.flush();
    expect(counted).toHaveLength(100);
    await meter.flush();
    expect(counted.sort()).toEqual(keyIds.sort());
  });

  test("sums per key and UTC day, and hands a batch on once", async () => {
    const batches: UsageCount[][] = [];
    let now = new Date("2025-01-01T23:59:59Z");
    const meter = new UsageMeter(
      async counts => batches.push(counts),
      () => undefined,
      () => now,
    );
    meter.count("a");
    meter.count("a");
    meter.count("b");
    now = new Date("2025-01-02T00:00:00Z");
    meter.count("a");
    await meter.flush();
    await meter.flush();
    expect(batches).toEqual([
      [
        { keyId: "a", day: "2025-01-01", requests: 2 },
        { keyId: "b", day: "2025-01-01", requests: 1 },
        { keyId: "a", day: "2025-01-02", requests: 1 },
      ],
    ]);
  });

  test("counts again what could not be handed on, and what came meanwhile", async () => {
    const taken: number[] = [];
    const errors: unknown[] = [];
    const meter = new UsageMeter(
      async ([first]) => {
        if (errors.length === 0) throw new Error("down");
        taken.push(first?.requests ?? 0);
      },
      error => errors.push(error),
    );
    meter.count("a");
    const first = meter.flush();
    meter.count("a");
    await first;
    expect(errors).toHaveLength(1);
    await meter.stop();
    expect(taken).toEqual([2]);
  });

  test("an outage is told once", async () => {
    let isAway = true;
    const errors: unknown[] = [];
    const meter = new UsageMeter(
      async () => {
        if (isAway) throw new Error("down");
      },
      error => errors.push(error),
    );
    for (const away of [true, true, false, true]) {
      isAway = away;
      meter.count("a");
      await meter.flush();
    }
    expect(errors).toHaveLength(2);
  });
});

test.each([
  [
    { n: "5", b: "true", s: "5", a: "x" },
    { n: 5, b: true, s: "5", a: ["x"] },
  ],
  [
    { n: "five", b: "yes" },
    { n: "five", b: "yes" },
  ],
  [
    { n: ["1", "2"], a: ["x", "y"] },
    { n: ["1", "2"], a: ["x", "y"] },
  ],
  [
    { n: "1e3", other: "7" },
    { n: "1e3", other: "7" },
  ],
])("the query %j is read as %j", (query, params) => {
  const schema = {
    n: { type: "number" },
    b: "boolean|optional",
    s: { type: "string" },
    a: { type: "array" },
  };
  expect(coerceQuery(query, schema)).toEqual(params);
});

test.each([
  ["abc-1._", true],
  ["", false],
  ["a".repeat(65), false],
  ["a b", false],
  ['"><script>', false],
])("a client's request id %j is kept: %s", (own, kept) => {
  expect(requestId({ "x-request-id": own }) === own).toBe(kept);
});

test("Prometheus text escapes labels, sums histograms, and leaves text out", () => {
  const text = prometheusText([
    {
      name: "a.b",
      type: "counter",
      description: "A\nB",
      snapshot: () => [{ labels: { x: 'q"\\\n' }, value: 2 }],
    },
    {
      name: "h",
      type: "histogram",
      snapshot: () => [{ labels: {}, count: 3, sum: 4.5, buckets: { 1: 1, 5: 3 } }],
    },
    { name: "i", type: "info", snapshot: () => [{ value: "secret" }] },
    { name: "empty", type: "gauge", snapshot: () => [] },
  ]);
  expect(text.split("\n")).toEqual([
    "# HELP a_b A\\nB",
    "# TYPE a_b counter",
    'a_b{x="q\\"\\\\\\n"} 2',
    "# HELP h h",
    "# TYPE h histogram",
    'h_bucket{le="1"} 1',
    'h_bucket{le="5"} 3',
    'h_bucket{le="+Inf"} 3',
    "h_sum 4.5",
    "h_count 3",
    "",
  ]);
});

describe("the banner", () => {
  const finding = {
    room: "scraper",
    name: "browser",
    status: "missing" as const,
    detail: "Install chromium.",
  };
  const state = { status: "degraded" as const, rooms: {}, missing: Array.from({ length: 9 }, () => finding) };

  test("is short, names what is missing, and holds no secret", () => {
    const config = { ...toConfig({}), dataDir: "/data/it's", adminKey: "very-secret-admin-key" };
    const lines = banner(config, "http://0.0.0.0:3000", state);
    const text = lines.join("\n");
    expect(lines.length).toBeLessThanOrEqual(12);
    expect(text).toContain("Install chromium.");
    expect(text).toContain("http://127.0.0.1:3000/docs");
    expect(text).toContain("/data/it's/credentials.json");
    expect(text).toContain("ADMIN_KEY");
    expect(text).not.toContain("very-secret-admin-key");
  });

  test("takes the key from the environment when it came from there", () => {
    const lines = banner(
      { ...toConfig({}), bootstrapApiKey: "the-first-key-value" },
      "http://127.0.0.1:1",
      state,
    );
    expect(lines.join("\n")).toContain('"x-api-key: $BOOTSTRAP_API_KEY"');
    expect(lines.join("\n")).not.toContain("the-first-key-value");
  });
});
