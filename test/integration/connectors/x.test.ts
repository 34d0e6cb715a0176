import { setTimeout as pause } from "node:timers/promises";
import { xConnector } from "../../../services/connectors/platforms/x/connector.ts";
import type { XSettings } from "../../../services/connectors/platforms/x/context.ts";
import { planRules } from "../../../services/connectors/platforms/x/filtered-stream.ts";
import type { ReadCount, ReadCounter } from "../../../services/connectors/platforms/x/read-budget.ts";
import type {
  Listener,
  NewPosts,
  SocialConnector,
} from "../../../services/connectors/social/social-connector.ts";
import type { Post } from "../../../services/contracts/connectors.contract.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import { driverTools } from "../../fakes/driver-tools.ts";
import { XServer } from "../../fakes/x/x-server.ts";
import { listen } from "../../suites/social-connector.ear.ts";
import { type Network, socialConnectorSuite } from "../../suites/social-connector.suite.ts";
import { collectGarbage } from "../../support/collect-garbage.ts";
import { until } from "../../support/until.ts";

const magpie = { id: "2244994945", username: "magpie_watch", name: "Magpie Watch" };
const raven = { id: "1786", username: "raven", name: "A Raven" };
const never = new AbortController().signal;

socialConnectorSuite("x", async (): Promise<Network> => {
  const server = await startServer();
  return {
    driver: connect(server),
    source: {
      sids: [
        "magpie_watch",
        "@Magpie_Watch",
        "2244994945",
        "https://x.com/magpie_watch",
        "https://twitter.com/magpie_watch/status/20",
        "https://x.com/i/user/2244994945",
      ],
      externalId: magpie.id,
      username: magpie.username,
      name: magpie.name,
    },
    other: { sid: raven.username, externalId: raven.id },
    unknown: "nobody_at_all",
    malformed: [
      "not a name",
      "sixteen_letters_",
      "https://site.example/magpie",
      "https://x.com/i/lists/1",
      "@",
    ],
    post: async (externalId, text) => server.post(externalId, text),
    cut: async () => server.cut(),
    heal: async () => server.heal(),
    goAway: async () => server.cut(true),
    limitNext: () => server.limitNext(),
    streams: () => Number(server.stream.isOpen),
    followed: () => [...server.following],
    unknownPost: "12345678901234567890",
    close: () => server.stop(),
  };
});

describe("x", () => {
  let server: XServer;
  let ears: { end(): Promise<void> }[];
  let logged: string[];
  beforeEach(async () => {
    server = await startServer();
    ears = [];
    logged = [];
  });
  afterEach(async () => {
    await Promise.all(ears.map(ear => ear.end()));
    await server.stop();
  });

  const log = (...line: unknown[]) => void logged.push(JSON.stringify(line));
  const open = (more: Partial<XSettings> = {}) => connect(server, more, log);
  const hear = async (driver: SocialConnector, ...ids: string[]) => {
    const ear = await listen(driver, Object.fromEntries(ids.map(id => [id, "0"])));
    ears.push(ear);
    return ear;
  };
  const hearAs = (driver: SocialConnector, more: Partial<Listener>) => {
    const ear = listenAs(driver, more);
    ears.push(ear);
    return ear;
  };
  const postMany = (count: number, options = {}) =>
    Array.from({ length: count }, (_, at) => server.post(magpie.id, `post ${at}`, options));

  describe("timelines", () => {
    test("leave retweets out, and pages full of them are not the end", async () => {
      const driver = open();
      const [first] = postMany(1);
      postMany(250, { isRetweet: true });
      const [last] = postMany(1);
      const { posts, cursor, more } = await driver.since(magpie.id, "0", never);
      expect([idsOf(posts), cursor, more]).toEqual([[first, last], last, false]);
      expect(idsOf((await driver.history(magpie.id, { limit: 2 }, never)).posts)).toEqual([last, first]);
      postMany(250, { isRetweet: true });
      expect(await driver.since(magpie.id, last ?? "", never)).toEqual({
        posts: [],
        cursor: last,
        more: false,
      });
    });

    test("of an account whose latest posts are retweets begin with now", async () => {
      const driver = open();
      postMany(1);
      postMany(30, { isRetweet: true });
      const { state } = await driver.resolve(magpie.username, never);
      expect((await driver.since(magpie.id, String(state.cursor), never)).posts).toEqual([]);
    });

    test("a gap larger than one call is read in several, each post once, whatever comes in meanwhile", async () => {
      server.isDisordered = true;
      const driver = open();
      const ids = postMany(750);
      const calls: NewPosts[] = [];
      for (let cursor = "0", more = true; more; ) {
        const news = await driver.since(magpie.id, cursor, never);
        calls.push(news);
        ({ cursor, more } = news);
        if (calls.length < 3) ids.push(...postMany(2));
      }
      const { posts } = await driver.since(magpie.id, calls.at(-1)?.cursor ?? "", never);
      expect(calls.map(call => call.posts.length)).toEqual([300, 300, 150]);
      for (const call of calls) expect(idsOf(call.posts)).toEqual(idsOf(call.posts).toSorted());
      expect([...calls.flatMap(call => idsOf(call.posts)), ...idsOf(posts)].sort()).toEqual(ids);
      expect(idsOf(posts)).toEqual(ids.slice(-4));
    });

    test("history has as many posts as are asked for, a page or many", async () => {
      const driver = open();
      const ids = postMany(260).toReversed();
      const first = await driver.history(magpie.id, { limit: 203 }, never);
      const rest = await driver.history(magpie.id, { limit: 1000, cursor: first.next ?? "" }, never);
      expect(first.posts).toHaveLength(203);
      expect([...idsOf(first.posts), ...idsOf(rest.posts)]).toEqual(ids);
      expect(rest.next).toBeNull();
    });

    test("of protected accounts cannot be tracked", async () => {
      server.network.addAccount("77", "owl", "An Owl", { protected: true });
      const driver = open();
      expect(codeOf(await failureOf(driver.resolve("owl", never)))).toBe("not_found");
      expect(codeOf(await failureOf(driver.since("77", "0", never)))).toBe("not_found");
    });

    test.each(["abc", "1-2", "", "1; DROP"])("the cursor %j is none", async cursor => {
      const driver = open();
      const answers = [
        () => driver.since(magpie.id, cursor, never),
        () => driver.history(magpie.id, { limit: 5, cursor }, never),
      ];
      for (const answer of answers) expect(codeOf(await failureOf(answer()))).toBe("validation_failed");
    });

    test("of what is no account of X are not asked for", async () => {
      const driver = open();
      for (const id of ["did:plc:abc", "../users/12", "12345678901234567890"]) {
        expect(codeOf(await failureOf(driver.since(id, "0", never)))).toBe("not_found");
        expect(codeOf(await failureOf(driver.follow(id, never)))).toBe("not_found");
        expect(codeOf(await failureOf(driver.getPost?.(id, never)))).toBe("not_found");
      }
      expect(server.asked).toEqual([]);
    });
  });

  describe.each(["post", "tweet"] as const)("where X spells it %s", spelling => {
    test("long posts are whole and numbers are there, live and read", async () => {
      server.spelling = spelling;
      const driver = open();
      const ear = await hear(driver, magpie.id);
      const text = "Gazza ladra. ".repeat(100);
      const id = server.post(magpie.id, text);
      await until("it is told", () => ear.live(magpie.id).length > 0);
      const [live] = ear.posts(magpie.id);
      const { posts } = await driver.since(magpie.id, "0", never);
      const legacy = { full_text: text, favorite_count: 3, repost_count: 1, reply_count: 2 };
      expect([live, posts[0]]).toMatchObject(Array(2).fill({ postId: id, data: { post: { legacy } } }));
      expect(await driver.getPost?.(id, never)).toMatchObject({ legacy });
      expect(live).toEqual(posts[0]);
    });

    test("links lead where they lead, live and read", async () => {
      server.spelling = spelling;
      const driver = open();
      const ear = await hear(driver, magpie.id);
      const urls = [{ url: "https://t.co/a", expanded_url: "https://example.com/nests", title: "Nests" }];
      const id = server.post(magpie.id, "https://t.co/a", { more: { entities: { urls } } });
      await until("it is told", () => ear.live(magpie.id).length > 0);
      const [live] = ear.posts(magpie.id);
      const { posts } = await driver.since(magpie.id, "0", never);
      expect(live?.data.post).toMatchObject({
        url: `https://x.com/${magpie.username}/status/${id}`,
        links: [{ url: "https://example.com/nests", text: "https://t.co/a" }],
        card: { url: "https://example.com/nests", title: "Nests" },
      });
      expect(live).toEqual(posts[0]);
      expect(await driver.getPost?.(id, never)).toEqual(live?.data.post);
    });

    test("an edit is not published again", async () => {
      server.spelling = spelling;
      const driver = open();
      const ear = await hear(driver, magpie.id);
      const id = server.post(magpie.id, "a magpi");
      const edit = server.post(magpie.id, "a magpie", { edits: id });
      const last = server.post(magpie.id, "another");
      await until("the last is told", () => ear.live(magpie.id).includes(last));
      expect(ear.live(magpie.id)).toEqual([id, last]);
      const { posts } = await driver.since(magpie.id, "0", never);
      expect(posts).toMatchObject([{ postId: id, data: { post: { rest_id: edit } } }, { postId: last }]);
    });
  });

  describe("the stream", () => {
    test("uses its own rules; those of others stay, and their posts are not published", async () => {
      const theirs = { id: "a", value: `from:${magpie.id}`, tag: "theirs" };
      const untagged = { id: "b", value: `from:${raven.id}` };
      server.stream.rules = [theirs, untagged];
      const driver = open();
      const ear = await hear(driver, magpie.id);
      server.post(magpie.id, "somebody else's words", { isRetweet: true });
      server.post(raven.id, "untracked");
      const id = server.post(magpie.id, "own words");
      await until("it is told", () => ear.live(magpie.id).length > 0);
      expect([ear.live(magpie.id), ear.live(raven.id)]).toEqual([[id], []]);
      const own = { value: `(from:${magpie.id}) -is:retweet`, tag: "magpie" };
      expect(server.stream.rules).toMatchObject([theirs, untagged, own]);
    });

    test("keeps its rules in step with what is tracked, in few rules", async () => {
      const ids = Array.from({ length: 40 }, (_, at) => String(1_000_000_000_000_000_000n + BigInt(at)));
      for (const id of ids) server.network.addAccount(id, `bird_${id.slice(-4)}`, "A bird");
      server.stream.rules = [{ id: "a", value: "(from:5) -is:retweet", tag: "magpie" }];
      const tracked = new Set(ids.slice(0, 20));
      const gaps: (string[] | undefined)[] = [];
      const ear = hearAs(open(), { tracked: () => [...tracked], onGap: async of => void gaps.push(of) });
      await until("it stands", () => gaps.length > 0);
      expect(server.stream.rules.map(({ value }) => value)).toEqual(planRules([], [...tracked]).add);
      for (const id of ids.slice(15)) tracked.add(id);
      for (const id of ids.slice(0, 15)) tracked.delete(id);
      ear.changed();
      await until("the new ones may have a gap", () => gaps.length > 1);
      expect(gaps).toEqual([undefined, ids.slice(20)]);
      const named = server.stream.rules.flatMap(({ value }) => value.match(/\d+/g) ?? []);
      expect(named.sort()).toEqual([...tracked].sort());
      expect(server.stream.rules).toHaveLength(2);
      expect(server.stream.opened).toHaveLength(1);
    });

    test("adds no rule twice, however many there are", async () => {
      const ids = Array.from({ length: 60 }, (_, at) => String(1_000_000_000_000_000_000n + BigInt(at)));
      let gaps = 0;
      const onGap = async () => void gaps++;
      hearAs(open(), { tracked: () => ids, onGap });
      await until("it stands", () => gaps > 0);
      const { rules } = server.stream;
      server.stream.cut();
      await until("it stands again", () => gaps > 1);
      expect(rules).toHaveLength(4);
      expect(server.stream.rules).toEqual(rules);
      expect(server.asked.filter(request => request === "POST /2/tweets/search/stream/rules")).toHaveLength(
        1,
      );
    });

    test("publishes nothing of accounts that are no longer tracked", async () => {
      const gaps: unknown[] = [];
      const told: string[] = [];
      hearAs(open(), {
        tracked: () => [magpie.id, raven.id],
        isTracked: id => id === magpie.id,
        onGap: async of => void gaps.push(of),
        onPosts: async id => void told.push(id),
      });
      await until("it stands", () => gaps.length > 0);
      server.post(raven.id, "for nobody");
      postMany(1);
      await until("something is told", () => told.length > 0);
      expect(told).toEqual([magpie.id]);
    });

    test("is closed with the signal", async () => {
      const ear = await hear(open(), magpie.id);
      expect(server.stream.isOpen).toBe(true);
      await ear.end();
      await until("X sees it", () => !server.stream.isOpen);
    });

    test("stays open while a gap is filled, however long that takes and whatever garbage is collected meanwhile", async () => {
      const told: string[] = [];
      const filled = Promise.withResolvers<void>();
      let gaps = 0;
      const onGap = async () => {
        gaps += 1;
        await collectAndTell();
        filled.resolve();
      };
      hearAs(open(), { tracked: () => [magpie.id], onGap, onPosts: async id => void told.push(id) });
      await filled.promise;
      expect(server.stream.isOpen).toBe(true);
      postMany(1);
      await until("it is told", () => told.length > 0);
      expect(gaps).toBe(1);
    });

    test("continues with the rules that the plan has room for", async () => {
      const ids = Array.from({ length: 40 }, (_, at) => String(1_000_000_000_000_000_000n + BigInt(at)));
      for (const id of ids) server.network.addAccount(id, `bird_${id.slice(-4)}`, "A bird");
      server.stream.maxRules = 1;
      const ear = await hear(open(), ...ids);
      const id = server.post(String(ids[0]), "heard");
      await until("it is told", () => ear.live(String(ids[0])).includes(id));
      expect(logged.join()).toMatch(/x_rules\.refused.*RulesCapExceeded/);
    });

    test("continues when the plan has room for no rule of ours", async () => {
      server.stream.rules = [{ id: "a", value: `from:${raven.id}` }];
      server.stream.maxRules = 1;
      const ear = await hear(open(), magpie.id);
      expect([ear.losses(), logged.join()]).toEqual([[], expect.stringMatching("x_rules.refused")]);
    });

    test("is not opened while nobody of X is tracked", async () => {
      const tracked = ["did:plc:bird"];
      const gaps: unknown[] = [];
      const ear = hearAs(open(), { tracked: () => tracked, onGap: async of => void gaps.push(of) });
      ear.changed();
      tracked.push(magpie.id);
      ear.changed();
      await until("it stands", () => gaps.length > 0);
      expect(server.stream.rules).toMatchObject([{ value: `(from:${magpie.id}) -is:retweet` }]);
      expect([server.stream.opened.length, ear.losses]).toEqual([1, []]);
    });

    test("is opened again when it falls silent, and empty lines keep it", async () => {
      const ear = await hear(open({ silenceMs: 2000 }), magpie.id);
      server.stream.keepAliveMs = 40;
      await until("the silence is told", () => ear.losses().length > 0);
      expect(ear.losses()).toEqual(["X's stream fell silent."]);
      await until("it stands again", () => ear.gaps() > 1);
      await until("it lives longer than the silence", () => server.stream.beats > 60);
      expect([server.stream.opened.length, ear.losses().length]).toEqual([2, 1]);
    });

    test("reports why X ends it, and is opened again", async () => {
      const ear = await hear(open(), magpie.id);
      server.stream.disconnect();
      await until("it stands again", () => ear.gaps() > 1);
      expect(ear.losses()[0]).toMatch(/^X ends the stream: .*operational reasons/);
    });

    test("waits its turn when another connection is open, not as long as a rate limit", async () => {
      server.stream.rules = [{ id: "a", value: `from:${raven.id}` }];
      const holder = new AbortController();
      const headers = { authorization: `Bearer ${server.appToken}` };
      await fetch(`${server.url}/2/tweets/search/stream`, { headers, signal: holder.signal });
      const gaps: unknown[] = [];
      const ear = hearAs(open(), { tracked: () => [magpie.id], onGap: async of => void gaps.push(of) });
      const attempts = () => server.asked.filter(request => request.endsWith("/search/stream")).length;
      await until("it is refused twice", () => attempts() > 2);
      expect(ear.losses).toEqual([expect.stringMatching(/connection of this service/)]);
      holder.abort();
      await until("it stands", () => gaps.length > 0);
    });

    test("whose opening is limited is opened when X allows it", async () => {
      server.limitNext();
      const ear = await hear(open(), magpie.id);
      expect(ear.losses()).toEqual([]);
    });

    test("in another order, and with doubles, loses nothing", async () => {
      const told: Post[] = [];
      const gaps: unknown[] = [];
      hearAs(open(), {
        tracked: () => [magpie.id],
        onGap: async of => void gaps.push(of),
        onPosts: async (_, posts) => void told.push(...posts),
      });
      await until("it stands", () => gaps.length > 0);
      server.stream.isHeld = true;
      const texts = ["Elster 🐦‍⬛", "かささぎ", "Pica pica"];
      const [one, two, three] = texts.map(text => server.post(magpie.id, text));
      server.stream.release(lines => [...lines.toReversed(), ...lines]);
      await until("all are told", () => told.length >= 6);
      expect(idsOf(told)).toEqual([three, two, one, one, two, three]);
      expect(told.slice(3).map(({ data }) => data)).toMatchObject(
        texts.map(text => ({ post: { legacy: { full_text: text } } })),
      );
    });

    test("whose posts cannot be stored is opened again, and the gap reported", async () => {
      const gaps: unknown[] = [];
      const ear = hearAs(open(), {
        tracked: () => [magpie.id],
        onGap: async of => void gaps.push(of),
        onPosts: () => Promise.reject(new Error("secret of the store")),
      });
      await until("it stands", () => gaps.length > 0);
      postMany(1);
      await until("it stands again", () => gaps.length > 1);
      expect(ear.losses).toEqual(["The connection to X broke."]);
    });

    test("asks for the minutes that the plan gives again", async () => {
      await hear(open({ backfillMinutes: 5 }), magpie.id);
      expect(server.stream.opened[0]).toContain("backfill_minutes=5");
    });
  });

  test("digits are a name before they are a number", async () => {
    server.network.addAccount("77", magpie.id, "Has a number for a name");
    const driver = open();
    expect(await driver.resolve(magpie.id, never)).toMatchObject({ externalId: "77" });
    expect(await driver.resolve(`https://x.com/i/user/${magpie.id}`, never)).toMatchObject({
      externalId: magpie.id,
    });
    expect(await driver.resolve(raven.id, never)).toMatchObject({ externalId: raven.id });
  });

  test("a post that is not there is not found, although X answers with status 200", async () => {
    expect(codeOf(await failureOf(open().getPost?.("20", never)))).toBe("not_found");
    expect(server.asked).toEqual(["GET /2/tweets/20"]);
  });

  test("a request ends with its signal", async () => {
    server.isDeaf = true;
    const ending = new AbortController();
    const answer = failureOf(open().getPost?.("20", ending.signal));
    await until("it is asked", () => server.asked.length > 0);
    ending.abort(new Error("nobody waits"));
    expect(codeOf(await answer)).toBe("connector_unavailable");
  });

  describe("credentials", () => {
    const listener = { tracked: () => [magpie.id] };

    test.each([401, 403] as const)(
      "refused with %d end the listening, and are named, not told",
      async status => {
        server.refuses = status;
        const driver = open();
        const error = await listenAs(driver, listener).ended;
        expect(error).toMatchObject({ message: expect.stringContaining("X_BEARER_TOKEN") });
        const failure = await failureOf(driver.resolve(magpie.username, never));
        expect(codeOf(failure)).toBe("connector_unavailable");
        expect(`${error} ${failure} ${logged.join()}`).not.toMatch(/app-token|user-token/);
      },
    );

    test("credentials that are missing are asked for", async () => {
      const driver = open({ bearerToken: undefined });
      expect(await listenAs(driver, listener).ended).toMatchObject({
        message: expect.stringContaining("X_BEARER_TOKEN"),
      });
      expect(codeOf(await failureOf(driver.resolve(magpie.username, never)))).toBe("connector_unavailable");
      expect(server.asked).toEqual([]);
    });

    test("without a user's token nobody is followed", async () => {
      const driver = open({ accessToken: undefined });
      await driver.follow(magpie.id, never);
      await driver.unfollow(magpie.id, never);
      expect(server.asked).toEqual([]);
    });

    test("a follow that the plan does not allow is a line in the log", async () => {
      server.mayFollow = false;
      await open().follow(magpie.id, never);
      expect(logged.join()).toMatch(/x_follow\.refused.*X_ACCESS_TOKEN/);
      expect(logged.join()).not.toMatch(/app-token|user-token/);
    });
  });

  describe("the budget", () => {
    test("ends reading before it is passed, until the month ends", async () => {
      let now = Date.UTC(2026, 7, 31, 23);
      let stored: ReadCount | null = null;
      const counter: ReadCounter = {
        read: async () => stored,
        change: async change => {
          stored = change(stored);
        },
      };
      const driver = connect(server, { monthlyReads: 12, counter }, log, () => now);
      postMany(30);
      const first = await driver.history(magpie.id, { limit: 10 }, never);
      expect(first.posts).toHaveLength(10);
      const error = await failureOf(
        driver.history(magpie.id, { limit: 10, cursor: first.next ?? "" }, never),
      );
      expect([codeOf(error), error]).toMatchObject([
        "connector_unavailable",
        { data: { retry_after: 3600 } },
      ]);
      expect(server.billed).toHaveLength(10);
      expect(stored).toEqual({ month: "2026-08", reads: 10 });
      now += 3_600_000;
      expect((await driver.history(magpie.id, { limit: 10 }, never)).posts).toHaveLength(10);
    });

    test("a budget that ends between two pages gives what was read, and where to continue", async () => {
      const driver = open({ monthlyReads: 120 });
      const ids = postMany(200);
      const news = await driver.since(magpie.id, "0", never);
      expect([idsOf(news.posts), news.more]).toEqual([ids.slice(-120), true]);
      expect(codeOf(await failureOf(driver.since(magpie.id, news.cursor, never)))).toBe(
        "connector_unavailable",
      );
      const { posts, cursor, more } = await open().since(magpie.id, news.cursor, never);
      expect([idsOf(posts), cursor, more]).toEqual([ids.slice(0, 80), ids.at(-1), false]);
    });

    test("a budget that is used up opens no stream", async () => {
      const month = new Date().toISOString().slice(0, 7);
      const driver = open({
        monthlyReads: 10,
        counter: {
          read: async () => ({ month, reads: 10 }),
          change: async change => change({ month, reads: 10 }),
        },
      });
      const ear = hearAs(driver, { tracked: () => [magpie.id] });
      await until("that is told", () => ear.losses.length > 0);
      expect(ear.losses).toEqual([expect.stringMatching(/used up/)]);
      expect(server.asked).toEqual([]);
    });

    test("ends the stream too, and what came in live is not paid twice when it is read", async () => {
      const driver = open({ monthlyReads: 10 });
      const ear = await hear(driver, magpie.id);
      const ids = postMany(3);
      await until("they are told", () => ear.live(magpie.id).length === 3);
      expect(idsOf((await driver.since(magpie.id, "0", never)).posts)).toEqual(ids);
      for (let count = 4; count <= 10; count++) {
        postMany(1);
        await until("it is told", () => ear.live(magpie.id).length === count);
      }
      await until("the stream is closed", () => ear.losses().length > 0 && !server.stream.isOpen);
      expect(ear.losses()).toEqual([expect.stringMatching(/used up/)]);
      expect(server.stream.opened).toHaveLength(1);
    });
  });
});

async function startServer(): Promise<XServer> {
  const server = await new XServer().start();
  for (const { id, username, name } of [magpie, raven]) server.network.addAccount(id, username, name);
  return server;
}

function connect(
  server: XServer,
  more: Partial<XSettings> = {},
  log: (...line: unknown[]) => void = () => undefined,
  now = Date.now,
): SocialConnector {
  const { appToken: bearerToken, userToken: accessToken, url: baseUrl } = server;
  const settings = { bearerToken, accessToken, baseUrl, rulesEveryMs: 5, ...more };
  const logger = { debug: log, info: log, warn: log, error: log };
  return xConnector(settings, driverTools({ now, logger, reconnectMs: 5 }));
}

/** Listens as somebody who does what the test says; `ended` is what the listening ended with. */
function listenAs(driver: SocialConnector, more: Partial<Listener>) {
  const ending = new AbortController();
  const losses: string[] = [];
  let changed: () => void = () => undefined;
  const listener: Listener = {
    isTracked: () => true,
    tracked: () => [],
    onTracked: told => {
      changed = told;
      return () => undefined;
    },
    onPosts: async () => undefined,
    onGap: async () => undefined,
    onLost: reason => losses.push(reason),
    ...more,
  };
  const ended = driver.listen(listener, ending.signal).catch(error => error);
  const end = async () => {
    ending.abort();
    expect(await ended).toBeUndefined();
  };
  return { losses, ended, end, changed: () => changed() };
}

/** As the process does by itself in time; what is collected is told to those who registered for it a little later. */
async function collectAndTell(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    collectGarbage();
    await pause(20);
  }
}

function idsOf(posts: Post[]): string[] {
  return posts.map(({ postId }) => postId);
}

function failureOf(answer: Promise<unknown> | undefined): Promise<unknown> {
  if (!answer) throw new Error("the driver cannot do this at all");
  return answer.then(
    value => new Error(`answered with ${JSON.stringify(value)}`),
    error => error,
  );
}
