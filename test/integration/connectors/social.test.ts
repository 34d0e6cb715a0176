import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../../mixins/config/config.ts";
import { connectorsService } from "../../../services/connectors/connectors.service.ts";
import { defaultOptions } from "../../../services/connectors/social/social.ts";
import type { Listener, SocialConnector } from "../../../services/connectors/social/social-connector.ts";
import { actions, call, handle } from "../../../services/contracts/action.ts";
import { sandboxPost } from "../../../services/contracts/admin.contract.ts";
import * as platforms from "../../../services/contracts/connectors.contract.ts";
import {
  type PollResult,
  type Post,
  pollSource,
  resolveSource,
  unfollowSource,
} from "../../../services/contracts/connectors.contract.ts";
import { codeOf, fail, invalid } from "../../../services/contracts/errors.ts";
import { health } from "../../../services/contracts/health.contract.ts";
import { pollSoon, receivePosts, trackedOfKind } from "../../../services/contracts/tracker.contract.ts";
import { removeFolder } from "../../support/folders.ts";
import { until } from "../../support/until.ts";

const post: Post = {
  postId: "p1",
  revision: "1",
  type: "microblog.post.created",
  data: { post: { rest_id: "p1" } },
};

/** A network whose every word is the test's. */
class Network {
  readonly asked: string[] = [];
  readonly listeners: Listener[] = [];
  failure: unknown;
  refusal: Error | undefined;
  news = { posts: [] as Post[], cursor: "c1", more: false };

  connector(): SocialConnector {
    const answer = async <T>(what: string, value: T): Promise<T> => {
      this.asked.push(what);
      if (this.failure) throw this.failure;
      return value;
    };
    return {
      kind: "microblog",
      driver: "mastodon",
      resolve: sid => answer(`resolve ${sid}`, { ...resolved, externalId: sid }),
      follow: id => answer(`follow ${id}`, undefined),
      unfollow: id => answer(`unfollow ${id}`, undefined),
      since: (id, cursor) => answer(`since ${id} ${cursor}`, this.news),
      history: (id, { limit }) => answer(`history ${id} ${limit}`, { posts: [post], next: "older" }),
      listen: async (listener, signal) => {
        if (this.refusal) throw this.refusal;
        this.listeners.push(listener);
        if (!signal.aborted) await new Promise(resolve => signal.addEventListener("abort", resolve));
      },
      close: async () => {
        this.asked.push("close");
      },
    };
  }

  follows(): string[] {
    return this.asked.filter(what => what.startsWith("follow "));
  }
}

const sentence = expect.stringMatching(/\.$/);
const resolved = { kind: "microblog" as const, username: "u", name: "U", state: { cursor: "c0" } };

/** The tracker, as the service sees it. */
class Tracker {
  readonly tracked = new Set<string>();
  readonly due: string[] = [];
  readonly kept: string[] = [];
  isAway = false;
  refusals = 0;

  service() {
    const away = () => {
      if (!this.isAway) return;
      this.refusals += 1;
      throw fail("overloaded", "The tracker is away.");
    };
    return {
      name: "tracker",
      actions: actions(
        handle(trackedOfKind, "public", ({ params: { kind, after, limit } }) => {
          away();
          const all = kind === "microblog" ? [...this.tracked].sort() : [];
          const page = all.filter(id => id > (after ?? "")).slice(0, Math.min(limit, 2));
          const data = page.map(externalId => ({ externalId, username: externalId }));
          return { data, next: page.length < 2 ? null : String(page.at(-1)) };
        }),
        handle(receivePosts, "public", ({ params: { externalId, posts } }) => {
          away();
          this.kept.push(...posts.map(({ postId }) => `${externalId} ${postId}`));
          return { isTracked: true };
        }),
        handle(pollSoon, "public", ({ params: { externalId } }) => {
          away();
          this.due.push(externalId);
          return { isTracked: true };
        }),
      ),
    };
  }
}

let dataDir: string;
let broker: ServiceBroker;
let network: Network;
let tracker: Tracker;

/** The service beside a scripted microblog and the two sandboxes. */
async function start(homeServer = "https://birds.example"): Promise<void> {
  broker = new ServiceBroker({ logger: false, requestTimeout: 15_000 });
  const env = {
    MICROBLOG_DRIVER: "mastodon",
    MASTODON_URL: homeServer,
    MASTODON_ACCESS_TOKEN: "token",
    SANDBOX_POST_EVERY: "off",
    DATA_DIR: dataDir,
    POLL_MIN_INTERVAL: "1m",
  };
  const drivers = { ...defaultOptions.drivers, microblog: async () => network.connector() };
  broker.createService(connectorsService(toConfig(env), { readEveryMs: 20, drivers }));
  broker.createService(tracker.service());
  await broker.start();
}

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-social-"));
  network = new Network();
  tracker = new Tracker();
});
afterEach(async () => {
  await broker.stop();
  await removeFolder(dataDir);
});

const kind = "microblog" as const;
const follow = (externalId: string) => call(broker, platforms.followSource, { kind, externalId });
const poll = (cursor: unknown = "c0", failures = 0) =>
  call(broker, pollSource, { kind, externalId: "a", state: { cursor }, failures });
const listener = async () => {
  await until("it listens", () => network.listeners.length > 0);
  return network.listeners.at(-1) as Listener;
};
const microblog = async () => {
  const { findings } = await call(broker, health("connectors"), {});
  return findings.find(({ name }) => name === "connector:microblog");
};

describe("listening", () => {
  test("begins once it is known what is tracked, by pages; what is followed or let go counts at once", async () => {
    for (const id of ["a", "b", "c"]) tracker.tracked.add(id);
    await start();
    const heard = await listener();
    expect(heard.tracked().sort()).toEqual(["a", "b", "c"]);
    let changes = 0;
    const leave = heard.onTracked(() => {
      changes += 1;
    });
    await follow("d");
    expect([heard.isTracked("d"), changes]).toEqual([true, 1]);
    await call(broker, unfollowSource, { kind, externalId: "d" });
    expect([heard.isTracked("d"), changes]).toEqual([false, 2]);
    leave();
    await follow("e");
    expect(changes).toBe(2);
    expect(network.asked).toEqual(expect.arrayContaining(["follow d", "unfollow d", "follow e"]));
  });

  test("hands posts to the tracker, and has what was missed polled soon", async () => {
    for (const id of ["a", "b", "c"]) tracker.tracked.add(id);
    await start();
    const heard = await listener();
    await heard.onPosts("a", [post]);
    expect(tracker.kept).toEqual(["a p1"]);
    await heard.onGap(["b"]);
    expect(tracker.due).toEqual(["b"]);
    await heard.onGap();
    expect(tracker.due.sort()).toEqual(["a", "b", "b", "c"]);
  });

  test("what comes live waits for what was missed before it", async () => {
    tracker.tracked.add("a");
    await start();
    const heard = await listener();
    await heard.onGap(["a"]);
    await heard.onPosts("a", [post]);
    expect([tracker.kept, tracker.due]).toEqual([[], ["a", "a"]]);
    network.news = { posts: [post], cursor: "c1", more: true };
    await poll();
    await heard.onPosts("a", [post]);
    expect(tracker.kept).toEqual([]);
    network.news = { posts: [post], cursor: "c1", more: false };
    await poll();
    await heard.onPosts("a", [post]);
    expect(tracker.kept).toEqual(["a p1"]);
    // A source that cannot be read is heard all the same.
    await heard.onGap(["a"]);
    network.failure = fail("forbidden", "Members only.");
    await poll();
    await heard.onPosts("a", [{ ...post, postId: "p2" }]);
    expect(tracker.kept).toEqual(["a p1", "a p2"]);
  });

  test("an unavailable tracker loses nothing: the source is polled when it is back", async () => {
    tracker.tracked.add("a");
    await start();
    const heard = await listener();
    tracker.isAway = true;
    const told = heard.onPosts("a", [post]);
    await until("it was refused", () => tracker.refusals > 1);
    tracker.isAway = false;
    await told;
    expect([tracker.kept, tracker.due]).toEqual([[], ["a"]]);
  });

  test("ends with the service, and the driver is closed", async () => {
    await start();
    await listener();
    await broker.stop();
    expect(network.asked).toContain("close");
    await start();
  });
});

describe("following", () => {
  test("a source that is tracked and was not followed is followed, once, over restarts too", async () => {
    for (const id of ["a", "b", "c"]) tracker.tracked.add(id);
    await start();
    await until("all are followed", () => network.follows().length === 3);
    await broker.stop();
    tracker.tracked.add("d");
    await start();
    await until("the new one is followed", () => network.follows().length === 4);
    expect(network.follows().sort()).toEqual(["follow a", "follow b", "follow c", "follow d"]);
  });

  test("while the network is unavailable nothing is marked as followed, and it recovers by itself", async () => {
    tracker.tracked.add("a");
    network.failure = fail("connector_unavailable", "Away.");
    await start();
    await until("it was tried again", () => network.follows().length > 2);
    network.failure = undefined;
    const before = network.follows().length;
    await until("it is followed", () => network.follows().length > before);
    expect(codeOf(await follow("z").catch(error => error))).toBeUndefined();
  });

  test("a source that cannot be followed does not keep the others from it", async () => {
    for (const id of ["a", "b"]) tracker.tracked.add(id);
    network.failure = fail("not_found", "Gone.");
    await start();
    await until("both were tried", () => network.follows().length === 2);
    expect(network.follows().sort()).toEqual(["follow a", "follow b"]);
  });
});

describe("a source that was tracked on another network, whose ids mean others here", () => {
  const elsewhere = "https://elsewhere.example";
  const moved = async () => {
    tracker.tracked.add("a");
    await start();
    await follow("a");
    await broker.stop();
    network = new Network();
    await start(elsewhere);
  };

  test("is neither followed nor published, and reported as gone", async () => {
    await moved();
    tracker.tracked.add("b");
    await until("the other is followed", () => network.follows().length > 0);
    const heard = await listener();
    expect([heard.tracked(), heard.isTracked("a")]).toEqual([["b"], false]);
    expect(await poll()).toMatchObject({ ok: false, gone: true, reason: sentence, state: { cursor: "c0" } });
    expect(network.asked).toEqual(["follow b"]);
  });

  test("keeps its id until it is unfollowed, without a request to the network", async () => {
    await moved();
    const other = await call(broker, resolveSource, { kind, sid: "a" });
    expect(other).toMatchObject({ externalId: "mastodon:a", network: "mastodon" });
    const page = { uid: "a", limit: 5 };
    const taken = { type: "conflict", message: sentence };
    await expect(call(broker, platforms.microblogHistory, page)).rejects.toMatchObject(taken);
    tracker.tracked.delete("a");
    await call(broker, unfollowSource, { kind, externalId: "a" });
    expect(network.asked).not.toContain("unfollow a");
    expect(await call(broker, resolveSource, { kind, sid: "a" })).toMatchObject({ externalId: "a" });
    await follow("a");
    expect((await listener()).isTracked("a")).toBe(true);
  });

  test("is published again when its network is back, without a new follow", async () => {
    await moved();
    await broker.stop();
    network = new Network();
    await start();
    expect((await listener()).isTracked("a")).toBe(true);
    expect(await poll()).toMatchObject({ ok: true });
    expect(network.follows()).toEqual([]);
  });
});

describe("a poll", () => {
  const result = (value: PollResult) => value as Extract<PollResult, { ok: true }>;

  test("reads on from the cursor; rarely while posts come live, often while they do not", async () => {
    await start();
    const heard = await listener();
    network.news = { posts: [post], cursor: "c1", more: false };
    const before = result(await poll());
    expect(before).toMatchObject({ ok: true, posts: [post], state: { cursor: "c1" } });
    expect(network.asked).toContain("since a c0");
    expect(before.source).toEqual({ network: "mastodon" });
    const minutes = ({ nextInMs }: { nextInMs: number }) => Math.floor(nextInMs / 60_000);
    expect(minutes(before)).toBe(1);
    await heard.onGap([]);
    expect(minutes(result(await poll()))).toBe(5);
    heard.onLost("The connection broke.");
    expect(minutes(result(await poll()))).toBe(1);
    network.news = { posts: [], cursor: "c1", more: true };
    expect(result(await poll())).toMatchObject({ nextInMs: 0, more: true });
    await poll(null);
    expect(network.asked).toContain("since a null");
  });

  test.each<[string, unknown, object]>([
    ["forbidden", fail("forbidden", "The bot is no member."), { reason: "The bot is no member." }],
    ["not found", fail("not_found", "No such account."), { reason: "No such account." }],
    ["no id of this network", invalid("externalId", "malformed", "No id."), { reason: "No id." }],
    ["never to be taken", fail("upstream_error", "Not taken."), { reason: "Not taken." }],
    ["gone for good", fail("expired", "It has moved."), { reason: "It has moved.", gone: true }],
  ])("reports a failure of the source itself: %s", async (_, failure, expected) => {
    await start();
    network.failure = failure;
    expect(await poll("c0", 3)).toMatchObject({
      ok: false,
      gone: false,
      state: { cursor: "c0" },
      ...expected,
    });
  });

  test.each([
    [undefined, 60],
    [30, 60],
    [900, 900],
  ])("of a network that is away is put off, without blame (%p s)", async (retry_after, expected) => {
    await start();
    network.failure = fail("connector_unavailable", "Away.", retry_after ? { retry_after } : {});
    await expect(poll()).rejects.toMatchObject({
      type: "connector_unavailable",
      data: { retry_after: expected },
    });
  });
});

describe("readiness", () => {
  test("names the drivers", async () => {
    await start();
    const { findings } = await call(broker, health("connectors"), {});
    expect(findings).toMatchObject([
      { name: "connector:rss", status: "ok" },
      { name: "connector:search", status: "ok" },
      { name: "connector:web", status: "ok" },
      { name: "connector:site", status: "ok" },
      { name: "connector:microblog", status: "ok", detail: "mastodon" },
      {
        name: "connector:chatserver",
        status: "ok",
        detail: expect.stringMatching(/^sandbox, .*CHATSERVER_DRIVER/),
      },
      {
        name: "connector:messenger",
        status: "ok",
        detail: expect.stringMatching(/^sandbox, .*MESSENGER_DRIVER/),
      },
    ]);
  });

  test("reports a lost connection until it is open again", async () => {
    await start();
    const heard = await listener();
    heard.onLost("The connection broke.");
    expect(await microblog()).toMatchObject({
      status: "degraded",
      detail: "mastodon: The connection broke.",
    });
    await heard.onGap();
    expect(await microblog()).toMatchObject({ status: "ok" });
  });

  test("refused credentials do not end the process; readiness reports them", async () => {
    network.refusal = fail(
      "connector_unavailable",
      "Mastodon refuses MASTODON_ACCESS_TOKEN: make a new one.",
    );
    await start();
    await until("it is told", async () => (await microblog())?.status === "degraded");
    expect(await microblog()).toMatchObject({
      detail: "mastodon: Mastodon refuses MASTODON_ACCESS_TOKEN: make a new one.",
    });
  });

  test("a driver that cannot be opened is missing, and what needs it is unavailable", async () => {
    network.connector = () => {
      throw new Error("an inside that nobody is to see");
    };
    await start();
    const found = await microblog();
    expect(found).toMatchObject({ status: "missing", detail: expect.stringContaining("the log says why") });
    expect(JSON.stringify(found)).not.toContain("inside");
    await expect(follow("a")).rejects.toMatchObject({ type: "connector_unavailable", code: 503 });
    expect(await call(broker, resolveSource, { kind: "messenger", sid: "@magpie_watch" })).toMatchObject({
      externalId: "3001",
    });
  });
});

describe("operations", () => {
  beforeEach(start);

  test("reach the driver, and come back as they are", async () => {
    expect(await call(broker, resolveSource, { kind, sid: "a" })).toMatchObject({ externalId: "a" });
    const page = await call(broker, platforms.microblogHistory, { uid: "a", limit: 3 });
    expect(page).toEqual({ posts: [{ rest_id: "p1" }], next_cursor: "older" });
    expect(network.asked).toContain("history a 3");
  });

  test("name the caller's field", async () => {
    network.failure = invalid("externalId", "malformed", "This is no id.");
    await expect(call(broker, platforms.microblogHistory, { uid: "a", limit: 3 })).rejects.toMatchObject({
      data: { details: [{ field: "uid", code: "malformed", message: "This is no id." }] },
    });
  });

  test("operations that the driver has no ability for are unavailable, with a sentence", async () => {
    const error = await call(broker, platforms.readMicroblogPost, { postId: "1" }).catch(each => each);
    expect(error).toMatchObject({
      type: "connector_unavailable",
      message: expect.stringContaining("mastodon"),
    });
  });

  test("a platform without join requests lets everybody read", async () =>
    expect(await call(broker, platforms.admission, { kind, sid: "a" })).toEqual({ state: "in" }));

  test("for feeds and pages there are none of these", async () => {
    const asked = call(broker, platforms.followSource, { kind: "rss", externalId: "a" });
    await expect(asked).rejects.toMatchObject({ type: "connector_unavailable" });
    expect(await call(broker, unfollowSource, { kind: "rss", externalId: "a" })).toBeNull();
  });
});

describe("the sandbox", () => {
  test("posts on demand on simulated platforms only", async () => {
    await start();
    const told = await call(broker, sandboxPost, { platform: "chatserver", channelId: "2011", text: "Caw" });
    expect(told.data.id).toMatch(/^\d+$/);
    const refused = call(broker, sandboxPost, { platform: "microblog", username: "a", text: "Caw" });
    await expect(refused).rejects.toMatchObject({ type: "not_found", code: 404 });
    const nowhere = call(broker, sandboxPost, { platform: "messenger", text: "Caw" });
    await expect(nowhere).rejects.toMatchObject({ data: { details: [{ field: "channelId" }] } });
  });

  test("keeps posts and join requests over a restart", async () => {
    await start();
    const source = await call(broker, resolveSource, { kind: "chatserver", sid: "corvids" });
    const say = async (text: string) =>
      (await call(broker, sandboxPost, { platform: "chatserver", channelId: "2011", text })).data.id;
    const first = await say("before");
    const invite = "innernest2026";
    expect(await call(broker, platforms.checkJoin, { kind: "messenger", invite })).toMatchObject({
      state: "unasked",
    });
    await call(broker, platforms.requestJoin, { kind: "messenger", invite });
    await broker.stop();
    await start();
    const second = await say("after");
    const read = { kind: "chatserver" as const, externalId: source.externalId, failures: 0 };
    const { posts, ok } = (await call(broker, pollSource, { ...read, state: source.state })) as Extract<
      PollResult,
      { ok: true }
    >;
    expect([ok, posts.map(({ postId }) => postId)]).toEqual([true, [first, second]]);
    expect(BigInt(second)).toBeGreaterThan(BigInt(first));
    await until("it is let in", async () => {
      const standing = await call(broker, platforms.checkJoin, { kind: "messenger", invite });
      return standing.state === "in";
    });
  });
});
