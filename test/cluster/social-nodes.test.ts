import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import type { OpenDriver } from "../../services/connectors/social/open-driver.ts";
import { defaultOptions } from "../../services/connectors/social/social.ts";
import type { Listener, SocialConnector } from "../../services/connectors/social/social-connector.ts";
import { actions, call, handle } from "../../services/contracts/action.ts";
import { sandboxPost } from "../../services/contracts/admin.contract.ts";
import {
  followSource,
  type Post,
  pollSource,
  resolveSource,
  unfollowSource,
} from "../../services/contracts/connectors.contract.ts";
import { fail } from "../../services/contracts/errors.ts";
import { health } from "../../services/contracts/health.contract.ts";
import { pollSoon, receivePosts, trackedOfKind } from "../../services/contracts/tracker.contract.ts";
import { removeFolder } from "../support/folders.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const kind = "microblog" as const;
const post: Post = { postId: "p1", revision: "1", type: "microblog.post.created", data: {} };
type Node = "a" | "b";

const mongo = await startMongo();
const inCluster = withMongo(mongo);

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
}, 600_000);
afterAll(() => Promise.all([redis.stop(), mongo.stop()]));

let isCluster: boolean;
let dataDir: string;
let brokers: Map<string, ServiceBroker>;
/** The bus of this test alone. */
let namespace: string;
/** Who listens now to which network, and through what; and all that was asked, by whom. */
let listening: Map<string, Listener>;
/** Networks that cannot be reached. */
let down: Set<string>;
let asked: string[];
let due: string[];
let kept: string[];
let tracked: Set<string>;

/** The driver of a node; every word of the network is the test's. Mastodon is the default, and is not named. */
function driverOf(node: Node, isExclusive: boolean, driver = "mastodon"): SocialConnector {
  const named = driver === "mastodon" ? node : `${node} ${driver}`;
  const answer = async <T>(what: string, value: T): Promise<T> => {
    asked.push(`${named} ${what}`);
    if (down.has(driver)) throw fail("connector_unavailable", "The network is away.");
    return value;
  };
  return {
    kind,
    driver,
    ...(isExclusive && { isExclusive }),
    resolve: sid => answer("resolve", { kind, externalId: sid, username: sid, name: sid, state: {} }),
    follow: id => answer(`follow ${id}`, undefined),
    unfollow: id => answer(`unfollow ${id}`, undefined),
    since: () => answer("since", { posts: [], cursor: "c", more: false }),
    history: () => answer("history", { posts: [], next: null }),
    async listen(listener, signal) {
      listening.set(named, listener);
      await listener.onGap();
      await new Promise(resolve => signal.addEventListener("abort", resolve));
      listening.delete(named);
    },
    close: () => answer("close", undefined),
  };
}

const openOf =
  (node: Node, isExclusive: boolean): OpenDriver<"microblog"> =>
  async (_, __, ___, { driver }) =>
    driverOf(node, isExclusive, driver);

function broker(nodeID: string): ServiceBroker {
  const one = new ServiceBroker({ nodeID, namespace, transporter: "Fake", logger: false });
  brokers.set(nodeID, one);
  return one;
}

async function start(
  node: Node,
  { isExclusive = false, home = "https://birds.example", networks = "mastodon" } = {},
) {
  const env = {
    MICROBLOG_DRIVER: networks,
    BLUESKY_IDENTIFIER: "magpie.example",
    BLUESKY_APP_PASSWORD: "password",
    MASTODON_URL: home,
    MASTODON_ACCESS_TOKEN: "token",
    SANDBOX_POST_EVERY: "off",
    DATA_DIR: dataDir,
    ...(isCluster && {
      NATS_URL: "nats://127.0.0.1:4222",
      REDIS_URL: redis.url,
      MONGO_URL: mongo.url,
      CLUSTER_NAMESPACE: namespace,
    }),
  };
  const drivers = { ...defaultOptions.drivers, microblog: openOf(node, isExclusive) };
  const one = broker(node);
  one.createService(connectorsService(toConfig(env), { readEveryMs: 200, drivers }));
  await one.start();
  await one.waitForServices("tracker");
}

const on = (node: Node): ServiceBroker => {
  const one = brokers.get(node);
  if (!one) throw new Error(`There is no node ${node}`);
  return one;
};
const poll = (node: Node) =>
  call(on(node), pollSource, { kind, externalId: "1", state: { cursor: "c" }, failures: 0 });
const standing = async (node: Node) =>
  (await call(on(node), health("connectors"), {})).findings.find(({ name }) => name.endsWith(kind));
const heardBy = async (node: string): Promise<Listener> => {
  await until(`${node} listens`, () => listening.has(node));
  return listening.get(node) as Listener;
};

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-social-nodes-"));
  namespace = `t${randomUUID().slice(0, 8)}`;
  brokers = new Map();
  listening = new Map();
  down = new Set();
  asked = [];
  due = [];
  kept = [];
  tracked = new Set(["1"]);
  const tracker = broker("tracker");
  tracker.createService({
    name: "tracker",
    actions: actions(
      handle(trackedOfKind, "public", ({ params }) => {
        const ids = params.kind === kind ? [...tracked] : params.kind === "messenger" ? ["3001"] : [];
        return { data: ids.map(id => ({ externalId: id, username: id })), next: null };
      }),
      handle(receivePosts, "public", ({ params }) => {
        kept.push(params.externalId);
        return { isTracked: true };
      }),
      handle(pollSoon, "public", ({ params }) => {
        due.push(params.externalId);
        return { isTracked: true };
      }),
    ),
  });
  await tracker.start();
});
afterEach(async () => {
  await Promise.all([...brokers.values()].map(one => one.stop()));
  await removeFolder(dataDir);
});

describe.each([
  ["in one process with an embedded store", false],
  ["of a cluster", true],
])("two nodes %s", (_, isOfCluster) => {
  beforeEach(() => {
    isCluster = isOfCluster;
  });
  const onlyWhereThereIsOne = (name: string, run: () => Promise<void>) =>
    (isOfCluster ? inCluster.test : test)(name, run);

  onlyWhereThereIsOne(
    "one listens; the other stands by, knows how that goes, and takes over with all that was missed",
    async () => {
      await start("a");
      const { onLost, onGap } = await heardBy("a");
      await start("b");
      const isLive = async () => {
        const polled = await poll("b");
        return polled.ok && polled.nextInMs >= 5 * 60_000;
      };
      await until("b knows that posts come live", isLive);
      onLost("The connection broke.");
      await until("b knows why", async () => (await standing("b"))?.detail?.includes("broke") === true);
      expect(await isLive()).toBe(false);
      await onGap([]);
      await until("it is told again", isLive);
      expect([...listening.keys()]).toEqual(["a"]);
      const before = due.length;
      await on("a").stop();
      await heardBy("b");
      await until("all is read", () => due.length > before);
      expect([...listening.keys()]).toEqual(["b"]);
    },
  );

  onlyWhereThereIsOne(
    "what is followed or let go through the other is heard at once; what it did not tell, after a reading",
    async () => {
      await start("a");
      const { isTracked } = await heardBy("a");
      await start("b");
      await call(on("b"), followSource, { kind, externalId: "2" });
      await until("it is heard", () => isTracked("2"));
      await call(on("b"), unfollowSource, { kind, externalId: "2" });
      await until("it is heard no more", () => !isTracked("2"));
      expect(asked).toEqual(expect.arrayContaining(["b follow 2", "b unfollow 2"]));
      tracked.add("3");
      await until("it is found, and read", () => due.includes("3"));
      await until("it is followed, by the one that listens", () => asked.includes("a follow 3"));
      expect([isTracked("3"), asked.includes("b follow 3")]).toEqual([true, false]);
    },
  );

  onlyWhereThereIsOne("what comes live waits for a reading by whichever of them", async () => {
    await start("a");
    const { onGap, onPosts } = await heardBy("a");
    await start("b");
    await onGap(["1"]);
    await onPosts("1", [post]);
    expect(kept).toEqual([]);
    await poll("b");
    await until("it is told live again", async () => {
      await onPosts("1", [post]);
      return kept.length > 0;
    });
  });

  onlyWhereThereIsOne(
    "an account that one may use at a time is used by the one that listens, and closed before the next",
    async () => {
      await start("a", { isExclusive: true });
      await heardBy("a");
      await start("b", { isExclusive: true });
      await until("b knows who", () =>
        poll("b").then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      await call(on("b"), resolveSource, { kind, sid: "9" });
      await call(on("b"), followSource, { kind, externalId: "9" });
      expect(asked).toEqual(expect.arrayContaining(["a since", "a resolve", "a follow 9"]));
      expect(asked.filter(what => what.startsWith("b"))).toEqual([]);
      await on("a").stop();
      await heardBy("b");
      await until("b does it itself", () =>
        poll("b").then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      const [first, last] = [asked.indexOf("a close"), asked.indexOf("b since")];
      expect(first).toBeGreaterThan(-1);
      expect(last).toBeGreaterThan(first);
    },
  );

  onlyWhereThereIsOne(
    "what is said through one on a simulated platform is heard and read by both",
    async () => {
      await start("a");
      await start("b");
      const read = (node: Node) =>
        call(on(node), pollSource, {
          kind: "messenger",
          externalId: "3001",
          state: { cursor: "0" },
          failures: 0,
        });
      for (const node of ["a", "b"] as const) {
        await until(
          "it was read when the connection stood",
          async () => (await read("b")).ok && due.includes("3001"),
        );
        await read("a");
        const before = kept.length;
        const said = await call(on(node), sandboxPost, {
          platform: "messenger",
          channelId: "3001",
          text: "Caw",
        });
        await until("it is heard", () => kept.includes("3001", before));
        for (const reader of ["a", "b"] as const) {
          const polled = await read(reader);
          expect(polled.ok && polled.posts.at(-1)?.postId).toBe(said.data.id);
        }
      }
    },
  );

  onlyWhereThereIsOne(
    "each of two networks has a listener, and one that is away leaves the other",
    async () => {
      const networks = "mastodon,bluesky";
      tracked.add("bluesky:7");
      await start("a", { networks });
      const { isTracked, onLost } = await heardBy("a bluesky");
      await heardBy("a");
      await start("b", { networks });
      await call(on("b"), followSource, { kind, externalId: "bluesky:8" });
      await until("the one that listens to it has heard", () => isTracked("8"));
      expect((await heardBy("a")).isTracked("8")).toBe(false);
      expect(asked).toContain("b bluesky follow 8");
      down.add("bluesky");
      onLost("The network is away.");
      const of = async (node: Node, name: string) =>
        (await call(on(node), health("connectors"), {})).findings.find(each => each.name === name);
      await until("b knows which is away", async () => {
        return (await of("b", "connector:microblog:bluesky"))?.status === "degraded";
      });
      expect(await of("b", "connector:microblog")).toMatchObject({ status: "ok", detail: "mastodon" });
      await (await heardBy("a")).onPosts("2", [post]);
      expect(kept).toEqual(["2"]);
      expect(await poll("b")).toMatchObject({ ok: true });
      const away = { kind, externalId: "bluesky:7", state: { cursor: "c" }, failures: 0 };
      await expect(call(on("b"), pollSource, away)).rejects.toMatchObject({ type: "connector_unavailable" });
      down.clear();
      await on("a").stop();
      await heardBy("b");
      await heardBy("b bluesky");
      await until("what was missed is read", () => due.includes("bluesky:7") && due.includes("1"));
      expect(listening.get("b bluesky")?.tracked()).toContain("7");
      expect([...listening.keys()].sort()).toEqual(["b", "b bluesky"]);
    },
  );

  onlyWhereThereIsOne(
    "an id of another network's source is free everywhere once one has let it go",
    async () => {
      await start("a");
      await call(on("a"), followSource, { kind, externalId: "1" });
      await on("a").stop();
      await start("a", { home: "https://elsewhere.example" });
      await start("b", { home: "https://elsewhere.example" });
      const resolved = async (node: Node) =>
        (await call(on(node), resolveSource, { kind, sid: "1" })).externalId;
      expect([await resolved("a"), await resolved("b")]).toEqual(["mastodon:1", "mastodon:1"]);
      tracked.clear();
      await call(on("b"), unfollowSource, { kind, externalId: "1" });
      expect([await resolved("a"), await resolved("b")]).toEqual(["1", "1"]);
      expect(asked.filter(what => what.includes("unfollow"))).toEqual([]);
    },
  );
});
