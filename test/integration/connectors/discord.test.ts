import { discordConnector } from "../../../services/connectors/platforms/discord/connector.ts";
import type { Listener, SocialConnector } from "../../../services/connectors/social/social-connector.ts";
import type { Post } from "../../../services/contracts/connectors.contract.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import type { ChatMessage } from "../../../services/contracts/social.ts";
import { DiscordServer } from "../../fakes/discord/discord-server.ts";
import {
  type ChannelEntity,
  channel,
  channelTypes,
  type GuildEntity,
  guild,
} from "../../fakes/discord/guilds.ts";
import { driverTools, silentLogger } from "../../fakes/driver-tools.ts";
import { seeded } from "../../faults/random.ts";
import { type Ear, listen, nobody } from "../../suites/social-connector.ear.ts";
import { type Network, socialConnectorSuite } from "../../suites/social-connector.suite.ts";
import { until } from "../../support/until.ts";

const never = new AbortController().signal;

function connect({ apiUrl }: DiscordServer, botToken: string, warnings: unknown[] = []): SocialConnector {
  const logger = silentLogger((...line) => warnings.push(line));
  return discordConnector({ apiUrl, botToken }, driverTools({ random: () => 0.5, logger }));
}

function addGuild(server: DiscordServer, fields: Partial<GuildEntity> & Pick<GuildEntity, "name">) {
  const made = guild(fields);
  server.guilds.push(made);
  return { made, general: channel(made, "general") };
}

async function openNetwork(): Promise<Network> {
  const server = await new DiscordServer().start();
  const main = addGuild(server, {
    name: "Corvids",
    vanity_url_code: "corvids",
    invites: ["corvids", "aBc-123"],
  });
  channel(main.made, "nests");
  channel(main.made, "birds", channelTypes.category);
  const quiet = addGuild(server, { name: "Owls", invites: ["owls"] });
  const channels = new Map([main, quiet].map(({ made, general }) => [made.id, general]));
  return {
    driver: connect(server, server.token),
    source: {
      sids: [
        "corvids",
        "aBc-123",
        "https://discord.gg/aBc-123",
        "discord.gg/corvids",
        "https://discord.com/invite/aBc-123?event=1",
        "https://canary.discord.com/invite/aBc-123/",
        "discordapp.com/invite/corvids",
        `https://discord.com/channels/${main.made.id}/${main.general.id}`,
        main.made.id,
      ],
      externalId: main.made.id,
      username: "corvids",
      name: "Corvids",
    },
    other: { sid: "owls", externalId: quiet.made.id },
    unknown: "nobodys-invite",
    malformed: [
      "",
      "a b",
      "https://birds.example/invite/corvids",
      "channel:general",
      "discord.gg/",
      "people",
      "../corvids",
    ],
    channel: `channel:${main.general.id}`,
    post: async (externalId, content) =>
      server.post(channels.get(externalId) as ChannelEntity, { content }).id,
    edit: async (externalId, id, content) =>
      server.edit(channels.get(externalId) as ChannelEntity, id, {
        content,
        edited_timestamp: new Date().toISOString(),
      }),
    remove: async (externalId, id) => server.remove(channels.get(externalId) as ChannelEntity, id),
    streams: () => server.gateway.connections,
    cut: async () => server.cut(),
    heal: async () => server.heal(),
    goAway: async () => server.goAway(),
    limitNext: () => server.limitNext(),
    close: () => server.close(),
  };
}

socialConnectorSuite("discord", openNetwork);

describe("discord", () => {
  let server: DiscordServer;
  let driver: SocialConnector;
  let warnings: unknown[];
  let ears: Ear[];

  beforeEach(async () => {
    server = await new DiscordServer().start();
    warnings = [];
    ears = [];
    driver = connect(server, server.token, warnings);
  });
  afterEach(async () => {
    for (const ear of ears) await ear.end();
    await driver.close?.();
    await server.close();
  });

  const hear = async (tracked: Record<string, string | null>) => {
    const ear = await listen(driver, tracked);
    ears.push(ear);
    return ear;
  };
  const cursorOf = async (sid: string) => String((await driver.resolve(sid, never)).state.cursor);
  const messagesOf = (posts: Post[]) => posts.map(({ data }) => data.message as ChatMessage);
  const contentsOf = (posts: Post[]) => messagesOf(posts).map(({ content }) => content);
  const failureOf = (answer: Promise<unknown>) =>
    answer.then(
      value => expect(value).toBe("a failure"),
      (error: Error) => ({ code: codeOf(error), message: error.message }),
    );
  const readAll = async (externalId: string, from: string) => {
    const posts: Post[] = [];
    let rounds = 0;
    for (let cursor = from, more = true; more; rounds += 1) {
      const news = await driver.since(externalId, cursor, never);
      posts.push(...news.posts);
      ({ cursor, more } = news);
    }
    return { posts, rounds };
  };

  test("channels, voice channels and threads of a server are one, in order of time, over many pages", async () => {
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const others = [channelTypes.voice, channelTypes.publicThread].map(type => channel(made, "other", type));
    const cursor = await cursorOf("corvids");
    const ids = Array.from({ length: 260 }, (_, n) => {
      const to = n % 2 === 0 ? general : others[n % 4 === 1 ? 0 : 1];
      return server.post(to as ChannelEntity, { content: `${n}` }).id;
    });
    const { posts, rounds } = await readAll(made.id, cursor);
    expect(posts.map(({ postId }) => postId)).toEqual(ids);
    expect(rounds).toBe(2);
    expect(new Set(messagesOf(posts).map(({ channelId }) => channelId)).size).toBe(3);
    const older = await driver.history(made.id, { limit: 100, cursor: String(ids[150]) }, never);
    expect(older.posts.map(({ postId }) => postId)).toEqual(ids.slice(50, 150).reverse());
  });

  test("a message sent to one channel while another is read is returned by the next poll", async () => {
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const second = channel(made, "second");
    const cursor = await cursorOf("corvids");
    const first = [server.post(general, { content: "a" }).id, server.post(second, { content: "b" }).id];
    const late: string[] = [];
    server.meanwhile = path => {
      if (late.length > 0 || !path.endsWith("/messages")) return;
      for (const to of [general, second, general]) late.push(server.post(to, { content: "late" }).id);
    };
    const now = await driver.since(made.id, cursor, never);
    const next = await driver.since(made.id, now.cursor, never);
    expect([now, next].map(({ posts }) => posts.map(({ postId }) => postId))).toEqual([first, late]);
  });

  test("only what changed is read", async () => {
    const { made } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const cursor = await cursorOf("corvids");
    server.requests.length = 0;
    await driver.since(made.id, cursor, never);
    expect(server.requests).toEqual([
      `GET /api/v10/guilds/${made.id}/channels`,
      `GET /api/v10/guilds/${made.id}/threads/active`,
    ]);
  });

  test("a channel that the bot may not see is left out, and not tried again at once", async () => {
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const secret = channel(made, "secret");
    secret.isVisible = false;
    const cursor = await cursorOf("corvids");
    for (const to of [secret, general]) server.post(to, { content: "caw" });
    for (let times = 0; times < 2; times++)
      expect((await driver.since(made.id, cursor, never)).posts).toHaveLength(1);
    expect(server.requests.filter(each => each.includes(`${secret.id}/messages`))).toHaveLength(1);
    expect(await failureOf(driver.resolve(`channel:${secret.id}`, never))).toMatchObject({
      code: "not_found",
    });
    expect(await failureOf(driver.since(`channel:${secret.id}`, cursor, never))).toMatchObject({
      code: "forbidden",
    });
  });

  test("what Discord itself says in a channel is no message of anybody", async () => {
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const start = await cursorOf("corvids");
    const ear = await hear({ [made.id]: start });
    server.post(general, { type: 7 });
    server.post(general, { type: 19, content: "a reply" });
    const news = await driver.since(made.id, start, never);
    expect(contentsOf(news.posts)).toEqual(["a reply"]);
    expect((await driver.since(made.id, news.cursor, never)).posts).toEqual([]);
    await until("it is told live", () => ear.live(made.id).length > 0);
    expect(ear.posts(made.id)).toEqual(news.posts);
  });

  test("a text that names a channel and a role comes with their names, live and read", async () => {
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    made.roles.push({ id: "290926798999357252", name: "keepers" });
    const start = await cursorOf("corvids");
    const ear = await hear({ [made.id]: start });
    const content = `see <#${general.id}> <@&290926798999357252>`;
    const { id } = server.post(general, { content });
    await until("it is told live", () => ear.live(made.id).length > 0);
    const { posts } = await driver.since(made.id, start, never);
    for (const [message] of [messagesOf(ear.posts(made.id)), messagesOf(posts)])
      expect(message).toMatchObject({
        content,
        url: `https://discord.com/channels/${made.id}/${general.id}/${id}`,
        mentions: [
          { id: general.id, name: general.name, type: "channel" },
          { name: "keepers", type: "role" },
        ],
      });
  });

  test("a server that the bot is not in resolves; it is failing with where to let the bot in, until that is done", async () => {
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"], isMember: false });
    const { externalId, state, notice } = await driver.resolve("corvids", never);
    expect(externalId).toBe(made.id);
    expect(notice).toMatch(/^The bot is not a member of this server\. .*client_id=1099511627776000000/);
    await driver.follow(externalId, never);
    const refused = await failureOf(driver.since(made.id, String(state.cursor), never));
    expect(refused).toMatchObject({ code: "forbidden" });
    const [, where = ""] = /not a member .* at (\S+)$/.exec(refused?.message ?? "") ?? [];
    expect(Object.fromEntries(new URL(where).searchParams)).toMatchObject({
      client_id: "1099511627776000000",
      guild_id: made.id,
      permissions: "66560",
      scope: "bot",
    });
    expect(await failureOf(driver.resolve(made.id, never))).toMatchObject({ code: "not_found" });
    const asked: string[][] = [];
    const ending = new AbortController();
    const listening = driver.listen(
      {
        isTracked: id => id === made.id,
        tracked: () => [made.id],
        onTracked: () => () => undefined,
        onPosts: async () => undefined,
        onGap: async (ids = []) => void asked.push(ids),
        onLost: () => undefined,
      },
      ending.signal,
    );
    await until("it listens", () => asked.length > 0);
    server.letIn(made);
    await until("it is to be read", () => asked.length > 1);
    expect(asked).toEqual([[], [made.id]]);
    const { id } = server.post(general, { content: "welcome" });
    const { posts } = await driver.since(made.id, String(state.cursor), never);
    expect(posts.map(({ postId }) => postId)).toEqual([id]);
    ending.abort();
    await listening;
  });

  test("a server that lists no threads is read all the same", async () => {
    server.listsThreads = false;
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const { state, notice } = await driver.resolve("corvids", never);
    expect(notice).toBeUndefined();
    const { id } = server.post(general, { content: "welcome" });
    const { posts } = await driver.since(made.id, String(state.cursor), never);
    expect(posts.map(({ postId }) => postId)).toEqual([id]);
  });

  test("a member that may not list the channels gets Discord's own message", async () => {
    const { made } = addGuild(server, { name: "Corvids", invites: ["corvids"], isListable: false });
    const { notice, state } = await driver.resolve("corvids", never);
    expect(notice).toBe("The bot may not list the channels of this server: Missing Access.");
    const refused = await failureOf(driver.since(made.id, String(state.cursor), never));
    expect(refused).toMatchObject({ code: "forbidden", message: notice });
  });

  test("the handshake says who connects", async () => {
    const { made } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const ear = await listen(driver, { [made.id]: null });
    expect(server.gateway.userAgents.every(agent => agent?.startsWith("Magpie/"))).toBe(true);
    expect(server.gateway.userAgents).not.toHaveLength(0);
    await ear.end();
  });

  test("without the right to content it is null, live and read, and the advice is logged", async () => {
    server.givesContent = false;
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const start = await cursorOf("corvids");
    const ear = await hear({ [made.id]: start });
    server.post(general, { content: "hidden" });
    await until("it is told", () => ear.live(made.id).length > 0);
    expect(contentsOf(ear.posts(made.id))).toEqual([null]);
    expect(contentsOf((await driver.since(made.id, start, never)).posts)).toEqual([null]);
    expect(server.gateway.identified).toEqual([513]);
    expect(String(warnings[0])).toContain("discord_content.refused");
    // An empty message stays an empty one where the right is there.
    server.givesContent = true;
    await driver.close?.();
    driver = connect(server, server.token);
    server.post(general, { content: "" });
    expect(contentsOf((await driver.since(made.id, start, never)).posts)).toEqual(["hidden", ""]);
  });

  test("a message of a channel is told once for its server, and once for the channel where that is tracked too", async () => {
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const nests = channel(made, "nests");
    const sid = `channel:${general.id}`;
    const [both, own] = [await cursorOf("corvids"), await cursorOf(sid)];
    const ear = await hear({ [made.id]: both, [sid]: own });
    const ids = [general, nests, general].map(place => server.post(place, { content: "caw" }).id);
    await until("all are told", () => ear.live(made.id).length >= 3 && ear.live(sid).length >= 2);
    expect(ear.heard(made.id)).toEqual(ids);
    expect(ear.heard(sid)).toEqual([ids[0], ids[2]]);
    expect((await readAll(made.id, both)).posts.map(({ postId }) => postId)).toEqual(ids);
    expect((await readAll(sid, own)).posts.map(({ postId }) => postId)).toEqual([ids[0], ids[2]]);
  });

  test("a page that Discord reads for a message is no edit, and messages that go together are told one by one", async () => {
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const sid = `channel:${general.id}`;
    const ear = await hear({ [made.id]: await cursorOf("corvids"), [sid]: await cursorOf(sid) });
    const ids = ["https://example.com/", "caw"].map(content => server.post(general, { content }).id);
    await until("both are told", () => ear.live(made.id).length === 2);
    server.edit(general, String(ids[0]), { embeds: [{ type: "link", title: "Example" }] });
    server.remove(general, ...ids);
    const told = () => ear.posts(sid).map(({ postId, type, data }) => [postId, type, data]);
    await until("the end of both is told", () => told().length >= 4);
    const message = (id: string) => ({ message: { id, channelId: general.id, guildId: made.id } });
    const deletions = ids.map(id => [id, "chatserver.message.deleted", message(id)]);
    expect(told().slice(2)).toEqual(deletions);
    expect(
      ear
        .posts(made.id)
        .slice(2)
        .map(({ postId }) => postId),
    ).toEqual(ids);
  });

  test("a session resumes where it stopped, and its gap is reported all the same", async () => {
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const ear = await hear({ [made.id]: await cursorOf("corvids") });
    server.gateway.askToReconnect();
    await until("it went on", () => ear.gaps() > 1);
    expect([server.gateway.identified.length, server.gateway.resumed]).toEqual([1, 1]);
    const { id } = server.post(general, { content: "caw" });
    await until("it is told", () => ear.live(made.id).includes(id));
    expect(server.gateway.connections).toBe(1);
  });

  test("a session that Discord has forgotten is begun anew", async () => {
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const ear = await hear({ [made.id]: await cursorOf("corvids") });
    server.gateway.resumes = false;
    server.gateway.cut();
    await until("it stands again", () => ear.gaps() > 1);
    expect([server.gateway.identified.length, server.gateway.resumed]).toEqual([2, 0]);
    const { id } = server.post(general, { content: "caw" });
    await until("it is told", () => ear.live(made.id).includes(id));
  });

  test.each(['{"op":0,"t":"MESSAGE_CREATE","s":9,"d":null}', '{"op":9,"d":null}'])(
    "%s, which no client expects, costs the connection and nothing else",
    async text => {
      const { made, general } = addGuild(server, { name: "Corvids" });
      const ear = await hear({ [made.id]: await cursorOf(made.id) });
      const before = ear.gaps();
      server.gateway.say(text);
      await until("it stands anew", () => ear.gaps() > before && server.gateway.connections === 1);
      const { id } = server.post(general, { content: "caw" });
      await until("the post is there", () => ear.heard(made.id).includes(id));
      expect(ear.losses()).toHaveLength(1);
    },
  );

  test("an address that is no URL, where a session was to be gone on with, costs the session", async () => {
    server.gateway.resumeUrl = "no URL";
    const { made } = addGuild(server, { name: "Corvids" });
    const ear = await hear({ [made.id]: await cursorOf(made.id) });
    const before = ear.gaps();
    server.gateway.askToReconnect();
    await until("it stands anew", () => ear.gaps() > before);
    expect([server.gateway.identified.length, server.gateway.resumed]).toEqual([2, 0]);
  });

  test("a peer that answers no heartbeat is left", async () => {
    const { made } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    server.gateway.heartbeatMs = 30;
    server.gateway.answersHeartbeats = false;
    const ear = await hear({ [made.id]: await cursorOf("corvids") });
    await until("the loss is told", () => ear.losses().length > 0);
    server.gateway.answersHeartbeats = true;
    await until("it stands again", () => ear.gaps() > 1);
  });

  test("messages that nobody tracks do not wait, and of those that do only so many", async () => {
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const other = addGuild(server, { name: "Owls" });
    const gate = Promise.withResolvers<void>();
    const asked: string[] = [];
    const told: number[] = [];
    const gaps: unknown[] = [];
    const listener: Listener = {
      isTracked(id) {
        asked.push(id);
        return id === made.id;
      },
      tracked: () => [made.id],
      onTracked: () => () => undefined,
      async onPosts(_, posts) {
        await gate.promise;
        told.push(posts.length);
      },
      onGap: async ids => void gaps.push(ids),
      onLost: () => undefined,
    };
    const ending = new AbortController();
    const listening = driver.listen(listener, ending.signal);
    await until("it stands", () => gaps.length === 1);
    for (let n = 0; n < 1100; n++) server.post(general, { content: String(n) });
    server.post(other.general, { content: "of nobody" });
    await until("all have come", () => asked.includes(other.made.id));
    expect([told, gaps]).toEqual([[], [undefined]]);
    gate.resolve();
    await until("the rest is to be read", () => gaps.length > 1);
    expect([told.length, gaps]).toEqual([1000, [undefined, [made.id]]]);
    server.post(general, { content: "later" });
    await until("it is told", () => told.length > 1000);
    ending.abort();
    await listening;
    expect(gaps.length).toBe(2);
  });

  test("no session is begun when none is left for today, and it heals", async () => {
    const { made } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    server.sessionsLeft = 0;
    const listening = hear({ [made.id]: await cursorOf("corvids") });
    await until(
      "it asks again",
      () => server.requests.filter(each => each.endsWith("gateway/bot")).length > 3,
    );
    expect(server.gateway.identified).toEqual([]);
    server.sessionsLeft = 1;
    await listening;
  });

  test.each([1, 2])(
    "whatever becomes of the connection, each is told once, in order (seed %i)",
    async seed => {
      const random = seeded(seed);
      const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
      const channels = [general, channel(made, "second"), channel(made, "thread", channelTypes.publicThread)];
      const ear = await hear({ [made.id]: await cursorOf("corvids") });
      const ids: string[] = [];
      const postSome = (text: string) => {
        const to = channels[Math.floor(random() * channels.length)] as ChannelEntity;
        ids.push(server.post(to, { content: text }).id);
      };
      const moves = [
        () => server.cut(),
        () => server.heal(),
        () => server.gateway.cut(),
        () => server.goAway(),
        () => server.limitNext(),
        () => server.post(general, { type: 7 }),
        () => new Promise(resolve => setImmediate(resolve)),
      ];
      for (let rounds = 0; rounds < 4; rounds++) {
        for (let steps = 0; steps < 25; steps++) {
          await moves[Math.floor(random() * moves.length)]?.();
          postSome(`${rounds} ${steps}`);
        }
        server.instead.length = 0;
        server.heal();
        const stood = ear.gaps();
        server.gateway.askToReconnect();
        await until("it stands", () => ear.gaps() > stood);
        postSome("stands");
      }
      await until("the last one is told", () => ear.heard(made.id).includes(String(ids.at(-1))));
      expect(ear.heard(made.id)).toEqual(ids);
    },
  );

  test("the right to content that comes later counts from the next connection, which is a session of its own", async () => {
    server.givesContent = false;
    const { made, general } = addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const ear = await hear({ [made.id]: await cursorOf("corvids") });
    server.givesContent = true;
    server.post(general, { content: "hidden" });
    await until("it is told", () => ear.live(made.id).length > 0);
    server.gateway.askToReconnect();
    await until("it stands again", () => ear.gaps() > 1);
    const { id } = server.post(general, { content: "seen" });
    await until("the next is told", () => ear.live(made.id).includes(id));
    expect(contentsOf(ear.posts(made.id))).toEqual([null, "seen"]);
    expect([server.gateway.identified, server.gateway.resumed]).toEqual([[513, 33_281], 0]);
  });

  test("a refused token ends it all, with a sentence that names the variable and not its value", async () => {
    const refused = connect(server, "no.such-token");
    for (const answer of [
      refused.listen(nobody, never),
      refused.resolve("corvids", never),
      refused.resolve("corvids", never),
    ]) {
      const { code, message } = (await failureOf(answer)) as { code: string; message: string };
      expect({ code, message }).toEqual({
        code: "connector_unavailable",
        message: expect.stringMatching(/DISCORD_BOT_TOKEN.*developer portal/),
      });
      expect(message).not.toContain("no.such-token");
    }
    await refused.close?.();
  });

  test.each([
    [4004, /DISCORD_BOT_TOKEN/],
    [4011, /4011/],
    [4014, /Message Content Intent/],
  ])("the gateway refuses with %i", async (code, sentence) => {
    server.gateway.closeWith = code;
    const refused = await failureOf(driver.listen(nobody, never));
    expect(refused).toEqual({ code: "connector_unavailable", message: expect.stringMatching(sentence) });
    await until("nothing is connected", () => server.gateway.connections === 0);
  });

  test("an answer that never comes is not waited for when nobody waits any more", async () => {
    addGuild(server, { name: "Corvids", invites: ["corvids"] });
    server.isSilent = true;
    const giveUp = new AbortController();
    const answers = [driver.resolve("corvids", giveUp.signal), driver.resolve("corvids", giveUp.signal)];
    const failures = answers.map(failureOf);
    await until("it was asked", () => server.requests.length > 0);
    giveUp.abort();
    expect(await Promise.all(failures)).toMatchObject(Array(2).fill({ code: "connector_unavailable" }));
    server.isSilent = false;
    expect(await driver.resolve("corvids", never)).toMatchObject({ name: "Corvids" });
  });

  test("a long pause ends with its time, telling how much is left", async () => {
    addGuild(server, { name: "Corvids", invites: ["corvids"] });
    const body = { message: "You are being rate limited.", retry_after: 3600, global: false };
    server.instead.push({ status: 429, headers: { "retry-after": "3600" }, body });
    const error = await driver.resolve("corvids", AbortSignal.timeout(1000)).catch(fault => fault);
    expect(error).toMatchObject({ type: "connector_unavailable", data: { retry_after: expect.any(Number) } });
    expect(error.data.retry_after).toBeGreaterThan(3500);
    await driver.resolve("corvids", never);
  });
});
