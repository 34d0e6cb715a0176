import type { MastodonSettings } from "../../../services/connectors/platforms/mastodon/api.ts";
import { mastodonConnector } from "../../../services/connectors/platforms/mastodon/connector.ts";
import type { Listener, SocialConnector } from "../../../services/connectors/social/social-connector.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import { driverTools } from "../../fakes/driver-tools.ts";
import { MastodonServer } from "../../fakes/mastodon/mastodon-server.ts";
import { listen } from "../../suites/social-connector.ear.ts";
import { type Network, socialConnectorSuite } from "../../suites/social-connector.suite.ts";
import { until } from "../../support/until.ts";

const never = new AbortController().signal;
const tools = driverTools();

const numbers = { ids: "numbers", ada: "101", bob: "102", unknownPost: "424242" } as const;
/** Of GoToSocial. */
const ulids = {
  ids: "ulids",
  ada: "01F8MH1H7YV1Z7D2C8K2730QBF",
  bob: "01FHMQX3GAABWSM0S2VZEC2SWC",
  unknownPost: "01FVW7JHQFSFK166WWKR8CBA6M",
} as const;

async function openServer({
  ids,
  ada,
  bob,
}: typeof numbers | typeof ulids = numbers): Promise<MastodonServer> {
  const server = await new MastodonServer(ids).start();
  server.addAccount({ id: ada, username: "ada", display_name: "Ada the Magpie" });
  server.addAccount({ id: bob, username: "bob", acct: "bob@birds.example" });
  return server;
}

function connect({ url, accessToken }: MastodonSettings): SocialConnector {
  return mastodonConnector({ url, accessToken }, tools);
}

async function openNetwork(kind: typeof numbers | typeof ulids): Promise<Network> {
  const server = await openServer(kind);
  const { host } = new URL(server.url);
  return {
    driver: connect(server),
    source: {
      sids: ["ada", "@ada", `@ada@${host}`, `${server.url}/@ada`, `${server.url}/users/ada`, kind.ada],
      externalId: kind.ada,
      username: "ada",
      name: "Ada the Magpie",
    },
    other: { sid: "https://birds.example/@bob", externalId: kind.bob },
    unknown: "nobody",
    malformed: ["", "@", "a b", "ada@", "ada@birds@example", "../ada", "https://birds.example/about"],
    unknownPost: kind.unknownPost,
    post: async (externalId, text) => server.post(externalId, { content: `<p>${text}</p>` }).id,
    edit: async (_, id, text) => server.edit(id, `<p>${text}</p>`),
    remove: async (_, id) => server.remove(id),
    cut: async () => server.cut(),
    heal: async () => server.heal(),
    goAway: async () => server.goAway(),
    limitNext: () => server.limitNext(),
    streams: () => server.streams,
    followed: () =>
      [...server.relationships].flatMap(([id, { following, notifying }]) =>
        following && notifying ? [id] : [],
      ),
    close: () => server.close(),
  };
}

socialConnectorSuite("mastodon", () => openNetwork(numbers));
socialConnectorSuite("mastodon with ids that are no numbers", () => openNetwork(ulids));

describe("mastodon", () => {
  let server: MastodonServer;
  let driver: SocialConnector;
  beforeEach(async () => {
    server = await openServer();
    driver = connect(server);
  });
  afterEach(() => server.close());

  const failing = async (answer: Promise<unknown>) => codeOf(await answer.catch(error => error));

  test("an account that the server has not met is found on its own", async () => {
    server.elsewhere.push({ ...server.addAccount({ id: "7", username: "cleo" }), acct: "cleo@far.example" });
    server.accounts.delete("7");
    const sid = "https://far.example/@cleo";
    expect(await driver.resolve(sid, never)).toMatchObject({ externalId: "7", username: "cleo@far.example" });
    expect(await failing(driver.resolve("dan@far.example", never))).toBe("not_found");
  });

  test("digits are a name before they are a number, and where a name is asked for nothing else", async () => {
    expect(await driver.resolve("101", never)).toMatchObject({ externalId: "101" });
    expect(await failing(Promise.resolve(driver.profile?.("101", never)))).toBe("not_found");
    server.addAccount({ id: "104", username: "101" });
    expect(await driver.resolve("101", never)).toMatchObject({ externalId: "104" });
    expect(await driver.profile?.("101", never)).toMatchObject({ id: "104" });
    expect(await driver.about?.("@101", never)).toMatchObject({ id: "104" });
  });

  test("follows with notifications and without reblogs", async () => {
    await driver.follow("101", never);
    expect(server.relationships.get("101")).toEqual({
      following: true,
      requested: false,
      notifying: true,
      showing_reblogs: false,
    });
  });

  test("a locked account stays requested, however often it is asked", async () => {
    server.addAccount({ id: "103", username: "eve", locked: true });
    for (let times = 0; times < 2; times++) await driver.follow("103", never);
    expect(server.relationships.get("103")).toMatchObject({ following: false, requested: true });
    await driver.unfollow("103", never);
    expect(server.relationships.has("103")).toBe(false);
  });

  test("an account that is gone is unfollowed", async () => {
    server.accounts.delete("101");
    await driver.unfollow("101", never);
    expect(await failing(driver.follow("101", never))).toBe("not_found");
  });

  test("reblogs and messages to single people are nobody's posts", async () => {
    await driver.follow("101", never);
    const ear = await listen(driver, { 101: "0" });
    const reblogged = server.post("102", { content: "<p>of Bob</p>" });
    server.post("101", { reblog: reblogged });
    server.post("101", { visibility: "direct", content: "<p>for one</p>" });
    const { id } = server.post("101", { visibility: "private", content: "<p>for all who follow</p>" });
    await until("it is heard", () => ear.live("101").length > 0);
    await ear.end();
    const { posts } = await driver.since("101", "0", never);
    const history = await driver.history("101", { limit: 10 }, never);
    const ids = [posts, history.posts].map(each => each.map(({ postId }) => postId));
    expect([ear.live("101"), ...ids]).toEqual([[id], [id], [id]]);
  });

  test("each post and its end are published once, though the stream sends a post twice, in any order", async () => {
    const told: string[] = [];
    const ending = new AbortController();
    let stands = false;
    const listener: Listener = {
      isTracked: () => true,
      tracked: () => ["101"],
      onTracked: () => () => undefined,
      onPosts: async (_, posts) => void told.push(...posts.map(({ postId }) => postId)),
      onGap: async () => {
        stands = true;
      },
      onLost: reason => told.push(reason),
    };
    await driver.follow("101", never);
    const ended = driver.listen(listener, ending.signal);
    await until("it stands", () => stands && server.streams > 0);
    server.hold();
    const ids = Array.from({ length: 3 }, () => server.post("101").id);
    server.release(messages => messages.toReversed());
    server.sendRaw(JSON.stringify({ stream: ["user"], event: "delete", payload: ids[0] }));
    server.sendRaw(JSON.stringify({ stream: ["user"], event: "filters_changed" }));
    const last = server.post("101").id;
    await until("the last one is told", () => told.includes(last));
    ending.abort();
    await ended;
    expect(told).toEqual([...ids.toReversed(), ids[0], last]);
  });

  test("a server without TLS that names its own stream as wss is heard live", async () => {
    server.streamScheme = "wss";
    await driver.follow("101", never);
    const ear = await listen(driver, { 101: "0" });
    const { id } = server.post("101");
    await until("it is heard", () => ear.live("101").length > 0);
    await ear.end();
    expect([ear.live("101"), ear.losses()]).toEqual([[id], []]);
  });

  test("a message that is none ends the connection, which is made again", async () => {
    const ear = await listen(driver, { 101: "0" });
    await until("it stands", () => server.streams > 0);
    server.sendRaw("<html>");
    await until("it stands again", () => ear.gaps() > 1);
    await ear.end();
    expect(ear.losses()).toEqual([
      expect.stringMatching(/^The live connection to the Mastodon server is lost: .*Malformed JSON/),
    ]);
  });

  test("a long gap is read page by page, a few pages at a time, and nothing is lost between them", async () => {
    const ids = Array.from({ length: 215 }, () => server.post("101").id);
    const first = await driver.since("101", "0", never);
    expect([first.posts.length, first.more]).toEqual([200, true]);
    const rest = await driver.since("101", first.cursor, never);
    expect(rest.more).toBe(false);
    expect([...first.posts, ...rest.posts].map(({ postId }) => postId)).toEqual(ids);
    const { posts } = await driver.history("101", { limit: 100 }, never);
    expect(posts.map(({ postId }) => postId)).toEqual(ids.toReversed().slice(0, 100));
  });

  test("a token that is refused ends the listening, and operations are unavailable", async () => {
    const refused = connect({ url: server.url, accessToken: "of somebody else" });
    expect(await failing(refused.resolve("ada", never))).toBe("connector_unavailable");
    const listening = refused.listen({} as Listener, never);
    await expect(listening).rejects.toThrow("MASTODON_ACCESS_TOKEN");
    await expect(listening).rejects.not.toThrow("of somebody else");
  });

  test.each([
    ["an error of the server", { status: 500, body: { error: "oops" } }, "connector_unavailable"],
    ["a page of a proxy", { status: 502, body: "<html>bad gateway</html>" }, "connector_unavailable"],
    ["what may not be read", { status: 403, body: { error: "not yours" } }, "forbidden"],
    [
      "a right that is missing",
      { status: 403, body: { error: "outside the authorized scopes" } },
      "connector_unavailable",
    ],
    ["an account that is gone", { status: 410, body: { error: "gone" } }, "not_found"],
    ["a request that makes no sense to it", { status: 400, body: { error: "no" } }, "upstream_error"],
    ["what it does not do", { status: 422, body: { error: "Validation failed" } }, "upstream_error"],
    ["a request that came too slowly", { status: 408, body: {} }, "connector_unavailable"],
  ])("%s", async (_, answer, code) => {
    server.instead.push(answer);
    expect(await failing(driver.since("101", "0", never))).toBe(code);
  });

  test("a caller that gives up a wait gets its length; following does not delay reads", async () => {
    server.limitNext(60_000);
    const giveUp = new AbortController();
    const follow = driver.follow("101", giveUp.signal).catch(error => error);
    await until("it was asked", () => server.requests.length > 0);
    expect(await driver.resolve("ada", never)).toMatchObject({ externalId: "101" });
    giveUp.abort();
    const error = await follow;
    expect(codeOf(error)).toBe("connector_unavailable");
    expect(error.data.retry_after).toBeGreaterThan(30);
  });

  test.each([
    ["follow", () => driver.follow("101/../102", never)],
    ["unfollow", () => driver.unfollow("", never)],
    ["since", () => driver.since("101", "x/../y", never)],
    ["history", () => driver.history("101?", { limit: 1 }, never)],
    ["getPost", () => driver.getPost?.("1/../2", never)],
  ])("%s refuses ids that are none, and asks nothing", async (_, operation) => {
    expect(await failing(Promise.resolve(operation()))).toBe("validation_failed");
    expect(server.requests).toEqual([]);
  });
});
