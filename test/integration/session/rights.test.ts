import { routes } from "../../../services/api/routes/routes.ts";
import type { Magpie, Reply } from "../../support/magpie.ts";
import { newKey, newOwner, type Page, signIn, startGateway } from "./visitor.ts";

let magpie: Magpie;
let victim: { id: string; key: string };
let visitors: Record<string, (method: string, path: string, body?: object) => Promise<Reply>>;

beforeAll(async () => {
  magpie = await startGateway();
  victim = await newKey(magpie, "ada");
  const [stranger, leaked] = [await newKey(magpie, "eve"), await newKey(magpie, "ada")];
  const { page: keySession } = await signIn(magpie, { api_key: leaked.key });
  const foreign = await newOwner(magpie, "eve", "a long password");
  const own = await newOwner(magpie, "ada", "a long password");
  const by =
    (page: Page, headers = {}) =>
    (method: string, path: string, body?: object) =>
      page.ask(method, path, body, headers);
  visitors = {
    "a leaked key of the owner": (method, path, body) =>
      magpie.request(method, path, { key: leaked.key, body }),
    "a leaked key beside the owner's session": by(own, { "x-api-key": leaked.key }),
    "a session with a leaked key": by(keySession),
    "a session with a leaked key that names itself": by(keySession, { "x-key-id": leaked.id }),
    "a key of another owner": (method, path, body) =>
      magpie.request(method, path, { key: stranger.key, body }),
    "the session of another owner": by(foreign),
    "the session of another owner that names the key": by(foreign, { "x-key-id": victim.id }),
    nobody: (method, path, body) => magpie.request(method, path, { key: null, body }),
  };
});
afterAll(() => magpie?.stop());

/** Everything that makes, renames, deletes or shows keys, but for what belongs to the one who asks. */
const asks: [method: string, path: string, body?: object][] = [
  ["GET", "/internal/keys"],
  ["POST", "/internal/keys", { owner: "ada", name: "stolen" }],
  ["PATCH", "/internal/keys/{victim}", { name: "stolen" }],
  ["DELETE", "/internal/keys/{victim}"],
  ["GET", "/internal/keys/{victim}/usage"],
  ["GET", "/internal/owners"],
  ["POST", "/internal/owners/ada/link"],
  ["DELETE", "/internal/owners/ada/password"],
  ["PATCH", "/owner/keys/{victim}", { name: "stolen" }],
  ["DELETE", "/owner/keys/{victim}"],
  ["GET", "/owner/keys/{victim}/usage"],
  ["PUT", "/session/password", { current_password: "wrong password", new_password: "a longer password" }],
];

/** What an owner may do with its own keys, and no key may. */
const ofOwners: typeof asks = [
  ["GET", "/owner/keys"],
  ["POST", "/owner/keys", { name: "stolen" }],
];

/** Rows of one length: Jest takes a missing last argument for the callback of an older kind of test. */
const rows = (list: typeof asks) => list.map(([method, path, body]) => ({ method, path, body }));
const at = (path: string) => path.replace("{victim}", victim.id);
const names = [
  "a leaked key of the owner",
  "a leaked key beside the owner's session",
  "a session with a leaked key",
  "a session with a leaked key that names itself",
  "a key of another owner",
  "the session of another owner",
  "the session of another owner that names the key",
  "nobody",
];

describe.each(names)("%s", name => {
  test.each(rows(asks))("is refused $method $path", async ({ method, path, body }) => {
    const reply = await visitors[name]?.(method, at(path), body);
    expect([401, 403, 404]).toContain(reply?.status);
    expect(reply?.text).not.toContain("mk_");
  });
});

describe.each(names.filter(name => !name.startsWith("the session of another owner")))("%s", name => {
  test.each(rows(ofOwners))("is refused $method $path", async ({ method, path, body }) => {
    const reply = await visitors[name]?.(method, path, body);
    expect([401, 403]).toContain(reply?.status);
  });
});

test("after all of it the key is as it was, and there is no other", async () => {
  const list = await magpie.request("GET", "/internal/keys?owner=ada", { admin: true });
  const { data } = list.json<{ data: { id: string; name: string }[] }>();
  expect(data.map(({ name }) => name)).toEqual(["n", "n"]);
  expect((await magpie.request("GET", "/users/me", { key: victim.key })).status).toBe(200);
});

test("every route of owners and of the administration is asked for above, or no key is in its path", () => {
  const changesKeys = routes.filter(
    ({ auth, path }) =>
      auth === "owner" || path.startsWith("/internal/keys") || path.startsWith("/internal/owners"),
  );
  const asked = [...asks, ...ofOwners].map(
    ([method, path]) => `${method} ${path.replace("{victim}", "{id}").replace("/ada/", "/{owner}/")}`,
  );
  expect(asked).toEqual(expect.arrayContaining(changesKeys.map(({ method, path }) => `${method} ${path}`)));
});

test("no API key and no session with one is admitted to any route of the administration", async () => {
  for (const { method, path } of routes.filter(
    ({ auth, action }) => auth === "admin" && action.kind !== "all-events",
  )) {
    for (const name of ["a leaked key of the owner", "a session with a leaked key"]) {
      const reply = await visitors[name]?.(method, path.replaceAll(/\{\w+\}/g, "x"));
      expect({ method, path, status: reply?.status }).toEqual({
        method,
        path,
        status: name.includes("session") ? 403 : 401,
      });
    }
  }
});
