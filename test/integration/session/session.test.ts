import type { KeysContext } from "../../../services/keys/context.ts";
import type { Magpie, Reply } from "../../support/magpie.ts";
import { newAddress, newKey, newOwner, pageOf, signIn, startGateway } from "./visitor.ts";

let magpie: Magpie;

beforeAll(async () => {
  magpie = await startGateway();
});
afterAll(() => magpie?.stop());

const time = expect.stringMatching(/^\d{4}-.*Z$/);

test("the administrator signs in, sees who it is, and signs out", async () => {
  const { reply, page } = await signIn(magpie, { admin_key: magpie.adminKey });
  const shown = { role: "admin", owner: null, key: null, expires_at: time };
  expect([reply.status, reply.json()]).toEqual([201, { data: shown, message: "Signed in." }]);
  expect(reply.headers.get("set-cookie")).toMatch(
    /^magpie=v1\.[\w-]+\.[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  );
  expect((await page.ask("GET", "/session")).json()).toEqual({ data: shown, message: "Signed in." });
  expect((await page.ask("GET", "/internal/keys")).status).toBe(200);
  const out = await page.ask("DELETE", "/session");
  expect([out.status, out.headers.get("set-cookie")]).toEqual([
    204,
    "magpie=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0",
  ]);
});

test("the service tells which kind a key is", async () => {
  const { key } = await newKey(magpie, "either");
  const roleOf = async (value: string) => (await signIn(magpie, { key: value })).reply;
  expect((await roleOf(magpie.adminKey)).json()).toMatchObject({ data: { role: "admin" } });
  expect((await roleOf(key)).json()).toMatchObject({ data: { role: "key", owner: "either" } });
  const wrong = await roleOf("neither");
  expect([wrong.status, wrong.text]).toEqual([
    401,
    expect.stringContaining("neither the admin key nor an API key"),
  ]);
});

test("the administrator acts as any key, by its header or its session, without a limit", async () => {
  const { id } = await newKey(magpie, "acting", { requestsPerMinute: 1 });
  const { page } = await signIn(magpie, { admin_key: magpie.adminKey });
  for (let n = 0; n < 3; n += 1) {
    const bySession = await page.ask("GET", "/users/me", undefined, { "x-key-id": id });
    expect(bySession.json()).toMatchObject({ data: { key: { id }, owner: "acting" } });
    const byHeader = await magpie.request("GET", "/users/me", { admin: true, headers: { "x-key-id": id } });
    expect(byHeader.status).toBe(200);
  }
});

test.each(["admin", "owner"])("on a key's route the %s is asked for x-key-id", async role => {
  const page =
    role === "owner"
      ? await newOwner(magpie, "unnamed", "a long password")
      : (await signIn(magpie, { admin_key: magpie.adminKey })).page;
  const reply = await page.ask("GET", "/users/me");
  expect([reply.status, reply.text]).toEqual([401, expect.stringContaining("x-key-id")]);
  const unknown = await page.ask("GET", "/users/me", undefined, { "x-key-id": "none" });
  expect(unknown.status).toBe(400);
  expect(unknown.json()).toMatchObject({ details: [{ field: "x-key-id", code: "not_found" }] });
});

test("the admin key in a header is asked the same", async () => {
  const reply = await magpie.request("GET", "/users/me", { admin: true });
  expect([reply.status, reply.text]).toEqual([401, expect.stringContaining("x-key-id")]);
});

test("an owner acts as its own keys only, within their limits, and its use is counted", async () => {
  const page = await newOwner(magpie, "ada", "a long password");
  const [own, foreign] = [await newKey(magpie, "ada", { requestsPerMinute: 2 }), await newKey(magpie, "eve")];
  const actAs = (id: string) => page.ask("GET", "/users/me", undefined, { "x-key-id": id });
  expect((await actAs(foreign.id)).status).toBe(400);
  expect((await actAs(own.id)).json()).toMatchObject({ data: { key: { id: own.id }, owner: "ada" } });
  expect([(await actAs(own.id)).status, (await actAs(own.id)).status]).toEqual([200, 429]);
});

test("a session with an API key acts as that key and no other, and ends with it", async () => {
  const { id, key } = await newKey(magpie, "with key");
  const { reply, page } = await signIn(magpie, { api_key: key });
  const shown = { role: "key", owner: "with key", key: { id, name: "n" }, expires_at: time };
  expect(reply.json()).toEqual({ data: shown, message: "Signed in." });
  expect((await page.ask("GET", "/users/me")).json()).toMatchObject({ data: { key: { id } } });
  expect((await page.ask("GET", "/users/me", undefined, { "x-key-id": id })).status).toBe(200);
  const other = await newKey(magpie, "with key");
  expect((await page.ask("GET", "/users/me", undefined, { "x-key-id": other.id })).status).toBe(403);
  await magpie.request("DELETE", `/internal/keys/${id}`, { admin: true });
  expect((await page.ask("GET", "/session")).status).toBe(401);
  expect((await page.ask("GET", "/users/me")).status).toBe(401);
});

test("an API key names no other key", async () => {
  const other = await newKey(magpie, "another");
  const reply = await magpie.request("GET", "/users/me", { headers: { "x-key-id": other.id } });
  expect([reply.status, reply.json().code]).toEqual([403, "forbidden"]);
});

test("who only acts as a key does not read values of keys", async () => {
  const { id, key } = await newKey(magpie, "masked");
  const { page } = await signIn(magpie, { api_key: key });
  const asAdmin = { admin: true, headers: { "x-key-id": id } };
  const [sent, bySession, byAdmin] = [
    await magpie.request("GET", "/users/me/api-keys", { key }),
    await page.ask("GET", "/users/me/api-keys"),
    await magpie.request("GET", "/users/me/api-keys", asAdmin),
  ];
  expect(sent.text).toContain(key);
  for (const reply of [bySession, byAdmin]) {
    expect(reply.json()).toMatchObject({ data: { apiKeys: [{ id, key: `mk_…${key.slice(-4)}` }] } });
    expect(reply.text).not.toContain(key);
  }
});

describe("a cookie does not count", () => {
  test.each<[string, string, string, Record<string, string>, number]>([
    ["from another site", "GET", "/internal/keys", { "sec-fetch-site": "cross-site" }, 401],
    ["from another site for the session", "GET", "/session", { "sec-fetch-site": "cross-site" }, 401],
    ["from the address bar", "GET", "/internal/keys", { "sec-fetch-site": "none" }, 401],
    ["in a write without the header", "POST", "/internal/keys", { "x-magpie-csrf": "" }, 401],
    ["in a sign-out without the header", "DELETE", "/session", { "x-magpie-csrf": "" }, 401],
    ["beside an API key", "GET", "/internal/keys", { "x-api-key": "test-api-key-0123456789" }, 401],
    ["beside a wrong admin key", "GET", "/internal/keys", { "x-admin-key": "wrong" }, 401],
    ["that was changed", "GET", "/internal/keys", { cookie: "magpie=v1.e30.AAAA" }, 401],
  ])("%s", async (_, method, path, headers, status) => {
    const { page } = await signIn(magpie, { admin_key: magpie.adminKey });
    const reply = await page.ask(
      method,
      path,
      method === "POST" ? { owner: "o", name: "n" } : undefined,
      headers,
    );
    expect([reply.status, reply.headers.get("set-cookie")]).toEqual([status, null]);
  });

  test("with another admin key", async () => {
    const { reply } = await signIn(magpie, { admin_key: magpie.adminKey });
    const other = await startGateway({ adminKey: "another-admin-key-of-this-test" });
    expect((await pageOf(other, reply).ask("GET", "/internal/keys")).status).toBe(401);
    await other.stop();
  });
});

describe("signing in", () => {
  test.each<[string, object, string]>([
    ["nothing", {}, ""],
    ["two ways", { admin_key: "a", api_key: "b" }, ""],
    ["a password alone", { password: "a long password" }, "owner"],
    ["an owner alone", { owner: "ada" }, "password"],
    ["another field", { admin_key: "a", remember: true }, "remember"],
    ["a number", { api_key: 1 }, "api_key"],
    ["an empty key", { api_key: "" }, "api_key"],
  ])("with %s is 400", async (_, body, field) => {
    const { reply } = await signIn(magpie, body);
    expect([reply.status, reply.headers.get("set-cookie")]).toEqual([400, null]);
    expect(reply.json<{ details: { field: string }[] }>().details.map(each => each.field)).toContain(field);
  });

  test.each<object>([
    { admin_key: "not the admin key" },
    { api_key: "not-an-api-key" },
    { owner: "nobody", password: "a long password" },
    { owner: "default", password: "a long password" },
  ])("with %j is 401, without a cookie", async body => {
    const { reply } = await signIn(magpie, body);
    expect([reply.status, reply.json().code, reply.headers.get("set-cookie")]).toEqual([
      401,
      "unauthorized",
      null,
    ]);
  });

  test.each<[Record<string, string>, number]>([
    [{ origin: "https://evil.example" }, 401],
    [{ "sec-fetch-site": "cross-site" }, 401],
    [{ origin: "http://192.168.1.5:3000", "sec-fetch-site": "same-origin" }, 403],
  ])("from a page that sends %j is refused", async (headers, status) => {
    const body = { admin_key: magpie.adminKey };
    const reply = await magpie.request("POST", "/session", { key: null, body, headers });
    expect([reply.status, reply.headers.get("set-cookie")]).toEqual([status, null]);
  });

  test("behind https it sets the cookie that only this host can set", async () => {
    const headers = { origin: "https://magpie.example", "sec-fetch-site": "same-origin" };
    const body = { admin_key: magpie.adminKey };
    const reply = await magpie.request("POST", "/session", { key: null, body, headers });
    expect(reply.headers.get("set-cookie")).toMatch(/^__Host-magpie=v1\..*; Secure; Path=\/; HttpOnly;/);
    expect((await pageOf(magpie, reply).ask("GET", "/session")).status).toBe(200);
  });
});

test("a stranger with one address locks itself out, and not the owner", async () => {
  await newOwner(magpie, "innocent", "a long password");
  const [stranger, home] = [newAddress(), newAddress()];
  const wrong = { owner: "innocent", password: "not the password" };
  const statuses: number[] = [];
  for (let tries = 0; tries < 7; tries += 1)
    statuses.push((await signIn(magpie, wrong, { from: stranger })).reply.status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  const right = { owner: "innocent", password: "a long password" };
  expect((await signIn(magpie, right, { from: stranger })).reply.status).toBe(429);
  expect((await signIn(magpie, right, { from: home })).reply.status).toBe(201);
});

describe("a session that somebody signed out of", () => {
  const ways: [string, () => Promise<object>][] = [
    ["an administrator's", async () => ({ admin_key: magpie.adminKey })],
    ["an API key's", async () => ({ api_key: magpie.apiKey })],
    [
      "an owner's",
      async () => {
        await newOwner(magpie, "sanderling", "a long password");
        return { owner: "sanderling", password: "a long password" };
      },
    ],
  ];

  test.each(ways)("%s ends for every copy of its cookie, and no other does", async (_, credentials) => {
    const body = await credentials();
    const pages = await Promise.all([signIn(magpie, body), signIn(magpie, body)]);
    const [own, other] = pages.map(({ page }) => page);
    expect((await own?.ask("GET", "/session"))?.status).toBe(200);
    expect((await own?.ask("DELETE", "/session"))?.status).toBe(204);
    expect((await own?.ask("GET", "/session"))?.status).toBe(401);
    expect((await own?.ask("DELETE", "/session"))?.status).toBe(204);
    expect((await other?.ask("GET", "/session"))?.status).toBe(200);
  });

  test("is kept until it would have ended, and what is no session is not kept", async () => {
    const ended = () =>
      (
        magpie.broker.getLocalService("keys") as unknown as { context: KeysContext }
      ).context.endedSessions.find();
    const before = await ended();
    const { page, reply } = await signIn(magpie, { admin_key: magpie.adminKey });
    const forged = pageOf(magpie, reply);
    forged.headers.cookie = `magpie=v1.${"a".repeat(40)}.${"b".repeat(43)}`;
    expect((await forged.ask("DELETE", "/session")).status).toBe(204);
    expect(await ended()).toHaveLength(before.length);
    await page.ask("DELETE", "/session");
    expect(await ended()).toHaveLength(before.length + 1);
    expect(JSON.stringify(await ended())).not.toContain(page.headers.cookie?.split("=")[1] ?? "");
  });
});

describe("a browser where an owner signed in before", () => {
  const password = "a long password";
  const cookieOf = (reply: Reply) =>
    reply.headers
      .getSetCookie()
      .map(cookie => cookie.split(";")[0])
      .find(cookie => cookie?.includes("-device="));
  const tryFrom = (from: string, body: object, cookie = "") =>
    magpie.request("POST", "/session", { key: null, body, headers: { "x-forwarded-for": from, cookie } });

  test("is not locked by what others try, at its address or anywhere, and has five tries of its own", async () => {
    await newOwner(magpie, "heron", password);
    const from = newAddress();
    const cookie = cookieOf((await signIn(magpie, { owner: "heron", password }, { from })).reply);
    const wrong = { owner: "heron", password: "not the password" };
    for (let tries = 0; tries < 6; tries += 1) await tryFrom(from, wrong);
    expect((await tryFrom(from, { owner: "heron", password })).status).toBe(429);
    expect((await tryFrom(from, { owner: "heron", password }, cookie)).status).toBe(201);
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries += 1)
      statuses.push((await tryFrom(newAddress(), wrong, cookie)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("is known for this owner only, and by a cookie that nobody can make", async () => {
    const address = newAddress();
    await newOwner(magpie, "egret", password);
    const cookie = cookieOf((await signIn(magpie, { owner: "heron", password })).reply) ?? "";
    const wrong = { owner: "egret", password: "not the password" };
    for (let tries = 0; tries < 5; tries += 1) await tryFrom(address, wrong, cookie);
    const [name, value = ""] = cookie.split("=");
    for (const other of [cookie, `${name}=${value.slice(0, -3)}AAA`, `${name}=v1`])
      expect((await tryFrom(address, { owner: "egret", password }, other)).status).toBe(429);
  });
});

describe("with DASHBOARD=off", () => {
  let closed: Magpie;
  beforeAll(async () => {
    closed = await startGateway({ dashboard: false });
  });
  afterAll(() => closed?.stop());

  test.each(["/session", "/session/password", "/dashboard", "/owner/keys"])("%s is 404", async path => {
    expect((await closed.request("GET", path, { key: null })).status).toBe(404);
  });

  test("a cookie of before counts nowhere", async () => {
    const { reply } = await signIn(magpie, { admin_key: magpie.adminKey });
    expect((await pageOf(closed, reply).ask("GET", "/internal/keys")).status).toBe(401);
    expect((await closed.request("GET", "/internal/keys", { admin: true })).status).toBe(200);
  });
});
