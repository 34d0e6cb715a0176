import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { Loggers, ServiceBroker } from "moleculer";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { type Action, call } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { health } from "../../services/contracts/health.contract.ts";
import * as keys from "../../services/contracts/keys.contract.ts";
import { hasKeyForm } from "../../services/domain/key/generate-key.ts";
import { checkStore } from "../../services/keys/bootstrap.ts";
import { masked } from "../../services/keys/key-records.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { removeFolder } from "../support/folders.ts";

const bootstrap = "bootstrap-key-of-the-tests";
const masterSecret = "a master secret of more than 32 characters";
const logged: string[] = [];
let dataDir: string;
let service: Running;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-keys-"));
});
afterEach(() => removeFolder(dataDir));

describe("the keys service", () => {
  beforeEach(async () => {
    service = await start();
  });
  afterEach(() => service.stop());

  const create = async (owner = "ann", name = "n", limits = {}) =>
    (await service.call(keys.createKey, { owner, name, limits })).data;
  const list = async (owner?: string) => (await service.call(keys.listKeys, { owner, limit: 50 })).data;
  const authenticate = (key: string) => service.call(keys.authenticate, { key });

  test("a generated key has the form, its limits, and lets in", async () => {
    const key = await create("ann", "  my key ", { concurrentCrawls: 7 });
    expect(hasKeyForm(key.key)).toBe(true);
    expect(key).toMatchObject({
      owner: "ann",
      name: "my key",
      limits: { ...defaultLimits, concurrentCrawls: 7 },
    });
    expect(new Date(key.createdAt).toISOString()).toBe(key.createdAt);
    const caller = { keyId: key.id, owner: "ann", limits: key.limits };
    expect([await authenticate(key.key), await authenticate(key.key)]).toEqual([caller, caller]);
  });

  test.each(["", " ", "mk_", bootstrap.toUpperCase(), `${bootstrap} `, "' OR 1=1 --", "ключ"])(
    "the value %j lets nobody in",
    async value => expect(await authenticate(value)).toBeNull(),
  );

  test("the bootstrap key is the owner default's", async () => {
    expect(await authenticate(bootstrap)).toMatchObject({ owner: "default", limits: defaultLimits });
    expect(await list("default")).toMatchObject([{ name: "default", key: masked(bootstrap) }]);
  });

  test("of 40 creations at once exactly as many as allowed succeed, per owner", async () => {
    const race = Array.from({ length: 40 }, (_, n) => create(n % 2 ? "ann" : "bob"));
    const outcomes = await Promise.allSettled(race);
    const refused = outcomes.flatMap(outcome =>
      outcome.status === "rejected" ? [codeOf(outcome.reason)] : [],
    );
    expect(refused).toEqual(Array(20).fill("key_limit_reached"));
    expect([(await list("ann")).length, (await list("bob")).length]).toEqual([10, 10]);
  });

  // SQLite keeps half a surrogate pair as another text than the one that it compares with.
  test("an owner whose name the store cannot find again is an error, not a hang", async () => {
    await create("\ud800");
    expect(await codeFrom(create("\ud800"))).toBe("conflict");
  });

  test("a deleted key makes room for one, and its value is refused at once", async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create()));
    const [first] = made;
    if (!first) throw new Error("No key was made");
    await authenticate(first.key);
    expect(await service.call(keys.deleteKey, { id: first.id })).toBeNull();
    expect(await authenticate(first.key)).toBeNull();
    expect(await codeFrom(service.call(keys.deleteKey, { id: first.id }))).toBe("not_found");
    await create();
    expect(await codeFrom(create())).toBe("key_limit_reached");
  });

  test("lists newest first, the admin's of all owners, the owner's of one", async () => {
    const made = [await create("ann", "1"), await create("bob", "2"), await create("ann", "3")];
    expect((await list()).map(key => key.name)).toEqual(["3", "2", "1", "default"]);
    const inList = (key = made[0]) => ({ ...key, key: masked(key?.key ?? "") });
    expect(await list("ann")).toEqual([inList(made[2]), inList(made[0])]);
    const mine = await service.call(keys.listMyKeys, {}, "ann");
    const shown = (key = made[0]) => ({
      id: key?.id,
      name: key?.name,
      key: key?.key,
      createdAt: key?.createdAt,
      scopes: null,
      expires_at: null,
      content_uses: null,
      last_used_at: null,
    });
    expect(mine.data).toEqual({ apiKeys: [shown(made[2]), shown(made[0])], messengerDefaultApiKeyId: null });
    expect(await codeFrom(service.call(keys.listMyKeys, {}))).toBe("unauthorized");
  });

  test("a change of name or limits is seen by the next request and keeps what it does not name", async () => {
    const { id, key } = await create("ann", "old", { concurrentCrawls: 7 });
    await authenticate(key);
    await Promise.all([
      service.call(keys.updateKey, { id, name: "new" }),
      service.call(keys.updateKey, { id, limits: { requestsPerMinute: 5 } }),
    ]);
    const limits = { ...defaultLimits, concurrentCrawls: 7, requestsPerMinute: 5 };
    expect(await list("ann")).toMatchObject([{ id, name: "new", limits }]);
    expect(await authenticate(key)).toEqual({ keyId: id, owner: "ann", limits });
    expect((await service.call(keys.updateKey, { id })).data.name).toBe("new");
    expect(await codeFrom(service.call(keys.updateKey, { id: "none", name: "x" }))).toBe("not_found");
  });

  test("the messenger's default key: of the same owner, changeable, gone with the key", async () => {
    const [mine, other] = [await create("ann"), await create("bob")];
    const choose = (apiKeyId: string | null) =>
      service.call(keys.setMessengerDefaultKey, { apiKeyId }, "ann");
    const chosen = async () => (await service.call(keys.listMyKeys, {}, "ann")).data.messengerDefaultApiKeyId;
    expect(await codeFrom(choose(other.id))).toBe("not_found");
    expect(await codeFrom(choose("none"))).toBe("not_found");
    expect((await choose(mine.id)).data).toEqual({ messengerDefaultApiKeyId: mine.id });
    expect(await chosen()).toBe(mine.id);
    await choose(null);
    expect(await chosen()).toBeNull();
    await choose(mine.id);
    await service.call(keys.deleteKey, { id: mine.id });
    expect(await chosen()).toBeNull();
  });

  test("says that its store answers", async () =>
    expect(await service.call(health("keys"), {})).toEqual({ findings: [{ name: "store", status: "ok" }] }));

  test.each([
    ["breaks", () => Promise.reject(new Error("disk I/O error")), ["Error: disk I/O error"]],
    ["has lost what is in every store", () => Promise.resolve(null), []],
  ])("or that it does not, when it %s, and what to do", async (_, findById, expected) => {
    const faults: string[] = [];
    const finding = await checkStore({ facts: { findById } }, error => faults.push(String(error)));
    expect(faults).toEqual(expected);
    expect(finding).toMatchObject({ status: "missing", detail: expect.stringContaining("DATA_DIR") });
  });

  test("tells of a page of identities which are keys'", async () => {
    const [first, second] = [await create(), await create()];
    await service.call(keys.deleteKey, { id: first.id });
    const existing = (ids: string[]) => service.call(keys.existingKeys, { ids });
    expect(await existing([first.id, second.id, "none"])).toEqual({ ids: [second.id] });
    expect(await existing([])).toEqual({ ids: [] });
    await expect(existing(Array(501).fill("x"))).rejects.toMatchObject({ code: 422 });
  });

  test("usage adds up under concurrency, by day, newest first, within the days asked for", async () => {
    const { id } = await create();
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const counts = [0, 1, 5].map(ago => ({ keyId: id, day: day(ago), requests: 2 }));
    await Promise.all(Array.from({ length: 10 }, () => service.call(keys.countUsage, { counts })));
    await service.call(keys.countUsage, { counts: [{ keyId: "gone", day: day(0), requests: 1 }] });
    const expected = [0, 1].map(ago => ({ keyId: id, day: day(ago), requests: 20 }));
    expect((await service.call(keys.keyUsage, { id, days: 5 })).data).toEqual(expected);
    // A request may leave the days out.
    const usual = {} as { days: number };
    expect((await service.call(keys.keyUsage, { id, ...usual })).data).toHaveLength(3);
    expect(await codeFrom(service.call(keys.keyUsage, { id: "gone", ...usual }))).toBe("not_found");
  });

  test.each<[string, Action<unknown, unknown>, unknown]>([
    ["a name of spaces", keys.createKey, { owner: "ann", name: "  " }],
    ["a limit of none", keys.createKey, { owner: "ann", name: "n", limits: { requestsPerMinute: 0 } }],
    ["an unknown limit", keys.createKey, { owner: "ann", name: "n", limits: { speed: 1 } }],
    ["a query for an id", keys.deleteKey, { id: { $ne: "" } }],
    ["a query for a key", keys.authenticate, { key: { $ne: "" } }],
  ])("%s is refused", async (_, action, params) => {
    await expect(service.call(action, params)).rejects.toMatchObject({ code: 422 });
  });

  test("no value and no secret is found on disk, in settings or in logs", async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => create()));
    await codeFrom(create("ann", " "));
    for (const { key } of made) await authenticate(key);
    const files = readdirSync(dataDir).map(name => readFileSync(join(dataDir, name)));
    const exposed = [
      ...files.map(bytes => bytes.toString("latin1")),
      service.services(),
      logged.join("\n"),
    ].join("\n");
    expect(exposed).toContain("api_keys");
    expect(logged.length).toBeGreaterThan(0);
    for (const secret of [...made.map(({ key }) => key), bootstrap, masterSecret])
      expect(exposed).not.toContain(secret);
  });
});

describe("two nodes of the service on one store", () => {
  test("start at the same time on nothing, and know at once what the other one did", async () => {
    const nodes = await Promise.all([start(), start()]);
    const [one, other] = nodes;
    expect((await other.call(keys.listKeys, { limit: 50 })).data.map(key => key.name)).toEqual(["default"]);
    const race = Array.from({ length: 20 }, (_, n) =>
      nodes[n % 2]?.call(keys.createKey, { owner: "ann", name: "n" }).then(({ data }) => data),
    );
    const made = (await Promise.allSettled(race)).flatMap(end =>
      end.status === "fulfilled" ? end.value : [],
    );
    expect(made).toHaveLength(10);
    const [key] = made;
    if (!key) throw new Error("No key was made");
    const isKnown = async () =>
      (await other.call(keys.authenticate, { key: key.key }))?.limits.concurrentCrawls;
    expect(await isKnown()).toBe(defaultLimits.concurrentCrawls);
    await one.call(keys.updateKey, { id: key.id, limits: { concurrentCrawls: 7 } });
    expect(await isKnown()).toBe(7);
    await one.call(keys.deleteKey, { id: key.id });
    expect(await isKnown()).toBeUndefined();
    await Promise.all(nodes.map(node => node.stop()));
  });
});

describe("starting again", () => {
  const values = async (change: Partial<Config>) => {
    const started = await start(change);
    const { data } = await started.call(keys.listMyKeys, {}, "default");
    await started.stop();
    return data.apiKeys.map(key => key.key);
  };

  test("makes the bootstrap key once; a changed value works beside the former one", async () => {
    expect(await values({})).toEqual([bootstrap]);
    expect(await values({})).toEqual([bootstrap]);
    expect(await values({ bootstrapApiKey: "another-bootstrap-key" })).toEqual([
      "another-bootstrap-key",
      bootstrap,
    ]);
  });

  test("does not bring back a bootstrap key that was deleted", async () => {
    const first = await start();
    const [key] = (await first.call(keys.listKeys, { limit: 50 })).data;
    await first.call(keys.deleteKey, { id: key?.id ?? "" });
    await first.stop();
    expect(await values({})).toEqual([]);
  });

  test("generates what is not given, keeps it, and finds it again", async () => {
    const unset = { masterSecret: undefined, bootstrapApiKey: undefined };
    const [generated = ""] = await values(unset);
    expect(hasKeyForm(generated)).toBe(true);
    const file = readFileSync(join(dataDir, "credentials.json"), "utf8");
    expect(await values(unset)).toEqual([generated]);
    expect(readFileSync(join(dataDir, "credentials.json"), "utf8")).toBe(file);
  });

  test("with another master secret it is refused, and harms nothing", async () => {
    await values({});
    await expect(start({ masterSecret: "x".repeat(32) })).rejects.toThrow("MASTER_SECRET is not the one");
    expect(await values({})).toEqual([bootstrap]);
  });
});

type Running = Awaited<ReturnType<typeof start>>;

async function start(change: Partial<Config> = {}) {
  const config = { ...toConfig({ DATA_DIR: dataDir }), masterSecret, bootstrapApiKey: bootstrap, ...change };
  const broker = new ServiceBroker({ logger: new CollectingLogger({ level: "trace" }) as never });
  broker.createService(keysService(config));
  try {
    await broker.start();
  } catch (error) {
    await broker.stop();
    throw error;
  }
  return {
    /** As the gateway calls: with the caller of an owner, or as the administrator. */
    call: <Params, Result>(action: Action<Params, Result>, params: Params, owner?: string) => {
      const caller = owner === undefined ? undefined : { keyId: "k", owner, limits: defaultLimits };
      return call(broker as never, action, params, { meta: { caller } }) as Promise<Result>;
    },
    services: () =>
      JSON.stringify(broker.registry.getServiceList({ withActions: true, withSettings: true } as never)),
    stop: () => broker.stop(),
  };
}

/** Everything that would be logged at the most talkative level. */
class CollectingLogger extends Loggers.Base<{ level: "trace" }> {
  override getLogHandler() {
    return (_level: string, args: unknown[]) => {
      logged.push(inspect(args, { depth: 10 }));
    };
  }
}

async function codeFrom(promise: Promise<unknown>) {
  return promise.then(
    () => "none",
    error => codeOf(error) ?? String(error),
  );
}
