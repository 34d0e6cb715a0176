import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TelegramSettings } from "../../../services/connectors/platforms/telegram/api.ts";
import { telegramConnector } from "../../../services/connectors/platforms/telegram/connector.ts";
import { logIn } from "../../../services/connectors/platforms/telegram/log-in.ts";
import {
  openStoredSession,
  sessionInFile,
} from "../../../services/connectors/platforms/telegram/stored-session.ts";
import type {
  DriverTools,
  Listener,
  NewPosts,
  SocialConnector,
} from "../../../services/connectors/social/social-connector.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import { openTelegram, type TelegramNetwork } from "../../fakes/telegram/telegram-network.ts";
import { type Ear, listen, nobody } from "../../suites/social-connector.ear.ts";
import { socialConnectorSuite } from "../../suites/social-connector.suite.ts";
import { until } from "../../support/until.ts";

socialConnectorSuite("telegram", openTelegram);

const never = new AbortController().signal;
describe("telegram", () => {
  let network: TelegramNetwork;
  let driver: SocialConnector;
  let others: SocialConnector[];
  let ear: Ear | undefined;

  beforeEach(async () => {
    network = await openTelegram();
    ({ driver } = network);
    others = [];
    ear = undefined;
  });
  afterEach(async () => {
    await ear?.end();
    for (const other of others) await other.close?.();
    await network.close();
  });

  /** A driver of its own, as after a restart or with other settings. */
  const another = (settings: Partial<TelegramSettings> = {}, tools: Partial<DriverTools> = {}) => {
    const made = telegramConnector({ ...network.settings, ...settings }, { ...network.tools, ...tools });
    others.push(made);
    return made;
  };
  const hear = async () => {
    const { externalId, username } = network.source;
    const { state } = await driver.resolve(username, never);
    await driver.follow(externalId, never);
    ear = await listen(driver, { [externalId]: String(state.cursor) });
    return ear;
  };
  const post = (text: string) => network.post(network.source.externalId, text);
  const readings = () => network.world.asked.filter(method => method === "messages.getHistory").length;
  const live = () => ear?.live(network.source.externalId) ?? [];

  describe("live", () => {
    test("a message that was lost on the way is read from the history, in its place", async () => {
      await hear();
      const ids = [await post("heard")];
      await until("it is heard", () => live().length === 1);
      const release = network.holdUpdates();
      ids.push(await post("lost"), await post("lost too"));
      release();
      ids.push(await post("heard again"));
      await until("all are told", () => live().length >= ids.length);
      expect(live()).toEqual(ids);
      ids.push(await post("and on"));
      await until("it goes on", () => live().length >= ids.length);
      expect(live()).toEqual(ids);
    });

    test("messages that arrive out of order are published in order, and the history is read once", async () => {
      await hear();
      const ids = [await post("first")];
      await until("it is heard", () => live().length === 1);
      const before = readings();
      const release = network.holdUpdates();
      ids.push(await post("second"), await post("third"), await post("fourth"));
      release(2, 1, 0);
      ids.push(await post("fifth"));
      await until("all are told", () => live().length >= ids.length);
      expect(live()).toEqual(ids);
      expect(readings()).toBe(before + 1);
    });

    test("reactions are no edits, and messages that are deleted together are told one by one", async () => {
      const heard = await hear();
      const { externalId } = network.source;
      const ids = [await post("one"), await post("two")];
      await until("they are heard", () => live().length === 2);
      const channel = network.world.channels.find(({ title }) => title === network.source.name);
      if (!channel) throw new Error("no channel");
      network.push(network.world.edit(channel, 1, "one", true));
      network.push(network.world.remove(channel, 1, 2));
      const removed = () => heard.posts(externalId).filter(({ type }) => type.endsWith(".deleted"));
      await until("the end of both is told", () => removed().length >= 2);
      expect(heard.posts(externalId).map(({ type }) => type)).toEqual([
        ...Array(2).fill("messenger.message.created"),
        ...Array(2).fill("messenger.message.deleted"),
      ]);
      expect(removed().map(({ postId }) => postId)).toEqual(ids);
    });

    test("messages from the history are not published again", async () => {
      const { externalId } = network.source;
      await driver.follow(externalId, never);
      const told: string[] = [];
      let stood = 0;
      const ending = new AbortController();
      const listener: Listener = {
        ...nobody,
        isTracked: () => true,
        async onPosts(_, posts) {
          told.push(...posts.map(({ postId }) => postId));
        },
        async onGap() {
          stood += 1;
        },
      };
      const listening = driver.listen(listener, ending.signal);
      await until("it listens", () => stood > 0);
      const ids = [await post("heard")];
      await until("it is heard", () => told.length === 1);
      const release = network.holdUpdates();
      ids.push(await post("lost"), await post("shows the gap"), await post("comes late"));
      release(1);
      await until("the history is told", () => told.length === ids.length);
      release(2, 1, 0);
      ids.push(await post("the last"));
      await until("the last is told", () => told.includes(String(ids.at(-1))));
      expect(told).toEqual(ids);
      ending.abort();
      await listening;
    });

    test("what the network does not want to send is read", async () => {
      const { gaps } = await hear();
      const ids = [await post("heard")];
      await until("it is heard", () => live().length === 1);
      const release = network.holdUpdates();
      ids.push(await post("too much"));
      release();
      const channelId = Number(network.source.externalId.replace("-100", ""));
      const update = { _: "updateChannelTooLong", channelId } as const;
      network.push({ _: "updateShort", update, date: 0 });
      await until("it is told", () => live().length >= ids.length);
      expect(live()).toEqual(ids);
      const before = gaps();
      network.push({ _: "updatesTooLong" });
      await until("a gap is told", () => gaps() > before);
    });
  });

  describe("the account", () => {
    test.each([
      [
        "is not logged in",
        { session: sessionInFile("/nowhere/telegram.session") },
        /no login.*telegram:login/,
      ],
      [
        "was sealed with another secret",
        { masterSecret: "another secret of enough letters" },
        /MASTER_SECRET.*telegram:login/,
      ],
    ])("that %s is unavailable, and says what to do", async (_, settings, advice) => {
      const other = another(settings);
      const unavailable = {
        type: "connector_unavailable",
        isRefusal: true,
        message: expect.stringMatching(advice),
      };
      await expect(other.listen(nobody, never)).rejects.toMatchObject(unavailable);
      await expect(other.resolve("@MagpieNews", never)).rejects.toMatchObject(unavailable);
    });

    test("a connection that never opens is reported as lost once, and publishes once it opens", async () => {
      await network.cut();
      const losses: string[] = [];
      let gaps = 0;
      const listener: Listener = {
        ...nobody,
        onLost: reason => losses.push(reason),
        onGap: async () => {
          gaps += 1;
        },
      };
      const ending = new AbortController();
      const listening = driver.listen(listener, ending.signal);
      await until("it is told", () => losses.length === 1);
      await network.heal();
      await until("it stands", () => gaps === 1);
      ending.abort();
      await listening;
      expect(losses).toEqual(["There is no connection to Telegram."]);
    });

    test("an account that is refused ends the listening, and requests are unavailable", async () => {
      await driver.close?.();
      network.failAll("updates.getState", 401, "SESSION_REVOKED");
      const unavailable = {
        type: "connector_unavailable",
        isRefusal: true,
        message: expect.stringContaining("telegram:login"),
      };
      await expect(driver.listen(nobody, never)).rejects.toMatchObject(unavailable);
      network.failAll("messages.getHistory", 401, "SESSION_REVOKED");
      await expect(driver.resolve("@MagpieNews", never)).rejects.toMatchObject(unavailable);
    });

    test("an account that is refused when it connects again ends the listening", async () => {
      const listening = driver.listen(nobody, never);
      await until(
        "it listens",
        () => network.world.asked.filter(each => each === "updates.getState").length > 1,
      );
      await network.cut();
      network.failAll("updates.getState", 401, "AUTH_KEY_UNREGISTERED");
      await network.heal();
      expect(codeOf(await listening.catch(error => error))).toBe("connector_unavailable");
    });
  });

  describe("the session", () => {
    test("is sealed, and for its owner alone", async () => {
      const { sessionFile } = network.settings;
      const kept = await readFile(sessionFile, "utf8");
      expect(kept).toMatch(/^v1\.[\w-]+$/);
      expect((await stat(sessionFile)).mode & 0o777).toBe(0o600);
    });

    test("knows channels by number and name after a restart, without asking for them", async () => {
      const { source, world } = network;
      await driver.close?.();
      const asked = () => world.asked.filter(method => method === "contacts.resolveUsername").length;
      const before = asked();
      const restarted = another();
      const [id] = [await post("after the restart")];
      expect((await restarted.since(source.externalId, "0", never)).posts).toMatchObject([{ postId: id }]);
      expect(await restarted.resolve("@MAGPIENEWS", never)).toMatchObject({ externalId: source.externalId });
      expect(asked()).toBe(before);
    });

    test("a session that another version wrote still leads to the channels", async () => {
      const { source, settings } = network;
      await driver.close?.();
      const file = await openStoredSession(settings.session, settings.masterSecret);
      const known = await file.peers.getById(Number(source.externalId));
      if (!known) throw new Error("the channel is not known");
      await file.peers.store({ ...known, complete: Uint8Array.of(1, 2, 3, 4), usernames: [] });
      await file.driver.save?.();
      const id = await post("after an upgrade");
      expect((await another().since(source.externalId, "0", never)).posts).toMatchObject([{ postId: id }]);
    });

    test("is made by `npx magpie telegram:login`", async () => {
      const { world, settings } = network;
      await driver.close?.();
      world.isLoggedIn = false;
      const env = {
        TELEGRAM_API_ID: "1",
        TELEGRAM_API_HASH: "hash",
        TELEGRAM_DC: `127.0.0.1:${settings.dc.port}`,
        DATA_DIR: dirname(settings.sessionFile),
        MASTER_SECRET: settings.masterSecret,
      };
      const { code, said } = await runLogin(env, {
        "Telephone number": "+49 30 123456",
        "Code that Telegram has sent (app)": "12345",
      });
      expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining("Magpie is logged in") });
      expect(said).not.toMatch(/hash|secret/);
      expect(world.isLoggedIn).toBe(true);
    });

    test("is made by a login from nothing, for which both sides agree on a key", async () => {
      const { source, world, settings } = network;
      await driver.follow(source.externalId, never);
      world.isLoggedIn = false;
      const session = sessionInFile(`${settings.sessionFile}.new`);
      const account = await logIn(
        // The client is silent for a second when it has its key.
        { ...settings, session, answerMs: 20_000 },
        {
          phone: async () => "+49 30 123456",
          code: async () => "12345",
          password: () => Promise.reject(new Error("nobody asked for it")),
          wrong: what => Promise.reject(new Error(`wrong ${what}`)),
        },
      );
      expect(account).toEqual({ name: "Magpie", chats: 1 });
      const id = await post("after the login");
      const { posts } = await another({ session }).since(source.externalId, "0", never);
      expect(posts).toMatchObject([{ postId: id }]);
    });

    test("is made by a login, which asks again for what is wrong, and meets what the account follows", async () => {
      const { source, world, settings } = network;
      await driver.follow(source.externalId, never);
      await driver.close?.();
      world.isLoggedIn = false;
      const answers = ["00000", "12345"];
      const wrong: string[] = [];
      const account = await logIn(settings, {
        phone: async () => "+49 30 123456",
        code: async way => `${way === "app" ? answers.shift() : "asked for another"}`,
        password: () => Promise.reject(new Error("nobody asked for it")),
        wrong: what => wrong.push(what),
      });
      expect([account, wrong]).toEqual([{ name: "Magpie", chats: 1 }, ["code"]]);
      expect(await another().since(source.externalId, "0", never)).toMatchObject({ posts: [] });
    });
  });

  describe("names", () => {
    test("a person is no source", async () => {
      expect(codeOf(await failure(driver.resolve("@a_person", never)))).toBe("not_found");
    });

    test.each(["-1009999999999", "-77"])(
      "a number that the account never met means nothing: %s",
      async sid => {
        expect(codeOf(await failure(driver.resolve(sid, never)))).toBe("not_found");
      },
    );
  });

  describe("invites", () => {
    const sid = "https://t.me/+gatedInvite-1";

    test("a channel that this account has not joined shows nothing", async () => {
      expect(codeOf(await failure(driver.resolve(sid, never)))).toBe("forbidden");
    });

    test("one without approval joins at once", async () => {
      const { world } = network;
      world.add({ id: 3_333, title: "Private", invite: "privateInvite" });
      const invite = "https://t.me/joinchat/privateInvite";
      expect(await driver.admission?.(invite, never)).toMatchObject({ state: "approval_needed" });
      expect(await driver.join?.(invite, never)).toEqual({ state: "in" });
      const source = { externalId: "-1000000003333", username: "", name: "Private" };
      expect(await driver.resolve(invite, never)).toMatchObject(source);
      const told = await driver.search?.({ channelId: source.externalId, limit: 3 }, never);
      expect(told).toEqual({ total: 0, messages: [] });
    });

    test("a wait that the network asks for is returned, not waited, and nothing was sent", async () => {
      network.failAll("messages.importChatInvite", 420, "FLOOD_WAIT_9");
      const before = Date.now();
      const standing = await driver.join?.(sid, never);
      expect(standing).toMatchObject({ state: "unasked", notBefore: expect.any(Number) });
      const { notBefore } = standing as { notBefore: number };
      expect(notBefore).toBeGreaterThanOrEqual(before + 9000);
      expect(notBefore).toBeLessThanOrEqual(Date.now() + 9000);
      network.failAll("messages.checkChatInvite", 420, "FLOOD_WAIT_60");
      expect(await driver.checkJoin?.(sid, never)).toMatchObject({ state: "pending" });
    });

    test("without an answer it may have been asked, which is not `connector_unavailable`", async () => {
      const release = network.holdAnswers("messages.importChatInvite");
      expect(codeOf(await failure(driver.join?.(sid, never)))).toBe("upstream_error");
      release();
      await until("it is asked", () => network.gated?.asked() === 1);
      expect(await driver.checkJoin?.(sid, never)).toEqual({ state: "pending", notBefore: null });
    });

    test("one that has expired is refused", async () => {
      const expired = "https://t.me/+expired-invite";
      const refused = { state: "refused", reason: expect.stringMatching(/expired/) };
      expect(await driver.join?.(expired, never)).toEqual(refused);
      expect(await driver.checkJoin?.(expired, never)).toEqual(refused);
      expect(codeOf(await failure(driver.admission?.(expired, never)))).toBe("not_found");
    });
  });

  test("a wait that is too long is unavailable, and says for how long", async () => {
    network.failAll("messages.getHistory", 420, "FLOOD_WAIT_86400");
    const error = await failure(driver.since(network.source.externalId, "0", never));
    expect(error).toMatchObject({ type: "connector_unavailable", data: { retry_after: 86_400 } });
  });

  test("a long history is read page by page", async () => {
    const ids: string[] = [];
    while (ids.length < 250) ids.push(await post(`message ${ids.length}`));
    const told: string[][] = [];
    for (let cursor: string | null = "0", more = true; more; ) {
      const news: NewPosts = await driver.since(network.source.externalId, cursor, never);
      told.push(news.posts.map(({ postId }) => postId));
      ({ cursor, more } = news);
    }
    expect(told.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(told.flat()).toEqual(ids);
  });

  test("a request after an outage does not wait for the next attempt to reconnect", async () => {
    const patient = another({}, { reconnectMs: 50_000 });
    const { username, externalId } = network.source;
    await patient.resolve(username, never);
    await network.cut();
    expect(codeOf(await failure(patient.resolve(username, never)))).toBe("connector_unavailable");
    await network.heal();
    await until("it is answered", async () => !codeOf(await failure(patient.since(externalId, null, never))));
  });

  test("a channel that cannot be joined is read all the same", async () => {
    network.failAll("channels.joinChannel", 400, "CHANNELS_TOO_MUCH");
    await driver.follow(network.source.externalId, never);
    const id = await post("to be read");
    const { posts } = await driver.since(network.source.externalId, "0", never);
    expect(posts.map(({ postId }) => postId)).toEqual([id]);
  });

  describe("a group that has become a supergroup", () => {
    const moved = { type: "expired", message: expect.stringContaining("-1001234567890") };
    const become = () => {
      const [successor] = network.world.channels;
      const [group] = network.world.groups;
      if (!successor || !group) throw new Error("there is no such group");
      return network.world.migrate(group, successor);
    };

    test("is read to its end, and gone; its number leads to what it is now", async () => {
      const group = network.world.addGroup(55, "Flock");
      network.world.sayInGroup(group, "of the past");
      const { externalId, state } = await driver.resolve("-55", never);
      expect(externalId).toBe("-55");
      const ids = [network.world.sayInGroup(group, "one"), network.world.sayInGroup(group, "two")];
      become();
      const news = await driver.since("-55", String(state.cursor), never);
      expect(news.posts.map(({ postId }) => postId)).toEqual(ids);
      expect(await failure(driver.since("-55", news.cursor, never))).toMatchObject(moved);
      expect(await failure(driver.since("-55", news.cursor, never))).toMatchObject(moved);
      expect(await driver.resolve("-55", never)).toMatchObject({ externalId: "-1001234567890" });
      await driver.unfollow("-55", never);
    });

    test("is fetched when the live connection reports it", async () => {
      network.world.addGroup(55, "Flock");
      const { state } = await driver.resolve("-55", never);
      const told: unknown[] = [];
      const ending = new AbortController();
      const listener: Listener = {
        ...nobody,
        isTracked: () => true,
        onGap: async ids => void told.push(ids),
      };
      const listening = driver.listen(listener, ending.signal);
      await until("it stands", () => told.length === 1);
      network.push(become());
      await until("it is to be read", () => told.length > 1);
      ending.abort();
      await listening;
      expect(told).toEqual([undefined, ["-55"]]);
      expect(await failure(another().since("-55", String(state.cursor), never))).toMatchObject(moved);
    });
  });
});

/** Runs the command and answers what it asks. */
async function runLogin(env: Record<string, string>, answers: Record<string, string>) {
  const command = join(import.meta.dirname, "../../../bin/magpie.js");
  const child = spawn(process.execPath, ["--no-warnings", command, "telegram:login"], { env });
  const exit = once(child, "exit");
  const asked = new Map(Object.entries(answers));
  let said = "";
  child.stderr.on("data", (text: Buffer) => {
    said += text;
    for (const [question, answer] of asked) {
      if (!said.includes(question)) continue;
      asked.delete(question);
      child.stdin.write(`${answer}\n`);
    }
  });
  const [code] = await exit;
  return { code, said };
}

async function failure(answer: Promise<unknown> | undefined): Promise<unknown> {
  return await answer?.then(
    value => ({ answered: value }),
    error => error,
  );
}
