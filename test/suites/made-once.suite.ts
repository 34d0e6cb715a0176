import { randomUUID } from "node:crypto";
import type { Store } from "../../mixins/store/store.ts";
import type { WebhookContext } from "../../services/webhook-dispatcher/context.ts";
import { createEndpoint } from "../../services/webhook-dispatcher/endpoints/create-endpoint.ts";
import { openVault } from "../../services/webhook-dispatcher/endpoints/vault.ts";
import { feedsCollection, openFeedVault } from "../../services/webhook-dispatcher/feeds/feeds.store.ts";
import { createFeed, type FeedContext } from "../../services/webhook-dispatcher/feeds/feeds.ts";
import { Journal } from "../../services/webhook-dispatcher/journal/journal.ts";
import {
  claimsCollection,
  lanesCollection,
  type StoredEndpoint,
} from "../../services/webhook-dispatcher/webhooks.store.ts";
import type { Magpie, Reply } from "../support/magpie.ts";
import { Life } from "../support/mortal.ts";
import type { EndpointStore } from "./endpoint-deaths.suite.ts";

/** Written by hand: a change of the wire breaks it. */
interface Made {
  data: { id: string; secret?: string; key?: string; token?: string };
  message: string;
}

/** What makes something, what it makes, what else it is not, and where it is listed. */
const requests: [path: string, body: object, other: object, list: string, admin?: true][] = [
  ["/webhooks", { url: "https://hooks.example.com/a" }, { url: "https://hooks.example.com/b" }, "/webhooks"],
  ["/feeds", { name: "one", tags: ["work"] }, { name: "other", tags: ["work"] }, "/feeds"],
  ["/internal/keys", { owner: "once", name: "n" }, { owner: "once", name: "m" }, "/internal/keys", true],
];

/** Requests that are repeated with their `Idempotency-Key`, over HTTP. */
export function madeOnceSuite(magpieOf: () => Pick<Magpie, "request">): void {
  describe.each(requests)("POST %s with an Idempotency-Key", (path, body, other, list, admin) => {
    let client: { id: string; key: string };

    beforeEach(async () => {
      const owner = { owner: `once-${randomUUID()}`, name: "n" };
      const reply = await magpieOf().request("POST", "/internal/keys", { admin: true, body: owner });
      client = reply.json<{ data: typeof client }>().data;
    });
    afterEach(async () => {
      for (const id of await listed()) if (admin) await ask("DELETE", `${path}/${id}`);
      await magpieOf().request("DELETE", `/internal/keys/${client.id}`, { admin: true });
    });

    const ask = (method: string, at: string, sent?: object, name?: string): Promise<Reply> =>
      magpieOf().request(method, at, {
        ...(admin ? { admin } : { key: client.key }),
        ...(sent && { body: sent }),
        ...(name !== undefined && { headers: { "idempotency-key": name } }),
      });
    const make = (name?: string, sent: object = body) => ask("POST", path, sent, name);
    const listed = async () => {
      const query = admin ? "?query=once&limit=200" : "";
      const { data } = (await ask("GET", list + query)).json<{ data: { id: string; owner?: string }[] }>();
      return data.filter(({ owner = "once" }) => owner === "once").map(({ id }) => id);
    };

    test("a repetition answers what the first one did, with its secret, and makes nothing", async () => {
      const name = randomUUID();
      const first = await make(name);
      expect([first.status, first.text]).toEqual([201, expect.any(String)]);
      const { data } = first.json<Made>();
      expect(data.secret ?? data.key ?? data.token).toEqual(expect.any(String));
      const again = await make(name);
      expect([again.status, again.json<Made>().data]).toEqual([201, data]);
      expect(await listed()).toEqual([data.id]);
    });

    test("ten at once make one", async () => {
      const name = randomUUID();
      const replies = await Promise.all(Array.from({ length: 10 }, () => make(name)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(replies.map(reply => reply.json<Made>().data.id)).size).toBe(1);
      expect(await listed()).toHaveLength(1);
    });

    test("another body is refused, and another key, or none, makes another", async () => {
      const name = randomUUID();
      await make(name);
      const refused = await make(name, other);
      expect([refused.status, refused.json()]).toMatchObject([409, { code: "conflict" }]);
      await make(randomUUID());
      await make();
      expect(await listed()).toHaveLength(3);
    });

    test("a repetition does not bring back what was removed", async () => {
      const name = randomUUID();
      const { data } = (await make(name)).json<Made>();
      expect((await ask("DELETE", `${path}/${data.id}`)).status).toBeLessThan(300);
      const late = await make(name);
      expect([late.status, late.json()]).toMatchObject([
        409,
        { code: "conflict", message: expect.stringContaining("removed") },
      ]);
      expect(await listed()).toEqual([]);
    });

    test("a request that was refused may be sent again", async () => {
      const name = randomUUID();
      const wrong = await make(name, { ...body, unknown_field: 1 });
      expect(wrong.status).toBe(400);
      expect((await make(name)).status).toBe(201);
    });
  });
}

const secret = "a master secret of more than 32 characters";
const key = "an-idempotency-key";
const silent = { changed: () => undefined };

function contextOf(store: Store<StoredEndpoint>) {
  return {
    ...{ endpoints: store, lanes: store.collection(lanesCollection), vault: openVault(secret) },
    claims: store.collection(claimsCollection),
    journal: new Journal(store, { error: () => undefined, warn: () => undefined } as never),
    log: { bounds: async () => ({ earliest: 0, latest: 0 }) },
    egress: { admit: (url: string) => new URL(url) },
    dispatcher: silent,
  } as unknown as WebhookContext;
}

function feedContextOf(store: Store<StoredEndpoint>) {
  const vault = openFeedVault(secret);
  const claims = store.collection(claimsCollection);
  return { feeds: store.collection(feedsCollection), claims, vault, ...silent } as unknown as FeedContext;
}

/** What is made once although the process dies before any of its writes, or its answers are lost. */
export function madeOnceDeathsSuite(name: string, open: () => Promise<EndpointStore>): void {
  const endpoint = async (store: Store<StoredEndpoint>) => {
    const made = await createEndpoint(contextOf(store), "k1", { url: "https://hooks.example.com/a" }, key);
    return [made.endpoint.webhookId, made.secret];
  };
  const feed = async (store: Store<StoredEndpoint>) => {
    const { data } = await createFeed(feedContextOf(store), "k1", { name: "n" }, Date.now(), key);
    return [data.id, data.token];
  };
  describe.each([
    ["an endpoint", endpoint, "webhooks"],
    ["a feed", feed, feedsCollection],
  ])(`a process dies while it makes %s: ${name}`, (_, make, collection) => {
    test.each(["death", "lost answer"] as const)("by %s, and the request is repeated", async end => {
      for (let last = 0, isStruck = true; isStruck; last += 1) {
        const { store, close } = await open();
        const life = new Life(last, end);
        const first = await make(life.with(store)).catch(() => undefined);
        isStruck = first === undefined;
        const again = await make(store);
        expect(await make(store)).toEqual(again);
        if (first) expect(again).toEqual(first);
        const count = await (collection === "webhooks" ? store : store.collection(collection)).count();
        expect({ last, count }).toEqual({ last, count: 1 });
        expect(last).toBeLessThan(20);
        await close();
      }
    });
  });
}
