import type { Server } from "node:http";
import { Validator } from "@seriousme/openapi-schema-validator";
import { NamedParts } from "../../services/api/openapi/components.ts";
import { ruleSchema, toJsonSchema } from "../../services/api/openapi/json-schema.ts";
import type { Route } from "../../services/api/routes/route.ts";
import { routes } from "../../services/api/routes/routes.ts";
import { errorStatus } from "../../services/contracts/errors.ts";
import type { Rule } from "../../services/contracts/schema.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { type Probe, probeRoutes, probeService } from "../fakes/probe-service.ts";
import { type Magpie, type Reply, startMagpie } from "../support/magpie.ts";
import { rawHttp } from "../support/raw-http.ts";
import { until } from "../support/until.ts";

let magpie: Magpie;
let probe: Probe;

beforeAll(async () => {
  probe = probeService();
  magpie = await startMagpie({}, config => [keysService(config), probe.schema], {
    routes: [...routes, ...probeRoutes],
  });
});

afterAll(async () => {
  for (const answer of probe.late) answer();
  await magpie.stop();
});

interface ErrorBody {
  status: string;
  code: string;
  error: string;
  message: string;
  request_id: string;
  retry_after?: number;
  details?: { field: string; code: string; message: string }[];
}

/** Every error, whichever way it came about, keeps these. */
function expectEnvelope(reply: Reply, status: number, code: string): ErrorBody {
  const body = reply.json<ErrorBody>();
  expect([reply.status, body.code]).toEqual([status, code]);
  expect(body.status).toBe("error");
  expect(body.error).toMatch(/^.{5,}\.$/s);
  expect(body.message).toBe(body.error);
  expect(body.request_id).toBe(reply.headers.get("x-request-id"));
  expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
  expect(reply.headers.get("x-powered-by")).toBeNull();
  if (status === 429 || status === 503) {
    expect(Number.isInteger(body.retry_after) && Number(body.retry_after) >= 1).toBe(true);
    expect(reply.headers.get("retry-after")).toBe(String(body.retry_after));
  }
  expect(reply.text).not.toMatch(/secret-inside|\.ts:|node_modules|stack/);
  return body;
}

async function newKey(limits: Record<string, number>, owner: string): Promise<{ id: string; key: string }> {
  const reply = await magpie.request("POST", "/internal/keys", {
    admin: true,
    body: { owner, name: "n", limits },
  });
  expect(reply.status).toBe(201);
  return reply.json<{ data: { id: string; key: string } }>().data;
}

describe("errors", () => {
  test.each(Object.entries(errorStatus).filter(([code]) => code !== "internal_error"))(
    "a service's %s goes out as %i in the envelope",
    async (code, status) => {
      const reply = await magpie.request("GET", `/probe/refuse/${code}`);
      const body = expectEnvelope(reply, status, code);
      expect(body.error).toBe(`Refused: ${code}.`);
      if (status === 429 || status === 503) expect(body.retry_after).toBe(3);
    },
  );

  test.each([
    ["throw", 500, "internal_error"],
    ["moleculer", 500, "internal_error"],
    ["internal", 500, "internal_error"],
    ["string", 500, "internal_error"],
    ["inner-validation", 500, "internal_error"],
    ["timeout", 503, "overloaded"],
  ])("a service that breaks by %s is answered as %i %s, without details", async (how, status, code) => {
    expectEnvelope(await magpie.request("GET", `/probe/break/${how}`), status, code);
  });

  test("a service that is not there is overloaded", async () => {
    expectEnvelope(await magpie.request("GET", "/probe/absent"), 503, "overloaded");
  });

  test.each([
    ["GET", "/nowhere", 404, "not_found"],
    ["POST", "/", 405, "method_not_allowed"],
    ["GET", "/web/screenshot/", 404, "not_found"],
    ["GET", "/docs/package.json", 404, "not_found"],
    ["GET", "/docs/..%2Fpackage.json", 404, "not_found"],
    ["OPTIONS", "/nowhere", 404, "not_found"],
    ["GET", "/api/list-aliases", 404, "not_found"],
    ["GET", "/keys/authenticate?key=x", 404, "not_found"],
    ["GET", "/~node/list", 404, "not_found"],
    ["GET", "/web/screenshot/%E0%A4%A", 400, "validation_failed"],
    ["DELETE", "/web/scrape", 405, "method_not_allowed"],
    ["PUT", "/internal/keys", 405, "method_not_allowed"],
  ])("%s %s is %i %s", async (method, path, status, code) => {
    expectEnvelope(await magpie.request(method, path), status, code);
  });

  test.each([
    ["{", 400, "malformed_json"],
    ["", 200, ""],
    ["{}x", 400, "malformed_json"],
    ["NaN", 400, "malformed_json"],
    ["[]", 400, "validation_failed"],
    ["null", 400, "validation_failed"],
    ['"text"', 400, "validation_failed"],
    ['{"__proto__":{"admin":true}}', 400, "validation_failed"],
    ['{"a":[{"constructor":1}]}', 400, "validation_failed"],
    ['{"a":{"prototype":1}}', 400, "validation_failed"],
    [`{"a":[${"1,".repeat(9999)}1]}`, 200, ""],
    [`{"a":[${"{},".repeat(300_000)}1]}`, 400, "validation_failed"],
    ['{"a":["\\ud800x"]}', 400, "validation_failed"],
    ['{"a\\udc00":1}', 400, "validation_failed"],
    ['{"a":"\\ud83d\\ude00"}', 200, ""],
    [`{"a":${"[".repeat(31)}${"]".repeat(31)}}`, 200, ""],
    [`{"a":${"[".repeat(32)}${"]".repeat(32)}}`, 400, "validation_failed"],
    [`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400, "validation_failed"],
    [JSON.stringify({ a: "x".repeat(1024 * 1024 - 8) }), 200, ""],
    [JSON.stringify({ a: "x".repeat(1024 * 1024 - 7) }), 413, "payload_too_large"],
  ])("the body %.40s is %i %s", async (body, status, code) => {
    const reply = await magpie.request("POST", "/probe/echo", { body });
    if (status === 200) expect(reply.status).toBe(200);
    else expectEnvelope(reply, status, code);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  test.each([
    ['{"a":', "The body is not valid JSON: it ends too early."],
    ['{"a":}', "The body is not valid JSON: `}` is out of place."],
    [`{"a":"${"x".repeat(90)}",}`, "The body is not valid JSON, at character 99."],
  ])("the answer to %s says where it breaks", async (body, message) => {
    const reply = await magpie.request("POST", "/probe/echo", { body });
    expect(reply.json()).toMatchObject({ code: "malformed_json", message });
  });

  test("bytes that are no UTF-8 are malformed", async () => {
    const response = await fetch(`${magpie.url}/probe/echo`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    });
    expect([response.status, (await response.json()).code]).toEqual([400, "malformed_json"]);
  });

  test.each([
    ["application/json", 200],
    ["application/json; charset=UTF-8", 200],
    ["application/problem+json", 200],
    ["application/json; charset=latin1", 415],
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["multipart/form-data; boundary=x", 415],
    ["nonsense", 415],
  ])("content-type %s is %i", async (type, status) => {
    const reply = await magpie.request("POST", "/probe/echo", {
      body: "{}",
      headers: { "content-type": type },
    });
    if (status === 200) expect(reply.status).toBe(200);
    else expectEnvelope(reply, status, "unsupported_media_type");
  });

  test("a compressed body is refused", async () => {
    const headers = { "content-encoding": "gzip" };
    const reply = await magpie.request("POST", "/probe/echo", { body: "{}", headers });
    expectEnvelope(reply, 415, "unsupported_media_type");
  });

  test("refused parameters are named one by one", async () => {
    const reply = await magpie.request("POST", "/internal/keys", {
      admin: true,
      body: { owner: "", limits: { requestsPerMinute: 0, burst: 1 }, extra: 1, more: 2 },
    });
    const { details = [] } = expectEnvelope(reply, 400, "validation_failed");
    expect(details.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
      "extra unknown_field",
      "limits.burst unknown_field",
      "limits.requestsPerMinute number_min",
      "more unknown_field",
      "name required",
      "owner string_min",
    ]);
  });

  test("a missing body is an empty object, which the schema judges", async () => {
    const reply = await magpie.request("POST", "/internal/keys", { admin: true });
    const { details = [] } = expectEnvelope(reply, 400, "validation_failed");
    expect(details.map(({ field }) => field)).toEqual(["owner", "name"]);
  });
});

describe("methods and headers", () => {
  test("HEAD is GET without the body, and runs nothing else", async () => {
    const [get, head] = await Promise.all(
      ["GET", "HEAD"].map(method => magpie.request(method, "/openapi.json", { key: null })),
    );
    expect(head?.status).toBe(200);
    expect(head?.text).toBe("");
    expect(head?.headers.get("content-length")).toBe(get?.headers.get("content-length"));
  });

  test("OPTIONS tells the methods and does not run the action", async () => {
    const before = probe.calls.length;
    const reply = await magpie.request("OPTIONS", "/probe/echo", {
      headers: { "access-control-request-method": "GET", origin: "https://else.example" },
    });
    expect(reply.status).toBe(204);
    expect(reply.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
    expect(probe.calls).toHaveLength(before);
  });

  test("405 tells the methods", async () => {
    const reply = await magpie.request("DELETE", "/web/scrape");
    expect(reply.headers.get("allow")).toBe("POST, GET, HEAD, OPTIONS");
  });

  test("a client's request id is kept when it is plain, and nothing else is", async () => {
    const kept = await magpie.request("GET", "/health/live", { headers: { "x-request-id": "my-id_1.2" } });
    expect(kept.headers.get("x-request-id")).toBe("my-id_1.2");
    const headers = { "x-request-id": "a b", "x-correlation-id": "chosen" };
    const made = await magpie.request("GET", "/nowhere", { headers });
    expect(made.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("authenticated answers are not stored, and no page of another origin reads them", async () => {
    const reply = await magpie.request("GET", "/users/me/api-keys", {
      headers: { origin: "https://else.example" },
    });
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
    const open = await magpie.request("GET", "/openapi.json", { key: null });
    expect(open.headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("parameters", () => {
  test("a query is read as its schema says", async () => {
    const reply = await magpie.request("GET", "/probe/strict?n=5&flag=true&list=a");
    expect(reply.json()).toEqual({ params: { n: 5, flag: true, list: ["a"] } });
  });

  test.each([
    ["n=x", "n number"],
    ["n=1&n=2", "n number"],
    ["n=1&flag=maybe", "flag boolean"],
    ["n=1&__proto__=x", "__proto__ forbidden_name"],
    ["n=1&a[b]=c", "a[b] unknown_field"],
    ["", "n required"],
  ])("the query %s is refused: %s", async (query, fault) => {
    const { details = [] } = expectEnvelope(
      await magpie.request("GET", `/probe/strict?${query}`),
      400,
      "validation_failed",
    );
    expect(details.map(({ field, code }) => `${field} ${code}`)).toEqual([fault]);
  });

  test.each([
    ["POST", "/probe/echo?owner=evil", { owner: "good" }, "owner"],
    ["POST", "/probe/echo?owner=evil", undefined, "owner"],
    ["PATCH", "/probe/echo/mine?id=mine", {}, "id"],
    ["PATCH", "/probe/echo/mine", { id: "other" }, "id"],
  ])("what would be overlooked is refused: %s %s with %j", async (method, path, body, field) => {
    const { details } = expectEnvelope(
      await magpie.request(method, path, { body }),
      400,
      "validation_failed",
    );
    expect(details).toMatchObject([{ field, code: "unknown_field" }]);
  });

  test("a body may say again what the path says", async () => {
    const patched = await magpie.request("PATCH", "/probe/echo/mine", { body: { id: "mine" } });
    expect(patched.json()).toMatchObject({ params: { id: "mine" } });
  });

  test("only a status that the route documents is taken from an action, and no type", async () => {
    const [documented, leaked] = await Promise.all(
      [202, 418].map(status => magpie.request("GET", `/probe/leak?status=${status}`)),
    );
    expect([documented?.status, leaked?.status]).toEqual([202, 201]);
    expect(leaked?.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });
});

describe("streams", () => {
  test("bytes arrive whole, as what the route says they are", async () => {
    const response = await fetch(`${magpie.url}/probe/bytes/300500`);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect((await response.bytes()).length).toBe(300_500);
  });

  test("HEAD gives no byte of them", async () => {
    const reply = await magpie.request("HEAD", "/probe/bytes/300500");
    expect([reply.status, reply.text]).toEqual([200, ""]);
  });

  test("half an answer does not look like a whole one", async () => {
    const broken = fetch(`${magpie.url}/probe/bytes/300500?broken=true`).then(response => response.bytes());
    await expect(broken).rejects.toThrow();
  });
});

describe("authentication", () => {
  const bad: [string, Record<string, string>][] = [
    ["missing", {}],
    ["empty", { "x-api-key": "" }],
    ["malformed", { "x-api-key": "not a key !" }],
    ["unknown", { "x-api-key": "mk_00000000000000000000000000000000000000" }],
    ["overlong", { "x-api-key": "k".repeat(5000) }],
    ["in another scheme", { authorization: "Basic test-api-key-0123456789" }],
    ["without a scheme", { authorization: "test-api-key-0123456789" }],
    ["a scheme alone", { authorization: "Bearer" }],
    ["two tokens", { authorization: "Bearer test-api-key-0123456789 test-api-key-0123456789" }],
    ["an unknown token", { authorization: "Bearer mk_00000000000000000000000000000000000000" }],
  ];

  test("missing, malformed and unknown keys get one and the same answer", async () => {
    const replies = await Promise.all(
      bad.map(([, headers]) => magpie.request("GET", "/users/me/api-keys", { key: null, headers })),
    );
    for (const reply of replies) expectEnvelope(reply, 401, "unauthorized");
    const bodies = new Set(replies.map(reply => reply.text.replace(/"request_id":"[^"]+"/, "")));
    expect(bodies.size).toBe(1);
    const volatile = ["date", "x-request-id", "www-authenticate"];
    const heads = replies.map(({ headers }) =>
      JSON.stringify([...headers].filter(([name]) => !volatile.includes(name))),
    );
    expect(new Set(heads).size).toBe(1);
  });

  test.each<[Record<string, string>, string]>([
    [{}, 'Bearer realm="magpie"'],
    [{ authorization: "Basic dXNlcjpwYXNz" }, 'Bearer realm="magpie"'],
    [{ authorization: "Bearer" }, 'Bearer realm="magpie", error="invalid_token"'],
    [{ authorization: "bearer mk_nobody" }, 'Bearer realm="magpie", error="invalid_token"'],
    [{ "x-api-key": "mk_nobody" }, 'Bearer realm="magpie", error="invalid_token"'],
  ])("a 401 for %j challenges with %s (RFC 6750, 3)", async (headers, expected) => {
    const reply = await magpie.request("GET", "/users/me/api-keys", { key: null, headers });
    expect([reply.status, reply.headers.get("www-authenticate")]).toEqual([401, expected]);
  });

  test.each(["Bearer", "bearer", "BEARER", "bEaReR", "Bearer  "])(
    "%s is as good as x-api-key",
    async scheme => {
      const headers = { authorization: `${scheme} ${magpie.apiKey}` };
      const reply = await magpie.request("GET", "/probe/either", { key: null, headers });
      expect([reply.status, reply.json()]).toMatchObject([200, { owner: "default" }]);
      expect(reply.headers.has("ratelimit")).toBe(true);
    },
  );

  test.each([
    ["the same key in both headers", "Bearer test-api-key-0123456789", 200],
    ["the scheme of a proxy beside a key", "Basic dXNlcjpwYXNz", 200],
    ["another key", "Bearer mk_other", 400],
    ["a token that is none", "Bearer a b", 400],
  ])("x-api-key beside Authorization with %s", async (_, authorization, status) => {
    const reply = await magpie.request("GET", "/users/me/api-keys", { headers: { authorization } });
    expect(reply.status).toBe(status);
    if (status === 200) return;
    expect(expectEnvelope(reply, 400, "validation_failed").details).toMatchObject([
      { field: "authorization", message: expect.stringContaining("one of the two headers") },
    ]);
  });

  test("a bearer token is no admin key", async () => {
    const headers = { authorization: `Bearer ${magpie.adminKey}` };
    expectEnvelope(
      await magpie.request("GET", "/internal/keys", { key: null, headers }),
      401,
      "unauthorized",
    );
  });

  test.each(["GET", "POST"])("the admin endpoints take the admin key only (%s)", async method => {
    const path = "/internal/keys";
    expectEnvelope(await magpie.request(method, path), 401, "unauthorized");
    const headers = { "x-admin-key": `${magpie.adminKey}x` };
    expectEnvelope(await magpie.request(method, path, { key: null, headers }), 401, "unauthorized");
    expect((await magpie.request(method, path, { admin: true })).status).not.toBe(401);
  });

  test("every route that is not public refuses a request without a key, before anything else", async () => {
    const guarded = routes.filter(({ auth }) => auth !== "none");
    expect(guarded.length).toBeGreaterThan(5);
    for (const { method, path, failure } of guarded) {
      const reply = await magpie.request(method, path.replace(/\{\w+\}/g, "x"), {
        key: null,
        ...(method === "GET" ? {} : { body: "{ not json" }),
      });
      if (failure) expect([reply.status, reply.json()]).toMatchObject([401, { success: false }]);
      else expectEnvelope(reply, 401, "unauthorized");
    }
  });

  test("either key opens what takes both, and the admin key is not limited", async () => {
    const byKey = await magpie.request("GET", "/probe/either");
    const byAdmin = await magpie.request("GET", "/probe/either", { admin: true });
    expect(byKey.json()).toMatchObject({ owner: "default" });
    expect(byAdmin.json()).toMatchObject({ owner: null });
    expect(byKey.headers.has("ratelimit")).toBe(true);
    expect(byAdmin.headers.has("ratelimit")).toBe(false);
  });

  test("a deleted key stops working", async () => {
    const { id, key } = await newKey({}, "short-lived");
    expect((await magpie.request("GET", "/users/me/api-keys", { key })).status).toBe(200);
    const gone = await magpie.request("DELETE", `/internal/keys/${id}`, { admin: true });
    expect([gone.status, gone.text]).toEqual([204, ""]);
    await until("the deleted key is refused", async () => {
      return (await magpie.request("GET", "/users/me/api-keys", { key })).status === 401;
    });
  });

  test("a body is not read before the key is known", async () => {
    const answer = await rawHttp(
      magpie.url,
      "POST /web/scrape HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });
});

describe("limits", () => {
  test("exactly as many requests as the key may make pass, and the headers count down", async () => {
    const { key } = await newKey({ requestsPerMinute: 3 }, "slow");
    const replies: Reply[] = [];
    for (let n = 0; n < 5; n += 1) replies.push(await magpie.request("GET", "/probe/echo", { key }));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(replies.map(({ headers }) => headers.get("ratelimit")?.replace(/;t=.*/, ""))).toEqual(
      [2, 1, 0, 0, 0].map(left => `"default";r=${left}`),
    );
    for (const { headers } of replies) {
      expect(headers.get("ratelimit-policy")).toBe('"default";q=3;w=60');
      expect(headers.get("ratelimit")).toMatch(/;t=([1-9]|[1-5]\d|60)$/);
    }
    const body = expectEnvelope(replies[4] as Reply, 429, "rate_limited");
    expect(body.retry_after).toBeLessThanOrEqual(60);
  });

  test("errors after admission carry the headers, too", async () => {
    const { key } = await newKey({}, "mistaken");
    const reply = await magpie.request("POST", "/probe/locked", { body: "{", key });
    expect(reply.status).toBe(400);
    expect(reply.headers.get("ratelimit-policy")).toBe('"default";q=600;w=60');
  });

  test("requests are counted per key", async () => {
    const { id, key } = await newKey({}, "counted");
    for (let n = 0; n < 7; n += 1) await magpie.request("GET", "/probe/echo", { key });
    const day = new Date().toISOString().slice(0, 10);
    await until("seven requests are counted", async () => {
      const reply = await magpie.request("GET", `/internal/keys/${id}/usage?days=2`, { admin: true });
      const { data } = reply.json<{ data: { day: string; requests: number }[] }>();
      return data.reduce((sum, { requests }) => sum + requests, 0) === 7 && (data[0]?.day ?? "") >= day;
    });
  });
});

describe("requests that are hardly HTTP", () => {
  test("a connection that the system cannot accept is no reason to stop", async () => {
    const { server } = magpie.broker.getLocalService("api") as unknown as { server: Server };
    // Without a listener it would throw.
    expect(server.emit("error", new Error("accept EMFILE"))).toBe(true);
  });

  const get = (path: string, ...headers: string[]) =>
    [`GET ${path} HTTP/1.1`, "host: x", "connection: close", ...headers, "", ""].join("\r\n");
  const post = (body: string, ...headers: string[]) =>
    ["POST /probe/echo HTTP/1.1", "host: x", "content-type: application/json", ...headers, "", body].join(
      "\r\n",
    );

  test.each([
    ["no HTTP at all", "nonsense\r\n\r\n", 400],
    ["no host", "GET /health/live HTTP/1.1\r\nconnection: close\r\n\r\n", 400],
    ["two hosts", "GET /health/live HTTP/1.1\r\nhost: x\r\nhost: y\r\nconnection: close\r\n\r\n", 400],
    ["a header with a space before the colon", get("/health/live", "x-a : 1"), 400],
    ["a folded header", get("/health/live", "x-a: 1", " 2"), 400],
    ["two different lengths", post("{}", "content-length: 2", "content-length: 3"), 400],
    [
      "a length and chunks",
      post("2\r\n{}\r\n0\r\n\r\n", "content-length: 2", "transfer-encoding: chunked"),
      400,
    ],
    ["chunks that are not last", post("2\r\n{}\r\n0\r\n\r\n", "transfer-encoding: chunked, gzip"), 400],
    ["a negative length", post("{}", "content-length: -1"), 400],
    ["a chunk size that is no number", post("zz\r\n{}\r\n0\r\n\r\n", "transfer-encoding: chunked"), 400],
    ["headers beyond 16 KB", get("/health/live", `x-a: ${"a".repeat(20_000)}`), 431],
    ["a URL beyond 16 KB", get(`/${"a".repeat(20_000)}`), 431],
    ["a control character in the path", get("/health/\u0001live"), 400],
    ["an unknown expectation", get("/health/live", "expect: wonders"), 417],
    ["a name that was made to lead here", get("/metrics").replace("host: x", "host: page.example:3000"), 421],
    [
      "an upgrade by such a name",
      get("/stream", "upgrade: websocket")
        .replace("host: x", "host: page.example")
        .replace("close", "upgrade, close"),
      421,
    ],
  ])("%s is answered in the envelope", async (_name, text, status) => {
    const answer = await rawHttp(magpie.url, text);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/connection: close/i);
    expect(JSON.parse(body)).toMatchObject({ status: "error", request_id: expect.any(String) });
    expect(answer.match(/^HTTP\/1.1 \d/gm)).toHaveLength(1);
  });

  test("a chunked body beyond 1 MB is 413", async () => {
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const headers = ["transfer-encoding: chunked", "connection: close"];
    const answer = await rawHttp(magpie.url, post(`${chunk.repeat(20)}0\r\n\r\n`, ...headers));
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  test.each([
    ["an absolute target", "GET HTTP://other.example:8080/health/live?a HTTP/1.1", "x-a: b"],
    ["HTTP/1.0", "GET /health/live HTTP/1.0", "x-a: b"],
    ["an expectation of HTTP/1.0", "GET /health/live HTTP/1.0", "expect: wonders"],
  ])("%s is answered like any other request", async (_name, line, header) => {
    const text = [line, "host: x", "connection: close", header, "", ""].join("\r\n");
    expect(await rawHttp(magpie.url, text)).toMatch(/^HTTP\/1.1 200 .*"live"/s);
  });

  test("chunks that make a small body are taken", async () => {
    const headers = ["transfer-encoding: chunked", "connection: close"];
    const answer = await rawHttp(magpie.url, post('7\r\n{"a":1}\r\n0\r\n\r\n', ...headers));
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe("health and metrics", () => {
  test("live answers always, ready names a service that does not", async () => {
    expect((await magpie.request("GET", "/health/live", { key: null })).json()).toEqual({ status: "live" });
    const reply = await magpie.request("GET", "/health/ready", { key: null });
    const body = expectEnvelope(reply, 503, "overloaded") as ErrorBody & {
      services: Record<string, { status: string }>;
      rooms: Record<string, { status: string }>;
    };
    expect(body.services.keys?.status).toBe("ready");
    expect(body.services.scraper?.status).toBe("unavailable");
    expect(body.rooms).toEqual(body.services);
  });

  test("metrics count requests by route and status, and name no key", async () => {
    await magpie.request("GET", "/probe/refuse/not_found");
    await until("the request is counted", async () => {
      const { text } = await magpie.request("GET", "/metrics", { key: null });
      return /magpie_http_requests_total\{method="GET",route="\/probe\/refuse\/\{code\}",status="404"\} [1-9]/.test(
        text,
      );
    });
    const { text, headers } = await magpie.request("GET", "/metrics", { key: null });
    expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(text).toMatch(
      /^magpie_http_request_duration_seconds_bucket\{method="POST",route="\/probe\/echo",le="\+Inf"\} \d+$/m,
    );
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^moleculer_request_total\{/m);
    expect(text).not.toContain(magpie.apiKey);
    for (const line of text.trim().split("\n"))
      expect(line).toMatch(/^(# (HELP|TYPE) |[a-zA-Z_:][\w:]*(\{.*\})? [-+\d.e]+$)/);
  });
});

describe("the document", () => {
  interface Operation {
    parameters?: { description?: string }[];
    responses: Record<string, unknown>;
    requestBody?: { content: Record<string, { schema: unknown }> };
    security: unknown[];
  }
  let document: {
    openapi: string;
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, unknown> };
  };

  beforeAll(async () => {
    document = (await magpie.request("GET", "/openapi.json", { key: null })).json();
  });

  test("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate(structuredClone(document) as never);
    expect(result).toMatchObject({ valid: true });
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  test.each(routes.filter(({ hidden }) => !hidden))("$method $path is documented as it validates", route => {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    const statuses = [String(route.status), "400", "408", "417", "431"];
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(statuses));
    expect(operation?.security).toHaveLength({ none: 0, either: 4, key: 3, admin: 2, owner: 1 }[route.auth]);
    if (route.method === "GET" || !operation?.requestBody) return;
    // A body that is no JSON is taken whole, as one parameter.
    if (route.raw) return expect(operation.requestBody.content).not.toHaveProperty("application/json");
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const body = Object.entries(route.action.params).filter(([name]) => !inPath.includes(name));
    const schema = operation.requestBody.content["application/json"]?.schema as { $ref: string };
    if (route.upload) return expectForm(route, operation.requestBody.content["multipart/form-data"]?.schema);
    const names = new NamedParts("schemas");
    const taken = { ...toJsonSchema(Object.fromEntries(body), names), ...route.bodyRules };
    expect(named(schema.$ref)).toEqual(JSON.parse(JSON.stringify(taken)));
    expect(document.components.schemas).toMatchObject(JSON.parse(JSON.stringify(names.all())));
  });

  /** A form has the file, and the options as the action checks them. */
  function expectForm({ action }: Route, schema: unknown): void {
    const names = new NamedParts("schemas");
    const options = ruleSchema(action.params.options as Rule, names);
    const form = named((schema as { $ref: string }).$ref) as { properties: object; required: string[] };
    expect(form).toMatchObject({ required: ["file"], additionalProperties: false });
    expect(form.properties).toMatchObject({ file: { type: "string", format: "binary" } });
    expect(form.properties).toMatchObject({ options: JSON.parse(JSON.stringify(options)) });
  }

  /** What a reference of the document refers to. */
  function named(reference: string): unknown {
    return document.components.schemas[reference.replace("#/components/schemas/", "")];
  }

  test("every parameter and every field of the scrape's body is described", () => {
    const published = Object.entries(document.paths).filter(([path]) => !path.startsWith("/probe/"));
    const operations = published.flatMap(([, path]) => Object.values(path));
    const parameters = operations.flatMap(({ parameters = [] }) => parameters);
    expect(parameters.filter(({ description }) => !description)).toEqual([]);
    const body = document.paths["/web/scrape"]?.post?.requestBody?.content["application/json"]?.schema;
    const plain = ["name", "value", "sameSite"];
    const undocumented = undescribed(body as Schema).filter(field => !plain.includes(field));
    expect([...new Set(undocumented)]).toEqual([]);
  });

  interface Schema {
    $ref?: string;
    description?: string;
    properties?: Record<string, Schema>;
    anyOf?: Schema[];
    items?: Schema;
  }

  function undescribed({ $ref, properties = {}, anyOf = [], items }: Schema): string[] {
    const fields = Object.entries(properties);
    return [
      ...($ref ? undescribed(named($ref) as Schema) : []),
      ...fields.flatMap(([name, { description }]) => (description ? [] : [name])),
      ...[...fields.map(([, field]) => field), ...anyOf, ...(items ? [items] : [])].flatMap(undescribed),
    ];
  }

  test("its pages show every operation with its lines, once", async () => {
    const index = await magpie.request("GET", "/docs", { key: null });
    const chapters = [
      ...new Set([...index.text.matchAll(/href="(\/docs\/[\w-]+)"/g)].map(([, path]) => path ?? "")),
    ];
    const pages = await Promise.all(chapters.map(path => magpie.request("GET", path, { key: null })));
    const shown = pages.flatMap(({ text }) =>
      [...text.matchAll(/<h2 id="(\w+)"/g)].map(([, id]) => id ?? ""),
    );
    const { paths, webhooks } = JSON.parse(
      (await magpie.request("GET", "/openapi.json", { key: null })).text,
    ) as Record<"paths" | "webhooks", Record<string, Record<string, { operationId: string }>>>;
    const all = Object.values({ ...paths, ...webhooks }).flatMap(each => Object.values(each));
    expect(shown.toSorted()).toEqual(all.map(({ operationId }) => operationId).toSorted());
    const web = pages[chapters.indexOf("/docs/web")]?.text ?? "";
    // Code has colours.
    const plain = web.replace(/<\/?span[^>]*>/g, "");
    expect(plain).toContain("-H &quot;x-api-key: $MAGPIE_API_KEY&quot;");
    expect(plain).toContain("import requests");
    expect(web).toContain('href="/dashboard/playground?what=crawl"');
  });

  test("its page and files come from here, under a policy without inline scripts", async () => {
    const page = await magpie.request("GET", "/docs", { key: null });
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/script-src 'self';/);
    expect(page.text).not.toMatch(/<script(?![^>]*src="\/assets\/)/);
    const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? "");
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const file of files) expect((await magpie.request("GET", file, { key: null })).status).toBe(200);
  });
});
