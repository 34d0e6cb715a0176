import { createPublicKey, verify } from "node:crypto";
import type { ServiceSchema } from "moleculer";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { logMixin } from "../../mixins/event-log/event-log.mixin.ts";
import type { EventLog, NewEvent } from "../../mixins/event-log/event-log.ts";
import { actions, handle } from "../../services/contracts/action.ts";
import type { EventType } from "../../services/contracts/events.ts";
import { sourcesRetagged } from "../../services/contracts/events.ts";
import { sourcesOfTags } from "../../services/contracts/source-lists.contract.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import type { Magpie, Reply } from "../support/magpie.ts";
import { type Received, type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

/** An installation, embedded or a cluster, with what appends to its logs. */
export interface EndpointsWorld {
  magpie: Pick<Magpie, "request" | "broker">;
  log: EventLog;
}

/** The sources under each tag. */
const tagged: Record<string, string[]> = { work: ["a"], home: ["b"] };

const tracker = (): ServiceSchema => ({
  name: "tracker",
  actions: actions(
    handle(sourcesOfTags, "public", ({ params: { tags } }) => ({
      ids: tags.flatMap(tag => tagged[tag] ?? []),
    })),
  ),
});

export const endpointServices: ((config: Config) => ServiceSchema)[] = [
  keysService,
  webhookDispatcherService,
  tracker,
  config => ({ name: "writer", mixins: [logMixin(config)] }),
];

const { egressAllow, webhooks } = toConfig({
  EGRESS_ALLOW: "127.0.0.1/32",
  WEBHOOK_ALLOW_HTTP: "true",
  WEBHOOK_BACKOFF: "20ms,20ms,20ms,20ms",
});
export const endpointOverrides: Partial<Config> = { egressAllow, webhooks, keysPerOwner: 100 };

interface Endpoint {
  id: string;
  status: string;
  enabled: boolean;
  headers: Record<string, string>;
  event_types: string[] | null;
  waiting: number;
  public_keys?: string[];
  secret?: string;
}

/** Several endpoints of one key, over HTTP. */
export function webhookEndpointsSuite(worldOf: () => EndpointsWorld): void {
  let receiver: Receiver;
  let client: { id: string; key: string };
  let count = 0;

  beforeEach(async () => {
    receiver = await startReceiver();
    const body = { owner: "ann", name: "n" };
    const reply = await worldOf().magpie.request("POST", "/internal/keys", { admin: true, body });
    client = reply.json<{ data: typeof client }>().data;
  });
  afterEach(async () => {
    await worldOf().magpie.request("DELETE", `/internal/keys/${client.id}`, { admin: true });
    await receiver.close();
  });

  const ask = (method: string, path: string, body?: object): Promise<Reply> =>
    worldOf().magpie.request(method, path, { key: client.key, ...(body && { body }) });
  const add = async (path: string, options: object = {}): Promise<Endpoint> => {
    const reply = await ask("POST", "/webhooks", { url: receiver.url + path, ...options });
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
    const { data } = reply.json<{ data: Endpoint }>();
    receiver.trust(data.secret ?? "");
    return data;
  };
  const show = async (id: string) => (await ask("GET", `/webhooks/${id}`)).json<{ data: Endpoint }>().data;
  const append = async (...events: [type: EventType, source: string][]) => {
    const made = events.map(([type, source]): NewEvent => {
      count += 1;
      return {
        bodyId: `body-${count}`,
        type,
        timestamp: new Date().toISOString(),
        data: { source: sourceOf(source) },
        keyIds: [client.id],
      };
    });
    await worldOf().log.append(made);
  };
  const items = (...sources: string[]) =>
    append(...sources.map((source): [EventType, string] => ["rss.item.created", source]));
  const at = (path: string): Received[] => receiver.received.filter(each => each.path === path);
  const seqsAt = (path: string) => at(path).map(({ event }) => event.seq);
  const arrived = (path: string, ...seqs: number[]) =>
    until(`${seqs} are at ${path}`, () => seqs.every(seq => seqsAt(path).includes(seq)));

  test("each endpoint gets what it wants, in order, and nothing else", async () => {
    await add("/all");
    await add("/changes", { event_types: ["web.page.changed"] });
    await add("/b", { sources: ["b"] });
    await add("/work", { tags: ["work"], event_types: ["rss.item.created"] });
    await append(
      ["rss.item.created", "a"],
      ["web.page.changed", "a"],
      ["rss.item.created", "b"],
      ["web.page.changed", "b"],
      ["rss.item.created", "a"],
      ["source.failing", "c"],
    );
    await arrived("/all", 1, 2, 3, 4, 5, 6);
    await arrived("/changes", 2, 4);
    await arrived("/b", 3, 4);
    await arrived("/work", 1, 5);
    await items("a");
    await arrived("/all", 7);
    await arrived("/work", 7);
    expect(seqsAt("/work")).toEqual([1, 5, 7]);
    expect(seqsAt("/b")).toEqual([3, 4]);
    expect(seqsAt("/changes").sort()).toEqual([2, 4]);
    expect(new Set(at("/all").map(({ id }) => id))).toHaveProperty("size", 7);
    expect(at("/work")[0]?.id).toBe(at("/all").find(({ event }) => event.seq === 1)?.id);
  });

  test("a source that gets a tag, or loses it, is followed from then on", async () => {
    await add("/tagged", { tags: ["moving"] });
    const retag = async (...sources: string[]) => {
      tagged.moving = sources;
      await worldOf().magpie.broker.broadcast(sourcesRetagged.name, { keyId: client.id });
    };
    await retag("x");
    await items("x", "y");
    await arrived("/tagged", 1);
    await retag("y");
    await until("the tag is known", async () => {
      await items("x", "y");
      return at("/tagged").at(-1)?.event.data.source?.id === "y";
    });
  });

  test("secrets differ, and each can be replaced", async () => {
    const [one, other] = [await add("/one"), await add("/other")];
    expect(one.secret).toMatch(/^whsec_/);
    expect(other.secret).not.toBe(one.secret);
    receiver.trust(one.secret ?? "", other.secret ?? "");
    await items("a");
    await arrived("/one", 1);
    await arrived("/other", 1);
    expect(receiver.received.map(({ verified }) => verified)).toEqual([true, true]);
    const reply = await ask("PATCH", `/webhooks/${one.id}`, { rotate_secret: true });
    const { secret } = reply.json<{ data: Endpoint }>().data;
    expect(secret).not.toBe(one.secret);
    expect(await show(one.id)).not.toHaveProperty("secret");
    receiver.trust(secret ?? "");
    await items("a");
    await arrived("/one", 2);
    await arrived("/other", 2);
    expect(at("/one")[1]?.verified).toBe(true);
    expect(at("/other")[1]?.verified).toBe(false);
  });

  test("one that wants it is signed with a key pair, too, and anybody may read the public key", async () => {
    const plain = await add("/plain");
    const { id, public_keys: keys } = await add("/paired", { asymmetric: true, timeout_ms: 20_000 });
    expect(await show(id)).toMatchObject({ asymmetric: true, public_keys: keys, timeout_ms: 20_000 });
    expect(await show(plain.id)).toMatchObject({ asymmetric: false, public_keys: [], timeout_ms: 5_000 });
    const published = async (of: string) =>
      await worldOf().magpie.request("GET", `/.well-known/webhooks/keys/${of}`, { key: null });
    expect((await published(id)).json()).toEqual({ keys });
    expect((await published(plain.id)).status).toBe(404);
    await append(["rss.item.created", "a"]);
    await until("both have it", () => receiver.received.length === 2);
    const signatureAt = (path: string) =>
      String(receiver.received.find(each => each.path === path)?.headers["webhook-signature"]);
    expect(signatureAt("/plain")).toMatch(/^v1,\S+$/);
    expect(signatureAt("/paired")).toMatch(/^v1,\S+ v1a,\S{86}==$/);
    const { headers, body } = receiver.received.find(each => each.path === "/paired") ?? {};
    const [signature = ""] = signatureAt("/paired").match(/[^,]+$/) ?? [];
    const key = createPublicKey({
      key: {
        kty: "OKP",
        crv: "Ed25519",
        x: Buffer.from(`${keys?.[0]}`.slice(5), "base64").toString("base64url"),
      },
      format: "jwk",
    });
    const signed = Buffer.from(`${headers?.["webhook-id"]}.${headers?.["webhook-timestamp"]}.${body}`);
    expect(verify(null, signed, key, Buffer.from(signature, "base64"))).toBe(true);
    await ask("PATCH", `/webhooks/${id}`, { rotate_secret: true });
    expect((await published(id)).json()).toEqual({ keys: [expect.any(String), keys?.[0]] });
    await ask("PATCH", `/webhooks/${id}`, { asymmetric: false, timeout_ms: null });
    expect(await show(id)).toMatchObject({ asymmetric: false, public_keys: [], timeout_ms: 5_000 });
    expect((await published(id)).status).toBe(404);
  });

  test("own headers go with each delivery, and nobody can read them back", async () => {
    const headers = { Authorization: "Bearer hidden", "X-Team": "corvids" };
    const { id } = await add("/own", { headers });
    await items("a");
    await arrived("/own", 1);
    expect(at("/own")[0]?.headers).toMatchObject({ authorization: "Bearer hidden", "x-team": "corvids" });
    expect((await show(id)).headers).toEqual({ Authorization: "•••", "X-Team": "•••" });
    for (const path of ["/webhooks", `/webhooks/${id}`, "/webhook/deliveries"])
      expect((await ask("GET", path)).text).not.toContain("hidden");
    await ask("PATCH", `/webhooks/${id}`, { headers: null });
    await items("a");
    await arrived("/own", 2);
    expect(at("/own")[1]?.headers).not.toHaveProperty("authorization");
  });

  test.each([
    ["Host", "forbidden_header"],
    ["Transfer-Encoding", "forbidden_header"],
    ["content-type", "forbidden_header"],
    ["Webhook-Signature", "forbidden_header"],
    ["a b", "invalid_name"],
  ])("a header %s is refused by its name", async (name, code) => {
    const body = { url: `${receiver.url}/x`, headers: { [name]: "x" } };
    const reply = await ask("POST", "/webhooks", body);
    expect(reply.status).toBe(400);
    expect(reply.json<{ details: object[] }>().details).toMatchObject([{ field: `headers.${name}`, code }]);
    expect((await ask("GET", "/webhooks")).json().data).toEqual([]);
  });

  test.each([
    ["event_types", ["no.such.type"]],
    ["event_types", []],
    ["sources", Array.from({ length: 101 }, (_, n) => `s${n}`)],
    ["tags", ["a,b"]],
    ["format", "morse"],
    ["enabled", "perhaps"],
  ])("%s that cannot be (%#) is refused by its name", async (field, value) => {
    const reply = await ask("POST", "/webhooks", { url: `${receiver.url}/x`, [field]: value });
    expect(reply.status).toBe(400);
    const [first] = reply.json<{ details: { field: string }[] }>().details;
    expect(first?.field.split(/[.[]/)[0]).toBe(field);
  });

  test("one that is equal to another is made, and the answer names the other", async () => {
    const filter = { event_types: ["web.page.changed", "rss.item.created"], tags: ["work"] };
    const { id } = await add("/equal", { ...filter, name: "the first" });
    const made = async (path: string, options: object) => {
      const reply = await ask("POST", "/webhooks", { url: receiver.url + path, ...options });
      return [reply.status, reply.json<{ message: string }>().message.includes(id)];
    };
    expect(await made("/other", filter)).toEqual([201, false]);
    expect(await made("/equal", { ...filter, meaningful: true })).toEqual([201, false]);
    expect(await made("/equal", { tags: ["work"] })).toEqual([201, false]);
    const turned = { ...filter, event_types: filter.event_types.toReversed() };
    expect(await made("/equal", turned)).toEqual([201, true]);
    const all = (await ask("GET", "/webhooks")).json<{ data: object[] }>().data;
    expect(all).toHaveLength(5);
  });

  test("a key has twenty, and no more at once", async () => {
    const asked = Array.from({ length: 24 }, (_, n) =>
      ask("POST", "/webhooks", { url: `${receiver.url}/${n}` }),
    );
    const replies = await Promise.all(asked);
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused.map(reply => [reply.status, reply.json().code])).toEqual(
      Array(4).fill([403, "key_limit_reached"]),
    );
    const { data } = (await ask("GET", "/webhooks")).json<{ data: Endpoint[] }>();
    expect(new Set(data.map(({ id }) => id))).toHaveProperty("size", 20);
    const gone = data[7]?.id ?? "";
    expect((await ask("DELETE", `/webhooks/${gone}`)).status).toBe(200);
    expect((await ask("GET", `/webhooks/${gone}`)).status).toBe(404);
    await add("/again");
    await items("a");
    await arrived("/again", 1);
  });

  test("the first is what /webhook shows and changes", async () => {
    const reply = await ask("POST", "/webhook", { url: `${receiver.url}/first` });
    const { id } = reply.json<{ data: Endpoint }>().data;
    const further = await add("/further");
    const ids = (await ask("GET", "/webhooks")).json<{ data: Endpoint[] }>().data.map(each => each.id);
    expect(ids).toEqual([id, further.id]);
    await ask("PATCH", `/webhooks/${id}`, { url: `${receiver.url}/moved`, event_types: ["source.gone"] });
    expect((await ask("GET", "/webhook")).json().data).toBe(`${receiver.url}/moved`);
    await ask("DELETE", "/webhook");
    expect((await ask("GET", "/webhooks")).json<{ data: Endpoint[] }>().data).toMatchObject([
      { id: further.id },
    ]);
  });

  test("the oldest that is left becomes the first, for all that /webhook does", async () => {
    const { id } = (await ask("POST", "/webhook", { url: `${receiver.url}/one` })).json<{ data: Endpoint }>()
      .data;
    const [two, three] = [await add("/two"), await add("/three")];
    const removed = (await ask("DELETE", "/webhook")).json<{ message: string }>();
    expect(removed.message).toContain(`${receiver.url}/two`);
    expect((await ask("GET", `/webhooks/${id}`)).status).toBe(404);
    expect((await ask("GET", "/webhook")).json().data).toBe(`${receiver.url}/two`);
    // It takes the place of the one that was removed, and comes last nevertheless.
    const four = await add("/four");
    const ids = (await ask("GET", "/webhooks")).json<{ data: Endpoint[] }>().data.map(each => each.id);
    expect(ids).toEqual([two.id, three.id, four.id]);
    expect((await ask("GET", "/webhook")).json().data).toBe(`${receiver.url}/two`);
    await ask("POST", "/webhook/test");
    await arrived("/two", 1);
    expect([at("/three"), at("/four")]).toEqual([[], []]);
    await ask("POST", "/webhook/replay", { since: "2026-01-01T00:00:00Z" });
    await until("it came again", () => at("/two").length === 2);
    expect((await ask("PATCH", "/webhook", { name: "changed" })).json().data).toMatchObject({ id: two.id });
    const again = await ask("POST", "/webhook", { url: `${receiver.url}/moved` });
    expect([again.status, again.json().data]).toMatchObject([
      200,
      { id: two.id, url: `${receiver.url}/moved` },
    ]);
    for (const next of ["/three", "/four"]) {
      await ask("DELETE", "/webhook");
      expect((await ask("GET", "/webhook")).json().data).toBe(receiver.url + next);
    }
    expect((await ask("DELETE", "/webhook")).json()).toEqual({ message: "Webhook removed." });
    expect((await ask("GET", "/webhook")).json().data).toBeNull();
    expect((await ask("DELETE", "/webhook")).status).toBe(404);
    expect((await ask("POST", "/webhook", { url: receiver.url })).status).toBe(201);
  });

  test("a failing endpoint holds up no other, and keeps what it wants", async () => {
    receiver.behave(({ path }) => (path === "/failing" ? 410 : 200));
    const failing = await add("/failing", { sources: ["a"] });
    await add("/well");
    await items("a", "b", "a", "b");
    await arrived("/well", 1, 2, 3, 4);
    await until("it is FAILED", async () => (await show(failing.id)).status === "FAILED");
    await items("b", "a");
    await arrived("/well", 5, 6);
    expect(await show(failing.id)).toMatchObject({ status: "FAILED", waiting: 3 });
    receiver.behave(200);
    await ask("PATCH", `/webhooks/${failing.id}`, {});
    await arrived("/failing", 1, 3, 6);
    expect(seqsAt("/failing").filter(seq => seq === 2 || seq === 4 || seq === 5)).toEqual([]);
  });

  test("the key is told that an endpoint fails, has FAILED and recovered; the endpoint itself is not", async () => {
    const types = ["endpoint.failing", "endpoint.failed", "endpoint.recovered"];
    receiver.behave(({ path }) => (path === "/failing" ? 503 : 200));
    const failing = await add("/failing", { name: "shop" });
    await add("/words", { event_types: types });
    await items("a");
    const told = () => at("/words").map(({ event }) => event);
    await until("it is told", () => told().length >= 2);
    expect(told()).toMatchObject([
      { type: "endpoint.failing", data: { source: null, endpoint: { id: failing.id, name: "shop" } } },
      {
        type: "endpoint.failed",
        data: {
          endpoint: { id: failing.id, host: new URL(receiver.url).host },
          reason: expect.stringContaining("the answer was 503"),
          failing_since: expect.any(String),
          http_status: 503,
          error: "status_503",
        },
      },
    ]);
    expect(await show(failing.id)).toMatchObject({ status: "FAILED", waiting: 1 });
    receiver.behave(200);
    await ask("PATCH", `/webhooks/${failing.id}`, {});
    await arrived("/failing", 1);
    await until("it is told", () => told().length >= 3);
    await items("b");
    await until("the next one has arrived", () => at("/failing").some(({ event }) => event.seq > 4));
    expect(told().map(({ type }) => type)).toEqual(types);
    const taken = at("/failing").map(({ event }) => event.type);
    expect(taken.filter(type => types.includes(type))).toEqual([]);
  });

  test("while an endpoint is FAILED, its events go to its fallback, each once and in order, in the form of that", async () => {
    const other = await add("/other", { event_types: ["webhook.test"], format: "cloudevents" });
    receiver.behave(({ path }) => (path === "/main" ? 410 : 200));
    const main = await add("/main", { batch: { max_events: 10, max_wait_ms: 0 }, fallback: other.id });
    await items("a", "a", "b");
    await until("they are at the fallback", () => at("/other").length >= 3);
    await items("a");
    await until("so is the next one", () => at("/other").length >= 4);
    const sequences = () => at("/other").map(({ body }) => Number(JSON.parse(body).sequence));
    expect(sequences().toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
    expect(sequences().filter(seq => seq !== 3)).toEqual([1, 2, 4]);
    await until("that is written", async () => (await show(main.id)).waiting === 0);
    expect(await show(main.id)).toMatchObject({ status: "FAILED", falls_back: true });

    // The owner has repaired it: what the fallback has had does not come again.
    receiver.received.length = 0;
    receiver.behave(200);
    await ask("PATCH", `/webhooks/${main.id}`, {});
    await items("a");
    const seqsOfBatches = () =>
      at("/main").flatMap(({ body }) => (JSON.parse(body).events as { seq: number }[]).map(({ seq }) => seq));
    await until("it gets its events again", () => seqsOfBatches().some(seq => seq > 4));
    expect(seqsOfBatches().filter(seq => seq < 5)).toEqual([]);
    expect(await show(main.id)).toMatchObject({ status: "ACTIVE", falls_back: false });
  });

  test("where the fallback fails as well, or is gone, events are kept for the endpoint", async () => {
    receiver.behave(410);
    const other = await add("/other", { event_types: ["webhook.test"] });
    const main = await add("/main", { fallback: other.id });
    await items("a");
    await until("both have failed", async () => {
      const { falls_back, waiting, next_attempt_at } = (await show(main.id)) as Endpoint &
        Record<string, unknown>;
      return falls_back === true && waiting === 1 && next_attempt_at === null && at("/other").length > 0;
    });
    await ask("DELETE", `/webhooks/${other.id}`);
    receiver.behave(({ path }) => (path === "/main" ? 200 : 410));
    await ask("PATCH", `/webhooks/${main.id}`, {});
    await arrived("/main", 1);
    receiver.behave(410);
    await items("a");
    await until("it has failed", async () => (await show(main.id)).status === "FAILED");
    receiver.behave(200);
    await ask("PATCH", `/webhooks/${main.id}`, { fallback: null });
    await arrived("/main", 2);
  });

  test("a fallback is another endpoint of the key with a URL", async () => {
    const { id } = await add("/main");
    const refused = async (body: object, path = `/webhooks/${id}`) => {
      const reply = await ask(path === "/webhooks" ? "POST" : "PATCH", path, body);
      return [reply.status, reply.json<{ details: { field: string }[] }>().details[0]?.field];
    };
    expect(await refused({ fallback: id })).toEqual([400, "fallback"]);
    expect(await refused({ fallback: "none" })).toEqual([400, "fallback"]);
    expect(await refused({ url: receiver.url, fallback: "none" }, "/webhooks")).toEqual([400, "fallback"]);
  });

  test("a disabled endpoint gets nothing, and what it wanted once it is enabled", async () => {
    const { id } = await add("/quiet", { enabled: false, event_types: ["rss.item.created"] });
    await add("/other");
    await append(["rss.item.created", "a"], ["web.page.changed", "a"]);
    await arrived("/other", 1, 2);
    expect(await show(id)).toMatchObject({ status: "DISABLED", enabled: false, waiting: 1 });
    await ask("PATCH", `/webhooks/${id}`, { name: "still off" });
    expect(await show(id)).toMatchObject({ status: "DISABLED", name: "still off" });
    expect(seqsAt("/quiet")).toEqual([]);
    await ask("PATCH", `/webhooks/${id}`, { enabled: true });
    await items("a");
    await arrived("/quiet", 1, 3);
    expect(seqsAt("/quiet")).toEqual([1, 3]);
  });

  test("a narrower filter drops what waits, and a wider one brings nothing back", async () => {
    const { id } = await add("/filtered", { enabled: false });
    await items("a", "b", "a");
    await ask("PATCH", `/webhooks/${id}`, { sources: ["b"] });
    await items("b", "a");
    await ask("PATCH", `/webhooks/${id}`, { sources: null, enabled: true });
    await items("a");
    await arrived("/filtered", 2, 4, 6);
    expect(seqsAt("/filtered").sort()).toEqual([2, 4, 6]);
  });

  test("a filter also drops what waits for a retry", async () => {
    receiver.behave(({ event }) => (event.data.source?.id === "bad" ? 500 : 200));
    const { id } = await add("/retries");
    await items("bad", "a");
    await until("it was refused", () => seqsAt("/retries").includes(1));
    receiver.behave(200);
    await ask("PATCH", `/webhooks/${id}`, { sources: ["a"] });
    const refused = seqsAt("/retries").filter(seq => seq === 1).length;
    await items("bad", "a");
    await arrived("/retries", 2, 4);
    await until("nothing waits", async () => (await show(id)).waiting === 0);
    expect(seqsAt("/retries").filter(seq => seq === 1).length - refused).toBeLessThanOrEqual(1);
    expect(seqsAt("/retries")).not.toContain(3);
  });

  interface Attempt {
    id: string;
    webhook_id: string;
    seq: number;
    outcome: string;
    attempt: number;
  }
  const attempts = async (path: string) => (await ask("GET", path)).json<{ data: Attempt[] }>().data;

  test("attempts are listed for each endpoint, and a retry goes to its own", async () => {
    receiver.behave(({ path }) => (path === "/bad" ? 500 : 200));
    const first = await add("/good");
    const other = await add("/bad", { sources: ["a"] });
    await items("b", "a");
    await arrived("/good", 1, 2);
    const failed = async () => await attempts(`/webhooks/${other.id}/deliveries?status=failed`);
    await until("the failure is listed", async () => (await failed()).length > 0);
    await until(
      "both are listed",
      async () => (await attempts(`/webhooks/${first.id}/deliveries`)).length === 2,
    );
    const ofFirst = await attempts(`/webhooks/${first.id}/deliveries`);
    expect(ofFirst.map(({ webhook_id, seq }) => [webhook_id, seq])).toEqual([
      [first.id, 2],
      [first.id, 1],
    ]);
    const all = await attempts("/webhook/deliveries?limit=100");
    expect(new Set(all.map(({ webhook_id }) => webhook_id))).toEqual(new Set([first.id, other.id]));
    expect((await attempts(`/webhooks/${other.id}/deliveries`)).every(({ seq }) => seq === 2)).toBe(true);
    await ask("PATCH", `/webhooks/${other.id}`, { enabled: false });
    receiver.behave(200);
    const [listed] = await failed();
    const [good, bad] = [at("/good").length, at("/bad").length];
    const path = (id: string) => `/webhooks/${id}/deliveries/${listed?.id}/retry`;
    expect((await ask("POST", path(first.id))).status).toBe(404);
    const reply = await ask("POST", path(other.id));
    expect([reply.status, reply.json<{ data: Attempt }>().data.outcome]).toEqual([202, "succeeded"]);
    expect([at("/good").length, at("/bad").length]).toEqual([good, bad + 1]);
    const [newest] = await attempts(`/webhooks/${other.id}/deliveries`);
    expect(newest).toMatchObject({ outcome: "succeeded", seq: 2 });
    expect(newest?.attempt).toBe(at("/bad").length);
  });

  test("a replay of chosen events brings what a former filter left out", async () => {
    const since = new Date().toISOString();
    const { id } = await add("/late", { sources: ["c"] });
    await add("/all");
    await append(["web.page.changed", "a"], ["rss.item.created", "a"]);
    await arrived("/all", 1, 2);
    await ask("PATCH", `/webhooks/${id}`, { sources: ["a"] });
    await ask("POST", `/webhooks/${id}/replay`, { since, event_types: ["web.page.changed"] });
    await arrived("/late", 1);
    await until("nothing waits", async () => (await show(id)).waiting === 0);
    expect(seqsAt("/late")).toEqual([1]);
  });

  test("a replay by time, by types or by ids goes to one endpoint, of what that wants", async () => {
    const since = new Date().toISOString();
    const { id } = await add("/again", { sources: ["a"] });
    await add("/once");
    await append(
      ["rss.item.created", "a"],
      ["web.page.changed", "a"],
      ["rss.item.created", "b"],
      ["web.page.changed", "b"],
    );
    await arrived("/again", 1, 2);
    await arrived("/once", 1, 2, 3, 4);
    await until("nothing waits", async () => (await show(id)).waiting === 0);
    const replay = async (body: object) => {
      const before = at("/again").length;
      const reply = await ask("POST", `/webhooks/${id}/replay`, body);
      expect(reply.status).toBe(200);
      const { events } = reply.json<{ data: { events: number } }>().data;
      await until("they came again", () => at("/again").length >= before + Math.min(events, 2));
      return { events, seqs: seqsAt("/again").slice(before).sort() };
    };
    expect(await replay({ since, event_types: ["web.page.changed"] })).toEqual({ events: 1, seqs: [2] });
    await until("nothing waits", async () => (await show(id)).waiting === 0);
    expect(await replay({ event_ids: [at("/again")[0]?.id] })).toEqual({ events: 1, seqs: [1] });
    await until("nothing waits", async () => (await show(id)).waiting === 0);
    expect((await replay({ since })).seqs).toEqual([1, 2]);
    expect(await replay({ since, until: since })).toEqual({ events: 0, seqs: [] });
    expect(at("/once")).toHaveLength(4);
    expect(new Set(at("/again").map(each => each.id))).toHaveProperty("size", 2);
  });

  test.each([
    [{}, 400, "since"],
    [{ until: "2026-01-01" }, 400, "since"],
    [{ since: "yesterday" }, 400, "since"],
    [{ since: "2026-01-01", until: "soon" }, 400, "until"],
    [{ event_ids: [] }, 400, "event_ids"],
  ])("a replay of %p is refused", async (body, status, field) => {
    const { id } = await add("/x");
    const reply = await ask("POST", `/webhooks/${id}/replay`, body);
    expect(reply.status).toBe(status);
    expect(reply.json<{ details: object[] }>().details).toMatchObject([{ field }]);
  });

  test("a replay of an event that is not there is a 404 that names it", async () => {
    const { id } = await add("/x");
    const reply = await ask("POST", `/webhooks/${id}/replay`, { event_ids: ["evt_unknown"] });
    expect([reply.status, reply.text]).toEqual([404, expect.stringContaining("evt_unknown")]);
  });

  test("a test event reaches one endpoint, whatever that wants", async () => {
    const { id } = await add("/tested", { event_types: ["source.gone"] });
    await add("/other");
    const reply = await ask("POST", `/webhooks/${id}/test`);
    const { event_id } = reply.json<{ data: { event_id: string } }>().data;
    await items("a");
    await until("it came", () => at("/tested").some(each => each.id === event_id));
    await arrived("/other", 2);
    expect(seqsAt("/tested")).toEqual([1]);
    expect(seqsAt("/other")).toEqual([2]);
  });

  test("another key neither sees nor changes them", async () => {
    const { id } = await add("/mine");
    const body = { owner: "bob", name: "n" };
    const made = await worldOf().magpie.request("POST", "/internal/keys", { admin: true, body });
    const { key } = made.json<{ data: { key: string } }>().data;
    const asked: [string, string, object?][] = [
      ["GET", `/webhooks/${id}`],
      ["PATCH", `/webhooks/${id}`, {}],
      ["DELETE", `/webhooks/${id}`],
      ["GET", `/webhooks/${id}/deliveries`],
      ["POST", `/webhooks/${id}/test`],
      ["POST", `/webhooks/${id}/replay`, { since: "2026-01-01" }],
    ];
    for (const [method, path, sent] of asked) {
      const reply = await worldOf().magpie.request(method, path, { key, ...(sent && { body: sent }) });
      expect([path, reply.status]).toEqual([path, 404]);
    }
  });

  test("administrators see the lanes of all, and a deleted key leaves none", async () => {
    const [one, other] = [await add("/one"), await add("/other", { enabled: false })];
    const lanes = async () => {
      const reply = await worldOf().magpie.request("GET", "/internal/lanes?limit=100", { admin: true });
      const { data } = reply.json<{ data: { key_id: string; webhook_id: string; status: string }[] }>();
      return data.filter(({ key_id }) => key_id === client.id);
    };
    expect(new Set((await lanes()).map(({ webhook_id, status }) => `${webhook_id} ${status}`))).toEqual(
      new Set([`${one.id} ACTIVE`, `${other.id} DISABLED`]),
    );
    await worldOf().magpie.request("DELETE", `/internal/keys/${client.id}`, { admin: true });
    await until("they are gone", async () => (await lanes()).length === 0);
  });

  const administer = async (method: string, path: string, body?: object) => {
    const reply = await worldOf().magpie.request(method, path, { admin: true, ...(body && { body }) });
    return { ...reply.json<{ data: never; message: string; next_cursor: string }>(), status: reply.status };
  };

  test("administrators list the endpoints of one key, a page at a time", async () => {
    const added = [];
    for (const path of ["/one", "/two", "/three"]) added.push((await add(path)).id);
    await administer("POST", "/internal/keys", { owner: "bob", name: "other" });
    const listed: string[] = [];
    for (let cursor = ""; ; ) {
      const query = `key_id=${client.id}&limit=2${cursor}`;
      const { data, next_cursor } = await administer("GET", `/internal/lanes?${query}`);
      listed.push(...(data as { webhook_id: string }[]).map(({ webhook_id }) => webhook_id));
      if (next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
    }
    expect(listed).toHaveLength(3);
    expect(new Set(listed)).toEqual(new Set(added));
    expect((await administer("GET", `/internal/lanes?key_id=${client.id}&status=FAILED`)).data).toEqual([]);
  });

  test("an administrator starts a failed endpoint of any key again, and has events delivered again", async () => {
    receiver.behave(410);
    const { id } = await add("/stopped");
    await items("a", "a");
    await until("it is FAILED", async () => (await show(id)).status === "FAILED");
    receiver.behave(200);
    const reactivated = await administer("POST", `/internal/lanes/${id}/reactivate`);
    expect(reactivated).toMatchObject({
      status: 200,
      data: { key_id: client.id, webhook_id: id, status: "ACTIVE" },
      message: expect.stringContaining("is active"),
    });
    await until("both have come", () => new Set(receiver.taken().map(({ event }) => event.seq)).size === 2);
    // An event whose attempt has not been settled is not yet one to deliver again.
    const settled = () => until("nothing waits", async () => (await show(id)).waiting === 0);
    await settled();
    const [first] = receiver.taken();
    const replay = (body: object) => administer("POST", `/internal/lanes/${id}/replay`, body);
    expect(await replay({ event_ids: [first?.id] })).toMatchObject({ status: 200, data: { events: 1 } });
    await until("one came again", () => receiver.taken().length === 3);
    await settled();
    // The key may have been told meanwhile that the endpoint had failed, which is no event for that.
    const replayed = await replay({ since: "2026-01-01" });
    expect(replayed).toMatchObject({ status: 200, data: { events: expect.any(Number) } });
    await until("both came again", () => receiver.taken().length === 5);
    expect((await replay({})).status).toBe(400);
  });

  test("an endpoint that its owner has switched off is not started by an administrator", async () => {
    const { id } = await add("/off", { enabled: false });
    const reply = await administer("POST", `/internal/lanes/${id}/reactivate`);
    expect(reply).toMatchObject({ status: 200, data: { status: "DISABLED" } });
    expect(reply.message).toContain("DISABLED");
  });

  test.each(["reactivate", "replay"])(
    "%s of an unknown endpoint is a 404, and with a key a 401",
    async act => {
      const { id } = await add("/mine");
      const body = { since: "2026-01-01" };
      const sent = act === "replay" ? body : {};
      expect((await administer("POST", `/internal/lanes/none/${act}`, sent)).status).toBe(404);
      expect((await ask("POST", `/internal/lanes/${id}/${act}`, sent)).status).toBe(401);
    },
  );

  test("the catalogue has each type of event with its schema and an example", async () => {
    const { data } = (await ask("GET", "/event-types")).json<{
      data: {
        type: string;
        description: string;
        schema: { properties: object };
        example: { type: string };
      }[];
    }>();
    expect(data.map(({ type }) => type)).toContain("web.page.changed");
    for (const { type, description, schema, example } of data) {
      expect(description.length).toBeGreaterThan(5);
      expect(Object.keys(schema.properties)).toEqual(["id", "type", "timestamp", "seq", "data"]);
      expect(example.type).toBe(type);
    }
  });
}

function sourceOf(id: string) {
  return { id, source: "RSS", externalId: `https://${id}.test/feed`, username: id, name: id };
}
