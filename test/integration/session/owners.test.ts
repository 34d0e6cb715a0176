import type { Magpie, Reply } from "../../support/magpie.ts";
import { linkFor, newKey, newOwner, type Page, signIn, startGateway } from "./visitor.ts";

let magpie: Magpie;

beforeAll(async () => {
  magpie = await startGateway({ keysPerOwner: 3 });
});
afterAll(() => magpie?.stop());

const password = "a long password";
const redeem = (token: string, chosen = password) =>
  signIn(magpie, { token, password: chosen }, { path: "/session/password" });
const keysOf = async (page: Page) => (await page.ask("GET", "/owner/keys")).json<{ data: KeyRow[] }>().data;

interface KeyRow {
  id: string;
  name: string;
  key: string;
  owner: string;
}

describe("the one-time link", () => {
  test("lets a new owner set a password, signs it in, and works once", async () => {
    const made = await magpie.request("POST", "/internal/owners/New%20Söhne/link", { admin: true });
    expect([made.status, made.json()]).toEqual([
      201,
      {
        data: {
          path: expect.stringMatching(/^\/dashboard\/welcome#[\w-]{43}$/),
          expires_at: expect.any(String),
        },
        message: expect.any(String),
      },
    ]);
    const { data } = made.json<{ data: { path: string; expires_at: string } }>();
    expect(Date.parse(data.expires_at) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    const token = data.path.split("#")[1] ?? "";
    const { reply, page } = await redeem(token);
    expect([reply.status, reply.json()]).toMatchObject([
      201,
      { data: { role: "owner", owner: "New Söhne" } },
    ]);
    expect((await page.ask("GET", "/session")).json()).toMatchObject({
      data: { owner: "New Söhne", key: null },
    });
    const again = await redeem(token, "another password");
    expect([again.reply.status, again.reply.json().code]).toEqual([410, "expired"]);
    expect((await signIn(magpie, { owner: "New Söhne", password })).reply.status).toBe(201);
  });

  test("of several at once with one link one sets its password", async () => {
    const token = await linkFor(magpie, "raced");
    const chosen = [0, 1, 2].map(n => `a long password ${n}`);
    const tries = await Promise.all(chosen.map(each => redeem(token, each)));
    expect(tries.map(({ reply }) => reply.status).sort()).toEqual([201, 410, 410]);
    const winner = tries.findIndex(({ reply }) => reply.status === 201);
    const ins = await Promise.all(chosen.map(each => signIn(magpie, { owner: "raced", password: each })));
    expect(ins.findIndex(({ reply }) => reply.status === 201)).toBe(winner);
    expect(ins.filter(({ reply }) => reply.status === 201)).toHaveLength(1);
  });

  test("ends when a newer one is made", async () => {
    const [former, newer] = [await linkFor(magpie, "linked twice"), await linkFor(magpie, "linked twice")];
    expect((await redeem(former)).reply.status).toBe(410);
    expect((await redeem(newer)).reply.status).toBe(201);
  });

  test.each([
    ["too short", "123456789"],
    ["too long", "x".repeat(201)],
  ])("a password that is %s is 400 and leaves the link as it was", async (name, chosen) => {
    const token = await linkFor(magpie, name);
    const { reply } = await redeem(token, chosen);
    expect([reply.status, reply.json()]).toMatchObject([400, { details: [{ field: "password" }] }]);
    expect((await redeem(token, "marsh lapwing kettle ".repeat(10).slice(0, 200))).reply.status).toBe(201);
  });

  test("a link that nobody made is 410", async () =>
    expect((await redeem("x".repeat(43))).reply.status).toBe(410));
});

describe("the password", () => {
  test("changes with the current one, and every other session of the owner ends", async () => {
    const page = await newOwner(magpie, "changer", password);
    const other = (await signIn(magpie, { owner: "changer", password })).page;
    expect((await other.ask("GET", "/owner/keys")).status).toBe(200);
    const body = { current_password: password, new_password: "a longer password" };
    const changed = await page.ask("PUT", "/session/password", body);
    expect([changed.status, changed.json()]).toMatchObject([200, { data: { owner: "changer" } }]);
    const cookie = changed.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect((await page.ask("GET", "/session", undefined, { cookie })).status).toBe(200);
    for (const former of [page, other]) {
      expect((await former.ask("GET", "/session")).status).toBe(401);
      expect((await former.ask("POST", "/owner/keys", { name: "n" })).status).toBe(401);
    }
    expect((await signIn(magpie, { owner: "changer", password })).reply.status).toBe(401);
    expect((await signIn(magpie, { owner: "changer", password: "a longer password" })).reply.status).toBe(
      201,
    );
  });

  test.each(["aaaaaaaaaaaa", "password123", "qwertyuiop", "1234567890", "abcabcabcabc", "Passw0rd!!"])(
    "is not %s, which is guessed first",
    async common => {
      const token = await linkFor(magpie, "commoner");
      const redeem = (password: string) => signIn(magpie, { token, password }, { path: "/session/password" });
      const { reply } = await redeem(common);
      const details = [{ field: "password", code: "too_common" }];
      expect([reply.status, reply.json()]).toMatchObject([400, { code: "validation_failed", details }]);
      // The link is good for another try.
      const { reply: opened, page } = await redeem("marsh lapwing kettle");
      expect(opened.status).toBe(201);
      const change = { current_password: "marsh lapwing kettle", new_password: common };
      expect((await page.ask("PUT", "/session/password", change)).json()).toMatchObject({
        details: [{ field: "new_password", code: "too_common" }],
      });
    },
  );

  test("does not change with a wrong one, or to one that is too short", async () => {
    const page = await newOwner(magpie, "keeper", password);
    const wrong = { current_password: "not my password", new_password: "a longer password" };
    expect((await page.ask("PUT", "/session/password", wrong)).status).toBe(403);
    const short = await page.ask("PUT", "/session/password", { ...wrong, new_password: "short" });
    expect([short.status, short.json()]).toMatchObject([400, { details: [{ field: "new_password" }] }]);
    expect((await page.ask("GET", "/session")).status).toBe(200);
  });

  test("is not there for who signed in otherwise", async () => {
    const body = { current_password: password, new_password: "a longer password" };
    const { page } = await signIn(magpie, { admin_key: magpie.adminKey });
    expect((await page.ask("PUT", "/session/password", body)).status).toBe(403);
  });

  test("is taken away by the administrator: sessions end, keys stay", async () => {
    const page = await newOwner(magpie, "locked", password);
    const { key } = await newKey(magpie, "locked");
    const link = await linkFor(magpie, "locked");
    const gone = await magpie.request("DELETE", "/internal/owners/locked/password", { admin: true });
    expect(gone.status).toBe(204);
    expect((await page.ask("GET", "/session")).status).toBe(401);
    expect((await signIn(magpie, { owner: "locked", password })).reply.status).toBe(401);
    expect((await redeem(link)).reply.status).toBe(410);
    expect((await magpie.request("GET", "/users/me", { key })).status).toBe(200);
    const nobody = await magpie.request("DELETE", "/internal/owners/nobody%20at%20all/password", {
      admin: true,
    });
    expect(nobody.status).toBe(404);
  });
});

describe("an owner's keys", () => {
  let careless: Page | undefined;
  const make = (page: Page, name = "mine") => page.ask("POST", "/owner/keys", { name });

  test("are made, shown once, renamed, used and deleted", async () => {
    const page = await newOwner(magpie, "maker", password);
    const made = await make(page);
    const { data } = made.json<{ data: KeyRow }>();
    expect([made.status, data]).toMatchObject([201, { name: "mine", owner: "maker" }]);
    expect(data.key).toMatch(/^mk_[0-9A-Za-z]{38}$/);
    const masked = `mk_…${data.key.slice(-4)}`;
    expect(await keysOf(page)).toEqual([{ ...data, key: masked }]);
    const renamed = await page.ask("PATCH", `/owner/keys/${data.id}`, { name: "other" });
    expect(renamed.json()).toEqual({
      data: { ...data, name: "other", key: masked },
      message: expect.any(String),
    });
    expect((await magpie.request("GET", "/users/me", { key: data.key })).status).toBe(200);
    expect((await page.ask("GET", `/owner/keys/${data.id}/usage?days=3`)).status).toBe(200);
    expect((await page.ask("DELETE", `/owner/keys/${data.id}`)).status).toBe(204);
    expect((await magpie.request("GET", "/users/me", { key: data.key })).status).toBe(401);
    expect(await keysOf(page)).toEqual([]);
  });

  test("are as many as allowed, and the next is refused", async () => {
    const page = await newOwner(magpie, "collector", password);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => make(page)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403, 403]);
    const refused = answers.filter(({ status }) => status === 403).map(reply => reply.json().code);
    expect(refused).toEqual(["key_limit_reached", "key_limit_reached"]);
    expect(await keysOf(page)).toHaveLength(3);
  });

  test.each([
    ["without a name", {}, "name"],
    ["with an empty name", { name: " " }, "name"],
    ["with limits", { name: "n", limits: { requestsPerMinute: 9 } }, "limits"],
    ["for another owner", { name: "n", owner: "eve" }, "owner"],
  ])("%s are 400", async (_, body, field) => {
    careless ??= await newOwner(magpie, "careless", password);
    const page = careless;
    const reply = await page.ask("POST", "/owner/keys", body);
    expect([reply.status, reply.json()]).toMatchObject([400, { details: [{ field }] }]);
  });
});

describe("the list of owners", () => {
  const list = async (
    query: string,
  ): Promise<{ data: object[]; next_cursor: string | null; reply: Reply }> => {
    const reply = await magpie.request("GET", `/internal/owners?${query}`, { admin: true });
    return { ...reply.json<{ data: object[]; next_cursor: string | null }>(), reply };
  };

  test("has those with keys and those with a link, in the order of their names, a page at a time", async () => {
    await newOwner(magpie, "Zoo b", password);
    await newKey(magpie, "zoo A");
    await newKey(magpie, "zoo A");
    await linkFor(magpie, "ZOO c");
    const all = [
      { owner: "zoo A", keys: 2, has_password: false },
      { owner: "Zoo b", keys: 0, has_password: true },
      { owner: "ZOO c", keys: 0, has_password: false },
    ];
    expect((await list("query=zOO")).data).toEqual(all);
    const first = await list("query=zoo&limit=2");
    expect(first.data).toEqual(all.slice(0, 2));
    const second = await list(`query=zoo&limit=2&cursor=${first.next_cursor}`);
    expect([second.data, second.next_cursor]).toEqual([all.slice(2), null]);
    expect((await list("query=zoo%20nobody")).data).toEqual([]);
    expect((await list("limit=200")).data).toEqual(expect.arrayContaining(all));
  });

  test.each(["limit=0", "limit=201", "cursor=x", "cursor=WyJhIl0", "query=", "other=1"])(
    "with %s is 400",
    async query => {
      const { reply } = await list(query);
      expect([reply.status, reply.json().code]).toEqual([400, "validation_failed"]);
    },
  );
});
