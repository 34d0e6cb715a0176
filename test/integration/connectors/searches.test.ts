import { blueskyConnector } from "../../../services/connectors/platforms/bluesky/connector.ts";
import { mastodonConnector } from "../../../services/connectors/platforms/mastodon/connector.ts";
import { sandboxMicroblog } from "../../../services/connectors/platforms/sandbox/microblog.ts";
import { Simulator } from "../../../services/connectors/platforms/sandbox/simulator.ts";
import { xConnector } from "../../../services/connectors/platforms/x/connector.ts";
import type { SocialConnector } from "../../../services/connectors/social/social-connector.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import { world } from "../../../services/domain/sandbox/world.ts";
import { BlueskyService } from "../../fakes/bluesky/bluesky-service.ts";
import { driverTools } from "../../fakes/driver-tools.ts";
import { MastodonServer } from "../../fakes/mastodon/mastodon-server.ts";
import { postMemory } from "../../fakes/post-memory.ts";
import { XServer } from "../../fakes/x/x-server.ts";

interface Network {
  driver: SocialConnector;
  /** Tells the id of the post. */
  post(text: string): Promise<string>;
  close(): Promise<unknown>;
}

const never = new AbortController().signal;
const tools = driverTools();

const networks: Record<string, () => Promise<Network>> = {
  async sandbox() {
    const settings = { accounts: world.microblog, everyMs: null, memory: postMemory(), now: Date.now };
    const driver = sandboxMicroblog(new Simulator(settings));
    const post = async (text: string) => String((await driver.post?.({ username: "corvid_lab" }, text))?.id);
    return { driver, post, close: async () => undefined };
  },
  async mastodon() {
    const server = await new MastodonServer().start();
    server.addAccount({ id: "101", username: "ada" });
    const driver = mastodonConnector({ url: server.url, accessToken: server.accessToken }, tools);
    return {
      driver,
      post: async text => server.post("101", { content: text }).id,
      close: () => server.close(),
    };
  },
  async bluesky() {
    const service = await new BlueskyService().start();
    const did = "did:plc:adaadaadaadaadaadaadaada";
    service.addActor({ did, handle: "ada.bsky.test" });
    const { identifier, appPassword, url, relay } = service;
    const driver = blueskyConnector({ identifier, appPassword, service: url, relay }, tools);
    return {
      driver,
      post: async text => (await service.post(did, { text })).uri,
      close: () => service.close(),
    };
  },
  async x() {
    const server = await new XServer().start();
    server.network.addAccount("12", "jack", "Jack");
    const driver = xConnector({ bearerToken: server.appToken, baseUrl: server.url }, tools);
    return { driver, post: async text => server.post("12", text), close: () => server.stop() };
  },
};

describe.each(Object.keys(networks))("searches on %s", name => {
  let network: Network;
  beforeEach(async () => {
    network = (await networks[name]?.()) as Network;
  });
  afterEach(() => network.close());

  const cursorOf = async (sid: string) => String((await network.driver.resolve(sid, never)).state.cursor);
  const postAll = async (...texts: string[]) => {
    const ids: string[] = [];
    for (const text of texts) ids.push(await network.post(text));
    return ids;
  };
  /** All that polls find, each post once: the log drops what it has. */
  const pollAll = async (externalId: string, from: string) => {
    const ids: string[] = [];
    let cursor = from;
    for (let polls = 0; polls < 20; polls++) {
      const news = await network.driver.since(externalId, cursor, never);
      ids.push(...news.posts.map(({ postId }) => postId));
      cursor = news.cursor;
      if (!news.more) return { ids: [...new Set(ids)], cursor };
    }
    throw new Error("the polls come to no end");
  };

  test.each([
    ["#Birds", "#birds", "#birds"],
    ["search:#birds", "#birds", "#birds"],
    [" search:  white   storks ", "search:white storks", "Search: white storks"],
  ])("%j is a source", async (sid, externalId, name) => {
    const found = await network.driver.resolve(sid, never);
    expect(found).toMatchObject({ kind: "microblog", externalId, username: externalId, name });
  });

  test.each(["#", "#a b", "#1234", "search:", `search:${"x".repeat(401)}`])("%j is none", async sid => {
    const error = await network.driver.resolve(sid, never).catch(thrown => thrown);
    expect(codeOf(error)).toBe("validation_failed");
    expect(error).toMatchObject({ data: { details: [{ field: "sid" }] } });
  });

  test("tells what matches from now on, in order, and nothing of the past", async () => {
    await postAll("see #birds of the past", "storks of the past");
    const [tag, words] = [await cursorOf("#birds"), await cursorOf("search:storks")];
    const [first, second, third] = await postAll(
      "see #birds",
      "storks are here",
      "#birds and storks",
      "none",
    );
    const found = [await pollAll("#birds", tag), await pollAll("search:storks", words)];
    expect(found.map(({ ids }) => ids)).toEqual([
      [first, third],
      [second, third],
    ]);
    const [last] = await postAll("more #birds");
    const next = await pollAll("#birds", String(found[0]?.cursor));
    const news = next.ids.filter(id => id !== first && id !== third);
    expect(news).toEqual([last]);
  });

  test("one that has found nothing yet finds the first post", async () => {
    const cursor = await cursorOf("#birds");
    const empty = await pollAll("#birds", cursor);
    expect(empty.ids).toEqual([]);
    const [id] = await postAll("the first of #birds");
    expect((await pollAll("#birds", empty.cursor)).ids).toEqual([id]);
  });

  test("a long gap is read in several polls, and nothing is lost", async () => {
    await postAll("#birds of the past");
    const cursor = await cursorOf("#birds");
    const ids = await postAll(...Array.from({ length: 430 }, (_, n) => `#birds ${n}`));
    const found = await pollAll("#birds", cursor);
    expect(found.ids.toSorted()).toEqual(ids.toSorted());
  });

  test("history is read page by page, newest first", async () => {
    const ids = await postAll("#birds 1", "none", "#birds 2", "#birds 3");
    const first = await network.driver.history("#birds", { limit: 2 }, never);
    expect(first.posts.map(({ postId }) => postId)).toEqual([ids[3], ids[2]]);
    const rest = await network.driver.history("#birds", { limit: 2, cursor: String(first.next) }, never);
    expect(rest.posts.map(({ postId }) => postId)).toEqual([ids[0]]);
  });

  test("follows nobody, and needs no cursor to begin", async () => {
    await network.driver.follow("#birds", never);
    await network.driver.unfollow("#birds", never);
    await postAll("#birds of the past");
    const { posts, cursor } = await network.driver.since("#birds", null, never);
    expect(posts).toEqual([]);
    const [id] = await postAll("#birds of today");
    expect((await pollAll("#birds", cursor)).ids).toEqual([id]);
  });
});

test("Mastodon: a post of another server that arrives late, among older ones, is told", async () => {
  const server = await new MastodonServer().start();
  const ada = server.addAccount({ id: "101", username: "ada" });
  const driver = mastodonConnector({ url: server.url, accessToken: server.accessToken }, tools);
  try {
    server.post("101", { content: "#birds of the past" });
    const { state } = await driver.resolve("#birds", never);
    const late = server.post("101", { content: "#birds late" });
    server.statuses.pop();
    server.post("101", { content: "#birds in time" });
    const { cursor } = await driver.since("#birds", String(state.cursor), never);
    server.statuses.push({ ...late, account: ada });
    const { posts } = await driver.since("#birds", cursor, never);
    expect(posts.map(({ postId }) => postId)).toContain(late.id);
  } finally {
    await server.close();
  }
});

test("Mastodon: a post that arrives hours late is told once, one from before the search or of two days ago never", async () => {
  const server = await new MastodonServer().start();
  const ada = server.addAccount({ id: "101", username: "ada" });
  let aheadMs = 0;
  const clock = driverTools({ now: () => Date.now() + aheadMs });
  const driver = mastodonConnector({ url: server.url, accessToken: server.accessToken }, clock);
  const hour = 3_600_000;
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
  try {
    const past = server.post("101", { content: "#birds of the past", created_at: ago(hour) });
    server.statuses.pop();
    server.post("101", { content: "#birds known", created_at: ago(hour) });
    let cursor = String((await driver.resolve("#birds", never)).state.cursor);
    const late = server.post("101", { content: "#birds late", created_at: ago(-hour) });
    server.statuses.pop();
    const older = server.post("101", { content: "#birds older", created_at: ago(-2 * hour) });
    server.statuses.pop();
    server.post("101", { content: "#birds in time", created_at: ago(-hour) });
    const poll = async () => {
      const news = await driver.since("#birds", cursor, never);
      cursor = news.cursor;
      return news.posts.map(({ postId }) => postId);
    };
    // The overlap of five minutes is long over when they come.
    for (const at of [0, 1, 2, 3]) {
      aheadMs = at * hour;
      await poll();
    }
    server.statuses.unshift({ ...late, account: ada }, { ...past, account: ada });
    expect(await poll()).toEqual([late.id]);
    expect(await poll()).toEqual([]);
    aheadMs = 30 * hour;
    server.statuses.unshift({ ...older, account: ada });
    expect(await poll()).toEqual([]);
  } finally {
    await server.close();
  }
});

test("Bluesky: a post that the index has hours late is told once, one from before the search never", async () => {
  const service = await new BlueskyService().start();
  const did = "did:plc:adaadaadaadaadaadaadaada";
  service.addActor({ did, handle: "ada.bsky.test" });
  const { identifier, appPassword, url, relay } = service;
  const driver = blueskyConnector({ identifier, appPassword, service: url, relay }, tools);
  /** A post of so many milliseconds ago, which the index does not have yet. */
  const postAgo = async (text: string, ms: number) => {
    const post = await service.post(did, { text });
    const time = new Date(Date.now() - ms).toISOString();
    const uri = `at://${did}/app.bsky.feed.post/${text.replace(/\W+/g, "-")}`;
    Object.assign(post, { uri, indexedAt: time, record: { ...post.record, createdAt: time } });
    service.posts.splice(service.posts.indexOf(post), 1);
    return post;
  };
  const hour = 3_600_000;
  try {
    const past = await postAgo("#birds of the past", 8 * hour);
    service.posts.push(await postAgo("#birds known", 7 * hour));
    let cursor = String((await driver.resolve("#birds", never)).state.cursor);
    const late = await postAgo("#birds late", 5 * hour);
    const poll = async () => {
      const news = await driver.since("#birds", cursor, never);
      cursor = news.cursor;
      return news.posts.map(({ postId }) => postId);
    };
    const inTime = await postAgo("#birds in time", hour);
    service.posts.push(inTime);
    expect(await poll()).toEqual([inTime.uri]);
    service.posts.push(late, past);
    expect(await poll()).toContain(late.uri);
    expect(await poll()).not.toContain(late.uri);
    expect(await poll()).not.toContain(past.uri);
  } finally {
    await service.close();
  }
});

test("Mastodon: a token that may not search posts can track hashtags, and the error says so", async () => {
  const server = await new MastodonServer().start();
  const driver = mastodonConnector({ url: server.url, accessToken: server.accessToken }, tools);
  try {
    server.instead.push({ status: 403, body: { error: "This action is outside the authorized scopes" } });
    await expect(driver.resolve("search:storks", never)).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining("Hashtags such as #birds can be tracked"),
      data: { details: [{ field: "sid", code: "unsupported_search" }] },
    });
  } finally {
    await server.close();
  }
});

test("X: a query that it does not take is the caller's error; a cursor older than its window still reads", async () => {
  const server = await new XServer().start();
  server.network.addAccount("12", "jack", "Jack");
  const driver = xConnector({ bearerToken: server.appToken, baseUrl: server.url }, tools);
  try {
    await expect(driver.resolve("search:nonsense:1", never)).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining("no viable alternative"),
      data: { details: [{ field: "sid" }] },
    });
    const id = server.post("12", "#birds");
    const { posts } = await driver.since("#birds", "1050118621198921728", never);
    expect(posts.map(({ postId }) => postId)).toEqual([id]);
  } finally {
    await server.stop();
  }
});
