import { MessageFrame } from "@atproto/xrpc-server";
import type { BlueskySettings } from "../../../services/connectors/platforms/bluesky/api.ts";
import { blueskyConnector } from "../../../services/connectors/platforms/bluesky/connector.ts";
import type { Listener, SocialConnector } from "../../../services/connectors/social/social-connector.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import { BlueskyService } from "../../fakes/bluesky/bluesky-service.ts";
import { identityFrame } from "../../fakes/bluesky/relay-frames.ts";
import { driverTools, silentLogger } from "../../fakes/driver-tools.ts";
import { listen } from "../../suites/social-connector.ear.ts";
import { type Network, socialConnectorSuite } from "../../suites/social-connector.suite.ts";
import { until } from "../../support/until.ts";

const never = new AbortController().signal;
const ada = "did:plc:adaadaadaadaadaadaadaada";
const bob = "did:web:bob.example";
const warnings: unknown[][] = [];
const tools = driverTools({ logger: silentLogger((...told) => void warnings.push(told)) });

async function openService(): Promise<BlueskyService> {
  const service = await new BlueskyService().start();
  service.addActor({ did: ada, handle: "ada.bsky.test", displayName: "Ada the Magpie" });
  service.addActor({ did: bob, handle: "bob.example" });
  return service;
}

function settingsOf({ identifier, appPassword, url, relay }: BlueskyService): BlueskySettings {
  return { identifier, appPassword, service: url, relay };
}

async function openNetwork(): Promise<Network> {
  const service = await openService();
  return {
    driver: blueskyConnector(settingsOf(service), tools),
    source: {
      sids: [
        "ada.bsky.test",
        "@Ada.bsky.test",
        "ada",
        ada,
        "https://bsky.app/profile/ada.bsky.test",
        `https://bsky.app/profile/${ada}`,
        `at://${ada}`,
      ],
      externalId: ada,
      username: "ada.bsky.test",
      name: "Ada the Magpie",
    },
    other: { sid: "bob.example", externalId: bob },
    unknown: "nobody",
    malformed: [
      "",
      "@",
      "a b",
      "a_b",
      "did:plc:short",
      "did:key:z6Mk",
      "ada..example",
      "https://bsky.app/",
      "../ada",
    ],
    unknownPost: `at://${ada}/app.bsky.feed.post/3jzfcijpj2z2a`,
    post: async (externalId, text) => (await service.post(externalId, { text })).uri,
    remove: async (_, uri) => service.remove(uri),
    cut: async () => service.cut(),
    heal: async () => service.heal(),
    goAway: async () => service.goAway(),
    limitNext: () => service.limitNext(),
    streams: () => service.streams,
    followed: () => [...service.follows.values()].filter(did => service.notified.has(did)),
    close: () => service.close(),
  };
}

socialConnectorSuite("bluesky", openNetwork);

describe("bluesky", () => {
  let service: BlueskyService;
  let driver: SocialConnector;
  beforeEach(async () => {
    warnings.length = 0;
    service = await openService();
    driver = blueskyConnector(settingsOf(service), tools);
  });
  afterEach(() => service.close());

  const failing = async (answer: Promise<unknown> | undefined) => codeOf(await answer?.catch(error => error));
  const count = (method: string) => service.requests.filter(each => each === method).length;
  const idsOf = ({ posts }: { posts: { postId: string }[] }) => posts.map(({ postId }) => postId);

  describe("sessions", () => {
    test("one sign-in serves all who ask at once, and all who come later", async () => {
      await Promise.all(["ada", "bob.example", ada].map(sid => driver.resolve(sid, never)));
      await driver.resolve("ada", never);
      expect(count("com.atproto.server.createSession")).toBe(1);
    });

    test("an expired token is renewed", async () => {
      await driver.resolve(ada, never);
      service.expire();
      expect(await driver.resolve(ada, never)).toMatchObject({ externalId: ada });
      expect(count("com.atproto.server.refreshSession")).toBe(1);
      expect(count("com.atproto.server.createSession")).toBe(1);
    });

    test("a session at its end is followed by a new one", async () => {
      await driver.resolve(ada, never);
      service.expire({ all: true });
      expect(await driver.resolve(ada, never)).toMatchObject({ externalId: ada });
      expect(count("com.atproto.server.createSession")).toBe(2);
    });

    test("credentials that are refused are not sent again for a while, and end the listening", async () => {
      let now = Date.now();
      const settings = { ...settingsOf(service), appPassword: "of somebody else" };
      const refused = blueskyConnector(settings, { ...tools, now: () => now });
      expect(await failing(refused.resolve(ada, never))).toBe("connector_unavailable");
      const listening = refused.listen(
        { onLost: () => undefined, onTracked: () => () => undefined } as unknown as Listener,
        never,
      );
      await expect(listening).rejects.toThrow("BLUESKY_APP_PASSWORD");
      await expect(listening).rejects.not.toThrow("of somebody else");
      expect(count("com.atproto.server.createSession")).toBe(1);
      now += 60_000;
      expect(await failing(refused.resolve(ada, never))).toBe("connector_unavailable");
      expect(count("com.atproto.server.createSession")).toBe(2);
    });

    test.each([
      ["a sign-in", "com.atproto.server.createSession"],
      ["the renewal of a session", "com.atproto.server.refreshSession"],
    ])("whoever gives up %s does not wait for it", async (_, method) => {
      if (method.endsWith("refreshSession")) await driver.resolve(ada, never);
      service.expire();
      service.stalled.add(method);
      const giveUp = new AbortController();
      const answer = failing(driver.resolve(ada, giveUp.signal));
      await until("it is asked", () => service.waiting === 1);
      giveUp.abort(new Error("nobody waits"));
      expect([await answer, service.waiting]).toEqual(["connector_unavailable", 1]);
    });

    test("a service that wants fewer sign-ins is waited for", async () => {
      service.limitNext("com.atproto.server.createSession");
      expect(await driver.resolve(ada, never)).toMatchObject({ externalId: ada });
      expect(count("com.atproto.server.createSession")).toBe(2);
    });
  });

  describe("following", () => {
    test("an account that allows no notifications is followed without them", async () => {
      service.instead.push([
        "app.bsky.notification.putActivitySubscription",
        { status: 400, body: { error: "InvalidRequest", message: "Cannot subscribe to own activity" } },
      ]);
      await driver.follow(ada, never);
      expect([...service.follows.values()]).toEqual([ada]);
      expect(warnings).toEqual([["bluesky_notifications.refused", { did: ada }]]);
    });

    test("an account that is gone is unfollowed", async () => {
      await driver.follow(ada, never);
      service.instead.push([
        "app.bsky.notification.putActivitySubscription",
        { status: 400, body: { error: "AccountTakedown" } },
      ]);
      await driver.unfollow(ada, never);
      expect(service.follows.size).toBe(0);
    });

    test("a limit on writes does not delay reads, and a caller that gives up gets the remaining wait", async () => {
      service.limitNext("com.atproto.repo.putRecord", 60_000);
      const giveUp = new AbortController();
      const follow = driver.follow(ada, giveUp.signal).catch(error => error);
      await until("it was asked", () => count("com.atproto.repo.putRecord") > 0);
      expect(await driver.resolve(ada, never)).toMatchObject({ externalId: ada });
      giveUp.abort();
      const error = await follow;
      expect(codeOf(error)).toBe("connector_unavailable");
      expect(error.data.retry_after).toBeGreaterThan(30);
    });
  });

  describe("feeds", () => {
    test("reposts are nobody's posts, however many there are", async () => {
      const old = await service.post(ada, { text: "of the past" });
      const { uri } = await service.post(bob, { text: "of Bob" });
      for (let n = 0; n < 120; n++) service.repost(ada, { ...old, uri });
      const { state } = await driver.resolve(ada, never);
      expect((await driver.since(ada, String(state.cursor), never)).posts).toEqual([]);
      const fresh = await service.post(ada, { text: "of today" });
      for (let n = 0; n < 120; n++) service.repost(ada, { ...old, uri });
      expect(idsOf(await driver.since(ada, String(state.cursor), never))).toEqual([fresh.uri]);
      expect(idsOf(await driver.history(ada, { limit: 10 }, never))).toEqual([fresh.uri, old.uri]);
    });

    test("posts of the same moment are all returned, each once", async () => {
      const createdAt = "2024-05-01T12:00:00.000Z";
      const { state } = await driver.resolve(ada, never);
      const told: string[] = [];
      for (let cursor = String(state.cursor), n = 0; n < 4; n++) {
        await service.post(ada, { createdAt, text: `at once, ${n}` });
        const news = await driver.since(ada, cursor, never);
        told.push(...idsOf(news));
        cursor = news.cursor;
      }
      expect(told).toEqual(service.posts.map(({ uri }) => uri));
    });

    test("a long gap is returned in parts, each in order, whatever is posted meanwhile", async () => {
      const { state } = await driver.resolve(ada, never);
      for (let n = 0; n < 630; n++) await service.post(ada, { text: String(n) });
      const uris = service.posts.map(({ uri }) => uri);
      const parts: string[][] = [];
      for (let cursor = String(state.cursor), more = true; more; ) {
        const before = count("app.bsky.feed.getAuthorFeed");
        const news = await driver.since(ada, cursor, never);
        expect(count("app.bsky.feed.getAuthorFeed") - before).toBeLessThanOrEqual(3);
        parts.push(idsOf(news));
        ({ cursor, more } = news);
        await service.post(ada, { text: "meanwhile" });
        if (!more) parts.push(idsOf(await driver.since(ada, cursor, never)));
      }
      const later = service.posts.slice(uris.length).map(({ uri }) => uri);
      expect(parts).toEqual([uris.slice(330), uris.slice(30, 330), uris.slice(0, 30), later]);
    });

    test("a gap in which the service becomes unavailable is returned as far as it was read", async () => {
      const { state } = await driver.resolve(ada, never);
      for (let n = 0; n < 130; n++) await service.post(ada, { text: String(n) });
      const method = "app.bsky.feed.getAuthorFeed";
      service.instead.push([method, undefined], [method, { status: 502 }], [method, { status: 502 }]);
      const part = await driver.since(ada, String(state.cursor), never);
      expect([part.posts.length, part.more]).toEqual([100, true]);
      expect(await failing(driver.since(ada, part.cursor, never))).toBe("connector_unavailable");
      const rest = await driver.since(ada, part.cursor, never);
      expect(rest.more).toBe(false);
      expect([...idsOf(rest), ...idsOf(part)]).toEqual(service.posts.map(({ uri }) => uri));
    });

    test("reposts that were read are not read again", async () => {
      const old = await service.post(bob, { text: "of Bob" });
      await service.post(ada, { text: "of Ada" });
      const { state } = await driver.resolve(ada, never);
      for (let n = 0; n < 250; n++) service.repost(ada, old);
      let news = await driver.since(ada, String(state.cursor), never);
      while (news.more) news = await driver.since(ada, news.cursor, never);
      const before = count("app.bsky.feed.getAuthorFeed");
      expect(idsOf(await driver.since(ada, news.cursor, never))).toEqual([]);
      expect(count("app.bsky.feed.getAuthorFeed") - before).toBe(2);
    });
  });

  describe("the relay", () => {
    const hear = (did: string, cursor = "1970-01-01T00:00:00.000Z") => listen(driver, { [did]: cursor });

    test("publishes posts without counts, and with the author's present name", async () => {
      const ear = await hear(ada);
      const first = await service.post(ada, { text: "one" });
      await until("the first is told", () => ear.live(ada).includes(first.uri));
      service.rename(ada, "ada.example");
      const second = await service.post(ada, { text: "two" });
      await until("the second is told", () => ear.live(ada).includes(second.uri));
      await ear.end();
      expect(ear.posts(ada).map(({ data }) => data.post)).toMatchObject([
        {
          rest_id: first.uri,
          core: {
            user_results: { result: { rest_id: ada, name: "Ada the Magpie", username: "ada.bsky.test" } },
          },
          legacy: { full_text: "one", favorite_count: null, repost_count: null, reply_count: null },
        },
        { core: { user_results: { result: { username: "ada.example" } } } },
      ]);
    });

    const withPicture = {
      text: "see",
      langs: ["en"],
      embed: { $type: "app.bsky.embed.images", images: [{ alt: "A nest." }] },
    };

    test("publishes media with the addresses of the service, as soon as it shows them", async () => {
      const ear = await hear(ada);
      service.instead.push(["app.bsky.feed.getPosts", { body: { posts: [] } }]);
      const { uri } = await service.post(ada, withPicture);
      await until("it is told", () => ear.live(ada).includes(uri));
      await ear.end();
      const media = [
        {
          type: "image",
          url: "https://cdn.test/full/0",
          preview_url: "https://cdn.test/thumb/0",
          alt: "A nest.",
        },
      ];
      const { posts } = await driver.since(ada, "1970-01-01T00:00:00.000Z", never);
      for (const [post] of [ear.posts(ada), posts])
        expect(post?.data.post).toMatchObject({ rest_id: uri, language: "en", media });
    });

    test("publishes a link card with its picture, and a quote with what it quotes", async () => {
      const target = "https://example.com/nests";
      const quoted = await service.post(bob, { text: "of Bob" });
      const external = { uri: target, title: "Nests", description: "", thumb: { $type: "blob" } };
      const ear = await hear(ada);
      const card = await service.post(ada, { embed: { $type: "app.bsky.embed.external", external } });
      const quote = await service.post(ada, {
        reply: { root: { uri: quoted.uri }, parent: { uri: quoted.uri } },
        embed: { $type: "app.bsky.embed.record", record: { uri: quoted.uri } },
      });
      await until("both are told", () => ear.live(ada).length === 2);
      await ear.end();
      const { posts } = await driver.since(ada, "1970-01-01T00:00:00.000Z", never);
      for (const told of [ear.posts(ada), posts])
        expect(told.map(({ data }) => data.post)).toMatchObject([
          {
            rest_id: card.uri,
            url: expect.stringMatching(/^https:\/\/bsky\.app\/profile\/did:[^/]+\/post\/post1$/),
            links: [{ url: target }],
            card: { url: target, title: "Nests", image: "https://cdn.test/thumb/0" },
          },
          {
            rest_id: quote.uri,
            quoted: { id: quoted.uri, text: "of Bob", author: "bob.example" },
            in_reply_to: { id: quoted.uri },
          },
        ]);
    });

    test("continues where it was cut off", async () => {
      const ear = await hear(ada);
      const { uri } = await service.post(ada, { text: "before" });
      await until("it is told", () => ear.live(ada).includes(uri));
      service.cut();
      const missed = await service.post(ada, { text: "meanwhile" });
      service.heal();
      await until("it is told by the relay itself", () => ear.live(ada).includes(missed.uri));
      await ear.end();
      expect(service.cursors).toEqual([null, "1"]);
    });

    test("a relay that has restarted its sequence is read from now on", async () => {
      const ear = await hear(ada);
      for (const text of ["one", "two", "three"]) await service.post(ada, { text });
      await until("all are told", () => ear.live(ada).length === 3);
      service.restartRelay();
      await until("it stands again", () => service.cursors.length === 3 && service.streams > 0);
      expect(service.cursors).toEqual([null, "3", null]);
      const { uri } = await service.post(ada, { text: "anew" });
      await until("it is heard", () => ear.live(ada).includes(uri));
      await ear.end();
    });

    test.each<[string, (service: BlueskyService) => Promise<unknown>]>([
      [
        "a commit that does not carry its post",
        service => service.post(ada, { text: "large" }, { isBare: true }),
      ],
      [
        "a commit whose media the service does not show",
        async service => {
          service.instead.push(["app.bsky.feed.getPosts", { status: 502 }]);
          await service.post(ada, withPicture);
        },
      ],
      [
        "a commit whose author cannot be asked for",
        async service => {
          service.instead.push(["app.bsky.actor.getProfile", { status: 502 }]);
          await service.post(ada, { text: "of someone" });
        },
      ],
    ])("%s is read from the feed", async (_, post) => {
      const ear = await hear(ada);
      const stood = ear.gaps();
      await post(service);
      await until("the gap is told", () => ear.gaps() > stood);
      await ear.end();
      expect([ear.heard(ada), ear.live(ada)]).toEqual([[service.posts[0]?.uri], []]);
    });

    test("a commit with operations that are none is passed over", async () => {
      const ear = await hear(ada);
      const odd = { seq: 1, repo: ada, ops: [null, { action: 7 }], time: new Date().toISOString() };
      service.tell(async () => new MessageFrame(odd, { type: "#commit" }).toBytes());
      const { uri } = await service.post(ada, { text: "of Ada" });
      await until("what follows is told", () => ear.live(ada).includes(uri));
      await ear.end();
      expect(ear.losses()).toEqual([]);
    });

    test("a post whose author cannot be asked for soon is read from the feed, and keeps nothing waiting", async () => {
      const ear = await hear(ada);
      const stood = ear.gaps();
      service.limitNext("app.bsky.actor.getProfile", 3000);
      const posts = [await service.post(ada, { text: "one" }), await service.post(ada, { text: "two" })];
      await until("the gap is told", () => ear.gaps() > stood);
      await until("all is told", () => ear.heard(ada).length === 2);
      await ear.end();
      expect([ear.heard(ada), ear.live(ada)]).toEqual([posts.map(({ uri }) => uri), []]);
      expect(count("app.bsky.actor.getProfile")).toBe(1);
    });

    test("is not asked while nobody is tracked", async () => {
      const tracked: string[] = [];
      const watchers = new Set<() => void>();
      const ending = new AbortController();
      let gaps = 0;
      const losses: string[] = [];
      const listener: Listener = {
        isTracked: did => tracked.includes(did),
        tracked: () => tracked,
        onTracked: changed => {
          watchers.add(changed);
          return () => watchers.delete(changed);
        },
        onPosts: async () => undefined,
        onGap: async () => {
          gaps += 1;
        },
        onLost: reason => losses.push(reason),
      };
      const change = (...dids: string[]) => {
        tracked.splice(0, tracked.length, ...dids);
        for (const changed of [...watchers]) changed();
      };
      const ended = driver.listen(listener, ending.signal);
      await until("it waits", () => watchers.size === 2);
      expect([service.cursors, gaps]).toEqual([[], 0]);
      change(ada);
      await until("it stands", () => gaps === 1 && service.streams === 1);
      await service.post(ada, { text: "heard" });
      change(ada, bob);
      change(bob);
      expect(service.streams).toBe(1);
      change();
      await until("it is left", () => service.streams === 0);
      await until("it waits again", () => watchers.size === 2);
      change(ada);
      await until("it stands again", () => gaps === 2 && service.streams === 1);
      change();
      await until("it waits once more", () => watchers.size === 2);
      ending.abort();
      await ended;
      expect([service.cursors, losses, watchers.size]).toEqual([[null, null], [], 0]);
    });

    test("what cannot be read, and what others write, is passed over", async () => {
      const ear = await hear(ada);
      service.tell(async () => Buffer.from("no frame"));
      service.tell(async () => new Uint8Array());
      service.tell(seq => Promise.resolve(identityFrame(seq, bob)));
      await service.post(bob, { text: "of Bob" });
      const { uri } = await service.post(ada, { text: "of Ada" });
      await until("it is told", () => ear.live(ada).includes(uri));
      await ear.end();
      expect([ear.losses(), ear.live(bob)]).toEqual([[], []]);
    });
  });

  test.each<[string, number, object, string]>([
    ["an account that blocks ours", 400, { error: "BlockedByActor" }, "forbidden"],
    ["an account that is taken down", 400, { error: "AccountTakedown", message: "Taken down" }, "not_found"],
    [
      "a request that is not taken",
      400,
      { error: "InvalidRequest", message: "Bad cursor" },
      "upstream_error",
    ],
    ["an error of the service", 502, { error: "UpstreamFailure" }, "connector_unavailable"],
    ["an answer that is none", 200, { posts: 1 }, "connector_unavailable"],
  ])("%s", async (_, status, body, code) => {
    service.instead.push(["app.bsky.feed.getAuthorFeed", { status, body }]);
    expect(await failing(driver.since(ada, null, never))).toBe(code);
  });

  test.each([
    ["follow", () => driver.follow("did:plc:x", never)],
    ["unfollow", () => driver.unfollow("ada", never)],
    ["since", () => driver.since(ada, "yesterday", never)],
    ["history", () => driver.history("", { limit: 1 }, never)],
    ["getPost", () => driver.getPost?.("https://bsky.app/profile/ada/posts/1", never)],
  ])("%s refuses ids that are none, and asks nothing", async (_, operation) => {
    expect(await failing(Promise.resolve(operation()))).toBe("validation_failed");
    expect(service.requests).toEqual([]);
  });
});
