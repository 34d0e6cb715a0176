import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { noActs } from "../../services/api/audit/acts.ts";
import type { Route } from "../../services/api/routes/route.ts";
import { routes } from "../../services/api/routes/routes.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { ServiceProcess } from "../faults/deliveries/service-process.ts";
import { removeFolder } from "../support/folders.ts";
import type { Magpie } from "../support/magpie.ts";
import { withoutBrowser } from "../support/start-args.ts";
import { linkFor, newKey, newOwner, type Page, signIn, startGateway } from "./session/visitor.ts";

/** Written by hand: a change of the wire breaks it. */
interface Act {
  id: string;
  type: string;
  timestamp: string;
  data: {
    actor: { role: string; owner: string | null; key_id: string | null; signed_in: boolean };
    operation: string;
    path: Record<string, string>;
    fields: string[];
    target: string | null;
    status: number;
    code: string | null;
    request_id: string;
    client: string;
  };
}

/** A word that each secret of the tests has. */
const mark = "Geheimnis";
const password = `${mark} of an owner`;

let magpie: Magpie;
let key: { id: string; key: string };
let owner: Page;

beforeAll(async () => {
  // The services behind the gateway are away: what is admitted fails there, and changes nothing.
  magpie = await startGateway({ keysPerOwner: 100 });
  key = await newKey(magpie, "ann", { requestsPerMinute: 1_000_000 });
  owner = await newOwner(magpie, "ann", password);
});
afterAll(() => magpie.stop());

let requests = 0;
const newId = () => {
  requests += 1;
  return `audit-test-${requests}`;
};

const exported = async (query = "") =>
  (await magpie.request("GET", `/internal/audit/export${query}`, { admin: true })).text;

const all = async (query = ""): Promise<Act[]> =>
  (await exported(query))
    .split("\n")
    .filter(Boolean)
    .map(line => JSON.parse(line));

const of = (acts: Act[], id: string) => acts.filter(({ data }) => data.request_id === id);

/** Signing in and out has a test of its own; the links of mails are nobody's, and kept when they were right. */
const apart = new Set(["signIn", "signOut", "setPassword", "confirmAddress", "unsubscribeAddress"]);
const changing = routes.filter(({ method, name }) => method !== "GET" && !apart.has(name));

/** Asks for an operation as who may, with a secret as the value of every field. */
async function ask({ method, path, auth, action }: Route): Promise<string> {
  const id = newId();
  const at = path.replace("{source}", "rss").replace(/\{\w+\}/g, "x");
  const named = Object.keys(action.params).filter(
    each => !each.startsWith("$$") && !path.includes(`{${each}}`),
  );
  const body = Object.fromEntries([...named, `${mark}-name`].map(name => [name, `${mark} in ${name}`]));
  const headers = { "x-request-id": id, ...(auth === "key" && { "x-key-id": key.id }) };
  if (auth === "owner") await owner.ask(method, at, body, headers);
  else await magpie.request(method, at, { admin: true, headers, body });
  return id;
}

test("every operation that changes something leaves an event, or is in the list of those that are no acts", async () => {
  expect(changing.length).toBeGreaterThan(80);
  const asked = new Map<string, Route>();
  for (const route of changing) asked.set(await ask(route), route);
  const acts = await all();
  const faults = [...asked].flatMap(([id, route]) => {
    const found = of(acts, id);
    const wanted = Object.hasOwn(noActs, route.name) ? 0 : 1;
    return found.length === wanted && found.every(({ data }) => data.operation === route.name)
      ? []
      : [`${route.name}: ${found.length} events, not ${wanted}`];
  });
  expect(faults).toEqual([]);
});

test("a dry run is no act", async () => {
  const runs: [string, object, string?][] = [
    ["/internal/erasures", { owner: "nobody at all" }],
    ["/internal/dispatch", { posts: [] }],
    ["/track/opml", {}, key.id],
  ];
  for (const [path, body, as] of runs)
    for (const dry_run of [true, false]) {
      const headers = { "x-request-id": newId(), ...(as !== undefined && { "x-key-id": as }) };
      const query = as === undefined ? "" : `?dry_run=${dry_run}`;
      await magpie.request("POST", path + query, {
        admin: true,
        headers,
        body: as === undefined ? { ...body, dry_run } : body,
      });
      expect([path, dry_run, of(await all(), headers["x-request-id"]).length]).toEqual([
        path,
        dry_run,
        dry_run ? 0 : 1,
      ]);
    }
});

test("what is no act is an operation that there is, with a reason", () => {
  const names = new Set(routes.filter(({ method }) => method !== "GET").map(({ name }) => name));
  expect(Object.keys(noActs).filter(name => !names.has(name))).toEqual([]);
  expect(Object.values(noActs).every(reason => reason.length > 10)).toBe(true);
});

test("an event says who, what, how it ended, and from where", async () => {
  const headers = { "x-request-id": newId(), "x-forwarded-for": "198.51.100.200" };
  const body = { owner: "bob", name: "n", limits: { requestsPerMinute: 7 } };
  const made = await magpie.request("POST", "/internal/keys", { admin: true, headers, body });
  const { id } = made.json<{ data: { id: string } }>().data;
  const [act] = of(await all("?type=createApiKey"), headers["x-request-id"]);
  expect(act).toMatchObject({
    id: expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
    type: "audit.createApiKey",
    data: {
      actor: { role: "admin", owner: null, key_id: null, signed_in: false },
      operation: "createApiKey",
      path: {},
      fields: ["owner", "name", "limits"],
      target: id,
      status: 201,
      code: null,
      client: "198.51.100.200",
    },
  });
  const refused = { "x-request-id": newId() };
  await magpie.request("DELETE", "/internal/keys/nothing", { admin: true, headers: refused });
  expect(of(await all(), refused["x-request-id"])[0]?.data).toMatchObject({
    path: { id: "nothing" },
    fields: [],
    status: 404,
    code: "not_found",
  });
});

test("a person is told from a key, and the key that it acts as is named", async () => {
  const ways: [(headers: Record<string, string>) => Promise<unknown>, object][] = [
    [
      headers => magpie.request("DELETE", "/webhook", { key: key.key, headers }),
      { role: "key", owner: "ann", key_id: key.id, signed_in: false },
    ],
    [
      headers =>
        magpie.request("DELETE", "/webhook", { admin: true, headers: { ...headers, "x-key-id": key.id } }),
      { role: "admin", owner: null, key_id: key.id, signed_in: false },
    ],
    [
      headers => owner.ask("DELETE", "/webhook", undefined, { ...headers, "x-key-id": key.id }),
      { role: "owner", owner: "ann", key_id: key.id, signed_in: true },
    ],
    [
      headers => owner.ask("POST", "/owner/keys", { name: "n" }, headers),
      { role: "owner", owner: "ann", key_id: null, signed_in: true },
    ],
  ];
  for (const [send, actor] of ways) {
    const id = newId();
    await send({ "x-request-id": id });
    expect(of(await all(), id).map(({ data }) => data.actor)).toEqual([actor]);
  }
});

test("of a key only what was or may have been done is kept", async () => {
  const path = "/users/me/messenger-default-key";
  const kept: [number, number][] = [];
  for (const apiKeyId of [7, "nothing", key.id, null]) {
    const headers = { "x-request-id": newId() };
    const { status } = await magpie.request("PUT", path, { key: key.key, headers, body: { apiKeyId } });
    kept.push([status, of(await all(), headers["x-request-id"]).length]);
  }
  const headers = { "x-request-id": newId() };
  const away = await magpie.request("DELETE", "/webhook", { key: key.key, headers });
  kept.push([away.status, of(await all(), headers["x-request-id"]).length]);
  expect(kept).toEqual([
    [400, 0],
    [404, 0],
    [200, 1],
    [200, 1],
    [503, 1],
  ]);
});

test("a chosen request id hides nothing", async () => {
  const headers = { "x-request-id": newId() };
  for (let n = 0; n < 3; n += 1)
    await magpie.request("POST", "/internal/keys", {
      admin: true,
      headers,
      body: { owner: "eve", name: "n" },
    });
  const found = of(await all(), headers["x-request-id"]);
  expect(new Set(found.map(({ id }) => id)).size).toBe(3);
});

test("who signs in, out, or sets a password is named, and who guesses is counted", async () => {
  const admin = await signIn(magpie, { admin_key: magpie.adminKey });
  await admin.page.ask("DELETE", "/session");
  await signIn(magpie, { owner: "ann", password });
  const from = "198.51.100.201";
  const tries = Array.from({ length: 9 }, () => ({ owner: "ann", password: `${mark} guessed` }));
  for (const guess of tries) await signIn(magpie, guess, { from });
  const acts = await all();
  const ofType = (type: string) => acts.filter(each => each.type === type).map(({ data }) => data);
  expect(ofType("audit.signOut")).toMatchObject([{ actor: { role: "admin", signed_in: true }, status: 204 }]);
  expect(ofType("audit.setPassword")).toMatchObject([
    { actor: { role: "owner", owner: "ann" }, status: 201 },
  ]);
  const good = ofType("audit.signIn").filter(({ status }) => status === 201);
  expect(good.map(({ actor }) => actor.role)).toEqual(["admin", "owner"]);
  const bad = ofType("audit.signIn").filter(({ client }) => client === from);
  expect(bad.map(({ status, actor }) => [status, actor.role, actor.owner])).toEqual([
    ...Array.from({ length: 5 }, () => [401, "nobody", "ann"]),
    [429, "nobody", "ann"],
  ]);
});

test("a wrong admin key is kept, whatever it asks for", async () => {
  const headers = {
    "x-request-id": newId(),
    "x-admin-key": `${mark} admin`,
    "x-forwarded-for": "198.51.100.202",
  };
  await magpie.request("GET", "/internal/keys", { key: null, headers });
  expect(of(await all("?actor=nobody"), headers["x-request-id"]).map(({ data }) => data)).toMatchObject([
    { status: 401, code: "unauthorized", client: headers["x-forwarded-for"] },
  ]);
});

test("no event has a secret of its request or its answer", async () => {
  const token = await linkFor(magpie, "carl");
  const set = await signIn(magpie, { token, password }, { path: "/session/password" });
  const body = { current_password: password, new_password: `${password}!` };
  await set.page.ask("PUT", "/session/password", body);
  const cookie = String(set.page.headers.cookie).split("=")[1] ?? "";
  const text = `${await exported()}${await exported("?as=csv")}`;
  expect(text).toContain("audit.changePassword");
  const secrets = [mark, magpie.adminKey, magpie.apiKey, key.key, token, cookie];
  expect(secrets.filter(secret => secret === "" || text.includes(secret))).toEqual([]);
});

test("a table has a line for each event, and no cell that is a formula", async () => {
  const name = '=HYPERLINK("http://a.example","x"),\n';
  await magpie.request("POST", `/internal/owners/${encodeURIComponent(name)}/link`, { admin: true });
  const csv = await exported("?as=csv&type=createOwnerLink");
  const acts = await all("?type=createOwnerLink");
  expect(csv.startsWith("id,timestamp,type,role,owner,")).toBe(true);
  expect(csv.split("\r\n").length - 2).toBe(acts.length);
  expect(csv).not.toMatch(/(^|,|\r\n)"?[=+@-]/);
});

test("the list has pages, filters, and none for a key", async () => {
  const reply = await magpie.request("GET", "/internal/audit?actor=owner&limit=1", { admin: true });
  const { data, next_cursor } = reply.json<{ data: Act[]; next_cursor: string }>();
  expect(data.map(each => each.data.actor.role)).toEqual(["owner"]);
  const next = await magpie.request("GET", `/internal/audit?actor=owner&limit=1&cursor=${next_cursor}`, {
    admin: true,
  });
  expect(next.json<{ data: Act[] }>().data[0]?.id).not.toBe(data[0]?.id);
  for (const path of ["/internal/audit", "/internal/audit/export"]) {
    expect((await magpie.request("GET", path, { key: key.key })).status).toBe(401);
    expect((await magpie.request("GET", `${path}?since=soon`, { admin: true })).status).toBe(400);
    expect((await magpie.request("GET", `${path}?owners=a`, { admin: true })).status).toBe(400);
  }
});

test("what cannot be kept is not answered as done, but the administrator gets in", async () => {
  const broken = await startGateway({}, config => {
    const service = keysService(config) as ServiceSchema & { actions: Record<string, { handler: unknown }> };
    Object.assign(service.actions.keepAct ?? {}, {
      handler: () => {
        throw new Error("the disk is full");
      },
    });
    return [service];
  });
  try {
    const body = { owner: "ann", name: "n" };
    const made = await broken.request("POST", "/internal/keys", { admin: true, body });
    expect([made.status, made.json().message]).toEqual([503, expect.stringContaining("It was done")]);
    expect((await signIn(broken, { admin_key: broken.adminKey })).reply.status).toBe(201);
    const refused = await broken.request("DELETE", "/internal/keys/nothing", { admin: true });
    expect(refused.status).toBe(404);
  } finally {
    await broken.stop();
  }
});

test("after kill -9 every act that was answered has its event", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "magpie-audit-kill-"));
  const service = new ServiceProcess(dataDir, { ...withoutBrowser, KEYS_PER_OWNER: "100000" });
  const answered: string[] = [];
  try {
    for (let round = 0; round < 2; round += 1) {
      await service.start();
      const wanted = answered.length + 25;
      const enough = Promise.withResolvers<void>();
      const work = Array.from({ length: 4 }, async (_, n) => {
        for (;;) {
          const body = { owner: `o${n}`, name: "n" };
          const made = (await service.admin("POST", "/internal/keys", body).catch(() => null)) as {
            data: { id: string };
          } | null;
          if (!made) return;
          answered.push(made.data.id);
          if (answered.length >= wanted) enough.resolve();
        }
      });
      await enough.promise;
      await service.kill();
      await Promise.all(work);
    }
    await service.start();
    const kept = new Set<string | null>();
    for (let cursor = ""; ; ) {
      const path = `/internal/audit?type=createApiKey&limit=100${cursor && `&cursor=${cursor}`}`;
      const page = (await service.admin("GET", path)) as { data: Act[]; next_cursor: string | null };
      for (const { data } of page.data) kept.add(data.target);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(answered.length).toBeGreaterThanOrEqual(50);
    expect(answered.filter(id => !kept.has(id))).toEqual([]);
  } finally {
    await service.close();
    await removeFolder(dataDir);
  }
}, 180_000);
