import { jest } from "@jest/globals";
import { type Site, startSite } from "../../support/http-site.ts";
import { type LoginSite, loginWith, ordersOf, seed, startLoginSite } from "../../support/login-site.ts";
import { type Scraper, startScraper } from "./scraper.ts";

const password = "correct horse";
let site: LoginSite;
let other: Site;
let scraper: Scraper;
let offset = 0;
const { now: realNow } = Date;

beforeAll(async () => {
  jest.spyOn(Date, "now").mockImplementation(() => realNow() + offset);
  site = await startLoginSite(password);
  other = await startSite({ "/": "<title>Other</title><p>Another site.</p>" }, undefined, "127.0.0.2");
  scraper = await startScraper([], { egressAllow: [`127.0.0.1:${site.port}`, `127.0.0.2:${other.port}`] });
});
afterAll(async () => {
  await scraper?.stop();
  await Promise.all([site?.close(), other?.close()]);
  jest.restoreAllMocks();
});
beforeEach(() => {
  site.tries = [];
  delete site.elsewhere;
});

/** Written by hand from the interface. */
interface Shown {
  id: string;
  name: string;
  site: string;
  has_login: boolean;
  signed_in_since: string | null;
  last_checked: string | null;
  last_login: string | null;
  problem: { message: string; at: string } | null;
}

const bodyOf = (session: object, path = "/orders", more: object = {}) => ({
  ...{ url: site.url + path, session, request: { only_main_content: false }, timeout: 60_000 },
  ...more,
});
const read = async (session: object, path?: string, more?: object, options?: { key: string }) =>
  (await scraper.job(bodyOf(session, path, more), options)).data.markdown ?? "";
const sessions = async (key?: string) =>
  (await scraper.request("GET", "/sessions", key ? { key } : {})).json<{ data: Shown[] }>().data;
const named = async (name: string) =>
  (await sessions()).find(each => each.name === name && each.site === "127.0.0.1") as Shown;
const expected = ordersOf(1).slice(0, 60);

test("a login is carried out once, and later visits need its name alone", async () => {
  expect(await read({ name: "one", login: loginWith(password) })).toContain(expected);
  expect(site.tries.length).toBe(1);
  expect(await read({ name: "one" })).toContain(expected);
  // The renewed cookie of the plain fetch is the one of the browser, and the other way.
  expect(await read({ name: "one" }, "/orders", { js_render: { wait_for: { ms: 1 } } })).toContain(expected);
  expect(await read({ name: "one" })).toContain(expected);
  expect(site.tries.length).toBe(1);
  const shown = await named("one");
  expect(shown).toMatchObject({ site: "127.0.0.1", has_login: true, problem: null });
  expect([shown.signed_in_since, shown.last_checked, shown.last_login]).not.toContain(null);
});

test("nothing of it is shown, and nothing is in the store in plain text", async () => {
  const answers = await Promise.all([
    scraper.request("GET", "/sessions"),
    scraper.request("GET", `/sessions/${(await named("one")).id}`),
  ]);
  for (const { status, text } of answers) {
    expect(status).toBe(200);
    for (const secret of [password, seed, "ada@example.com", "sid", "turn"])
      expect(text).not.toContain(secret);
  }
});

test("a page of a session is neither served from earlier scrapes nor serves others", async () => {
  await read({ name: "one" }, "/orders", { max_age: 600_000 });
  const { length } = site.hits;
  const { data } = await scraper.job(bodyOf({ name: "one" }, "/orders", { max_age: 600_000 }));
  expect(site.hits.length).toBeGreaterThan(length);
  expect(data.metadata.cached_at).toBeUndefined();
  const [status, code] = await scraper.refusal({ url: `${site.url}/orders`, max_age: 600_000 });
  expect([status, code]).toEqual([502, "target_blocked"]);
});

test("another key has a jar of its own by the same name", async () => {
  const key = await scraper.newKey("bo");
  const [, code] = await scraper.refusal(bodyOf({ name: "one" }), { key });
  expect([code, site.tries.length]).toEqual(["target_blocked", 0]);
  const [theirs] = await sessions(key);
  expect(theirs).toMatchObject({ name: "one", has_login: false, signed_in_since: null });
  const { id } = await named("one");
  expect(theirs?.id).not.toBe(id);
  for (const method of ["GET", "DELETE"] as const)
    expect((await scraper.request(method, `/sessions/${id}`, { key })).status).toBe(404);
});

test("another site gets nothing of it", async () => {
  const { length } = other.hits;
  await scraper.job({ url: `http://127.0.0.2:${other.port}/`, session: { name: "one" } });
  expect(other.hits.slice(length).map(({ headers }) => headers.cookie)).toEqual([undefined]);
});

test("a wrong password is tried once in an hour, and the session says so", async () => {
  const wrong = { name: "wrong", login: loginWith("wrong password") };
  for (let n = 0; n < 3; n += 1) {
    const [status, code, { message }] = await scraper.refusal(bodyOf(wrong));
    expect([status, code, message]).toEqual([
      502,
      "target_blocked",
      expect.stringContaining("Its login has failed"),
    ]);
  }
  expect(site.tries.length).toBe(1);
  const { problem, signed_in_since } = await named("wrong");
  expect([problem?.message, signed_in_since]).toEqual([expect.stringContaining("input[name=code]"), null]);
  expect(problem?.message).not.toContain("wrong password");
  offset += 61 * 60_000;
  await scraper.refusal(bodyOf({ name: "wrong" }));
  expect(site.tries.length).toBe(2);
  offset += 61 * 60_000;
  // A login that is mended waits for its hour, too.
  expect(await read({ name: "wrong", login: loginWith(password) })).toContain(expected);
  expect(await named("wrong")).toMatchObject({ problem: null, signed_in_since: expect.any(String) });
});

test("visits at once sign in once, and all of them read the page", async () => {
  const session = { name: "many", login: loginWith(password) };
  const read1 = (path: string) => read(session, path);
  // Each address is a page of its own; the site takes one renewal after the other.
  const found = await Promise.allSettled(["/orders/a", "/orders/b", "/orders/c"].map(read1));
  expect(site.tries.length).toBe(1);
  expect(found.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
});

test("local storage stays between visits of a browser", async () => {
  const login = {
    actions: [
      { type: "type", selector: "#pw", text: password },
      { type: "click", selector: "#go" },
    ],
  };
  expect(await read({ name: "app", login }, "/app")).toContain("Signed in with the token");
  expect(await read({ name: "app" }, "/app")).toContain("Signed in with the token");
  expect((await named("app")).problem).toBeNull();
});

test("a selector says that nobody is signed in where the site does not", async () => {
  const login = { ...loginWith(password), when: "h1", url: `${site.url}/login` };
  const [, code, { message }] = await scraper.refusal(bodyOf({ name: "when", login }));
  expect([code, message, site.tries.length]).toEqual([
    "target_blocked",
    expect.stringContaining("asks for it again at once"),
    1,
  ]);
});

test("a login does not leave its site", async () => {
  site.elsewhere = `http://127.0.0.2:${other.port}/`;
  const { length } = other.hits;
  const [, , { message }] = await scraper.refusal(bodyOf({ name: "away", login: loginWith(password) }));
  expect(message).toContain("another site, 127.0.0.2");
  expect(other.hits.length).toBe(length);
});

test("what is erased is gone: the next visit is nobody's", async () => {
  const { id } = await named("one");
  expect((await scraper.request("DELETE", `/sessions/${id}`)).status).toBe(200);
  expect((await scraper.request("GET", `/sessions/${id}`)).status).toBe(404);
  const [, code, { message }] = await scraper.refusal(bodyOf({ name: "one" }));
  expect([code, message]).toEqual(["target_blocked", expect.stringContaining("has no login")]);
});

const [typing] = loginWith(password).actions;
test.each([
  [{ name: "a b" }, "session.name"],
  [{}, "session.name"],
  [{ name: "a", login: { actions: [] } }, "session.login.actions"],
  [{ name: "a", login: { actions: [{ type: "type", text: "x" }] } }, "session.login.actions.0.selector"],
  [{ name: "a", login: { actions: [{ ...typing, totp: seed }] } }, "session.login.actions.0.text"],
  [
    { name: "a", login: { actions: [{ type: "click", selector: "#a", totp: seed }] } },
    "session.login.actions.0.totp",
  ],
  [
    { name: "a", login: { actions: [{ type: "type", selector: "#a", totp: "no seed" }] } },
    "session.login.actions.0.totp",
  ],
  [{ name: "a", login: { actions: [typing], when: "p[" } }, "session.login.when"],
  [{ name: "a", login: { actions: [typing], url: "https://other.example/login" } }, "session.login.url"],
])("%j is refused and names %s", async (session, field) => {
  const [status, , { details }] = await scraper.refusal(bodyOf(session));
  expect([status, details?.[0]?.field]).toEqual([400, field]);
});
