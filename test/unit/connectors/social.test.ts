import { setImmediate as yieldToLoop } from "node:timers/promises";
import {
  listenUntilStopped,
  type PostReceiver,
  pollAllSoon,
} from "../../../services/connectors/social/listen.ts";
import { callDriver, type Platform } from "../../../services/connectors/social/platform.ts";
import { reconcileTracked } from "../../../services/connectors/social/reconcile-tracked.ts";
import { platformsGauge, type Social, socialFindings } from "../../../services/connectors/social/social.ts";
import {
  type Listener,
  refusal,
  type SocialConnector,
} from "../../../services/connectors/social/social-connector.ts";
import { MissedRanges, TrackedSources } from "../../../services/connectors/social/tracked-sources.ts";
import { fail } from "../../../services/contracts/errors.ts";

const away = () => fail("overloaded", "Try again shortly.");
const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

describe("what is tracked", () => {
  const minute = 60_000;
  let now = 10 * minute;
  let tracked: TrackedSources;
  let changes: number;
  beforeEach(() => {
    now = 10 * minute;
    changes = 0;
    tracked = new TrackedSources(() => now);
    tracked.watch(() => {
      changes += 1;
    });
  });

  test("a reading adds and removes, and watchers are called when it changes something", async () => {
    await tracked.replace(new Set(["a", "b"]), now);
    await tracked.replace(new Set(["b", "a"]), now);
    await tracked.replace(new Set(["b"]), now);
    expect([tracked.all(), changes]).toEqual([["b"], 2]);
  });

  test("what was just followed stays, although the reading began before it was tracked", async () => {
    tracked.add("new");
    tracked.add("new");
    expect(changes).toBe(1);
    await tracked.replace(new Set(), now + minute / 2);
    expect(tracked.has("new")).toBe(true);
    await tracked.replace(new Set(), now + 2 * minute);
    expect([tracked.has("new"), changes]).toEqual([false, 2]);
  });

  test("what is let go while a reading is under way does not come back with it, but with the next", async () => {
    tracked.add("a");
    const readAt = now;
    now += 1;
    tracked.remove("a");
    await tracked.replace(new Set(["a"]), readAt);
    expect(tracked.has("a")).toBe(false);
    await tracked.replace(new Set(["a"]), now + 1);
    expect(tracked.has("a")).toBe(true);
  });

  test("an unfollowed source is gone at once, and a watcher that left is not called again", () => {
    const leave = tracked.watch(() => {
      changes += 100;
    });
    leave();
    tracked.add("a");
    tracked.remove("a");
    tracked.remove("a");
    expect([tracked.all(), changes]).toEqual([[], 2]);
  });
});

test("a gap is closed by a reading that began after all that it has to find, or by time", () => {
  let now = 0;
  const gaps = new MissedRanges(() => now);
  expect(gaps.holdsBack("a")).toBe(false);
  gaps.beginReading("a", "early");
  gaps.add("a");
  gaps.endReading("a", "early");
  gaps.beginReading("a", "first");
  expect(gaps.holdsBack("a")).toBe(true);
  gaps.endReading("a", "first");
  gaps.beginReading("a", "second");
  gaps.endReading("a", "never begun");
  expect(gaps.holdsBack("a")).toBe(true);
  gaps.beginReading("a", "third");
  gaps.endReading("a", "second");
  gaps.endReading("a", "third");
  expect(gaps.holdsBack("a")).toBe(false);
  gaps.add("a");
  for (now = 0; now < 60_000; now += 10_000) expect(gaps.holdsBack("a")).toBe(true);
  expect([gaps.holdsBack("a"), gaps.holdsBack("a")]).toEqual([false, false]);
});

test("while the store is unavailable, tracked sources are still read", async () => {
  const stop = new AbortController();
  let readings = 0;
  const platform = {
    kind: "microblog",
    isOwn: () => true,
    tracked: new TrackedSources(Date.now),
    follows: { find: () => Promise.reject(away()) },
  } as unknown as Platform;
  const trackedAfter = async () => {
    readings += 1;
    if (readings === 3) stop.abort();
    return { data: [{ externalId: "a" }], next: null };
  };
  const options = { trackedAfter, onFound: () => undefined, everyMs: 1, logger: silent, now: Date.now };
  await reconcileTracked(platform, options, stop.signal, () => undefined);
  expect(readings).toBe(3);
  expect(platform.tracked.has("a")).toBe(true);
});

test("other work runs while very many tracked sources are read and compared", async () => {
  const stop = new AbortController();
  const [pages, perPage] = [20, 1000];
  let [turns, turnsOfReading] = [0, 0];
  const others = (async () => {
    for (; !stop.signal.aborted; turns += 1) await yieldToLoop();
  })();
  const trackedAfter = async (after = "0") => {
    const page = Number(after);
    turnsOfReading = turns;
    const data = Array.from({ length: perPage }, (_, n) => ({ externalId: `${page}-${n}` }));
    return { data, next: page + 1 < pages ? String(page + 1) : null };
  };
  const platform = {
    kind: "microblog",
    isOwn: () => true,
    tracked: new TrackedSources(Date.now),
    follows: { find: () => Promise.reject(away()) },
  } as unknown as Platform;
  const options = { trackedAfter, onFound: () => undefined, everyMs: 1, logger: silent, now: Date.now };
  let turnsOfComparing = 0;
  await reconcileTracked(platform, options, stop.signal, () => {
    turnsOfComparing = turns - turnsOfReading;
    stop.abort();
  });
  await others;
  expect(platform.tracked.all()).toHaveLength(pages * perPage);
  expect(turnsOfReading).toBeGreaterThanOrEqual(pages - 1);
  // They are compared in slices of 5,000, once each way.
  expect(turnsOfComparing).toBeGreaterThanOrEqual(6);
});

test("a network is listened to again soon after the store was unavailable", async () => {
  const stop = new AbortController();
  const again = Promise.withResolvers<void>();
  let times = 0;
  const listen = async () => {
    times += 1;
    if (times === 1) throw away();
    again.resolve();
    stop.abort();
  };
  const platform = { kind: "microblog", tracked: new TrackedSources(Date.now), broadcast: () => undefined };
  const receiver = { logger: silent } as unknown as PostReceiver;
  const connector = { listen } as unknown as SocialConnector;
  const listening = listenUntilStopped(platform as unknown as Platform, connector, receiver, stop.signal);
  await again.promise;
  await listening;
  expect(times).toBe(2);
});

test("what is edited is handed over until the tracker takes it, since no poll reads it", async () => {
  const stop = new AbortController();
  const handed: unknown[] = [];
  const edited = { postId: "1", revision: "edited 1", type: "microblog.post.updated" as const, data: {} };
  const missedRanges = new MissedRanges(Date.now);
  missedRanges.add("a");
  const platform = {
    kind: "microblog",
    tracked: new TrackedSources(Date.now),
    missedRanges,
    broadcast: () => undefined,
  };
  const receiver = {
    logger: silent,
    receive: async (asked: unknown) => {
      handed.push(asked);
      if (handed.length === 1) throw away();
    },
  } as unknown as PostReceiver;
  const connector = {
    async listen(listener: Listener) {
      await listener.onPosts("a", [edited]);
      stop.abort();
    },
  } as unknown as SocialConnector;
  await listenUntilStopped(platform as unknown as Platform, connector, receiver, stop.signal);
  expect(handed).toEqual(Array(2).fill({ kind: "microblog", externalId: "a", posts: [edited] }));
});

describe("a driver is asked", () => {
  const closing = new AbortController().signal;
  const platform = { kind: "microblog", driver: "x", connector: {} as SocialConnector } as Platform;
  const hangs = (_: SocialConnector, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) =>
      signal.addEventListener("abort", () =>
        reject(fail("connector_unavailable", "Wait.", { retry_after: 77 })),
      ),
    );

  test("for as long as its caller waits; then it is unavailable, with what the network asked for", async () => {
    await expect(callDriver(platform, { timeoutMs: 1, closing }, hangs)).rejects.toMatchObject({
      type: "connector_unavailable",
      data: { retry_after: 77 },
    });
    const throws = (_: SocialConnector, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    await expect(callDriver(platform, { timeoutMs: 1, closing }, throws)).rejects.toMatchObject({
      type: "connector_unavailable",
      data: { retry_after: 30 },
    });
  });

  test("what is done once only is not called undone when time runs out, unless the driver knows", async () => {
    const throws = (_: SocialConnector, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const terms = { timeoutMs: 1, closing, isOnce: true };
    await expect(callDriver(platform, terms, throws)).rejects.toMatchObject({
      type: "upstream_error",
      code: 502,
    });
    await expect(callDriver(platform, terms, hangs)).rejects.toMatchObject({ type: "connector_unavailable" });
  });

  test("until the service stops", async () => {
    const stopped = AbortSignal.abort(new Error("stopping"));
    const answer = (_: SocialConnector, signal: AbortSignal) => Promise.reject(signal.reason);
    await expect(callDriver(platform, { closing: stopped }, answer)).rejects.toMatchObject({ code: 503 });
  });

  test("its own errors stay as they are", async () => {
    const own = fail("not_found", "No such user.");
    await expect(callDriver(platform, { closing }, () => Promise.reject(own))).rejects.toBe(own);
  });

  test("fails while the network refuses us: clients see no name of a setting, and do not retry at once", async () => {
    const refused = refusal("The network refuses X_BEARER_TOKEN.");
    const told = await callDriver(platform, { closing }, () => Promise.reject(refused)).catch(error => error);
    expect(told).toMatchObject({ type: "connector_unavailable", data: { retry_after: 300 }, cause: refused });
    expect(told.message).not.toMatch(/X_BEARER_TOKEN/);
  });

  test("fails, without a retry at once, where the driver does not say when", async () => {
    const away = fail("connector_unavailable", "It is away.");
    await expect(callDriver(platform, { closing }, () => Promise.reject(away))).rejects.toMatchObject({
      message: "It is away.",
      data: { retry_after: 30 },
    });
    const pressed = fail("connector_unavailable", "Later.", { retry_after: 7 });
    await expect(callDriver(platform, { closing }, () => Promise.reject(pressed))).rejects.toBe(pressed);
  });

  test("fails without a driver, or with one that lacks the operation", async () => {
    const none = { ...platform, connector: undefined, failure: "It could not be opened." };
    const unable = { code: 503, data: { retry_after: 30 } };
    await expect(callDriver(none, { closing }, async () => 1)).rejects.toMatchObject({
      ...unable,
      message: "It could not be opened.",
    });
    await expect(callDriver(platform, { closing }, () => undefined)).rejects.toMatchObject(unable);
  });
});

describe("readiness", () => {
  const now = 1_000_000;
  const seconds = 1000;
  const at = (tracked: string[], fields: Partial<Platform>) => {
    const sources = new TrackedSources(() => now);
    for (const id of tracked) sources.add(id);
    const connector = {} as SocialConnector;
    const mastodon = { driver: "mastodon", connector, isLive: false, failure: null, openedAt: now };
    const platform = { ...mastodon, tracked: sources, ...fields } as Platform;
    const platforms = { platforms: [platform] };
    return {
      microblog: platforms,
      chatserver: platforms,
      messenger: platforms,
    } as unknown as Social["networks"];
  };

  test.each<[string, string[], Partial<Platform>, string, string]>([
    ["live", ["a"], { isLive: true, openedAt: 0 }, "ok", "mastodon"],
    ["just begun", ["a"], { openedAt: now - 14 * seconds }, "ok", "mastodon"],
    ["still not live", ["a"], { openedAt: now - 16 * seconds }, "degraded", "mastodon: There is no live"],
    ["not live for nobody", [], { openedAt: 0 }, "ok", "mastodon"],
    ["lost", ["a"], { failure: "It broke." }, "degraded", "mastodon: It broke."],
    ["not opened", [], { connector: undefined, failure: "No." }, "missing", "mastodon: No."],
  ])("of a platform that is %s", (_, tracked, fields, status, detail) => {
    const [found] = socialFindings({ networks: at(tracked, fields) }, now);
    expect(found).toMatchObject({ name: "connector:microblog", status });
    expect(found?.detail?.startsWith(detail)).toBe(true);
  });

  test.each<[string, string[], Partial<Platform>, number[]]>([
    ["listens and is live", ["a"], { isListening: true, isLive: true, kind: "microblog" }, [1]],
    ["listens for nobody", [], { isListening: true, kind: "microblog" }, [1]],
    ["listens in vain", ["a"], { isListening: true, openedAt: 0, kind: "microblog" }, [0]],
    ["leaves listening to another", ["a"], { isLive: true, kind: "microblog" }, []],
    ["has no driver", [], { connector: undefined, failure: "No.", kind: "microblog" }, [0]],
  ])("the metrics of a node that %s", async (_, tracked, fields, values) => {
    const { microblog } = at(tracked, fields);
    const samples = await platformsGauge({ networks: { microblog } as never }).read();
    const labels = { kind: "microblog", driver: "mastodon" };
    expect(samples).toEqual(values.map(value => ({ labels, value })));
  });
});

test("a source that the tracker cannot take holds up no other, and is sent again", async () => {
  const ids = Array.from({ length: 25 }, (_, n) => `s${n}`);
  const told = new Set<string>();
  const pollSoon = async ({ externalId }: { externalId: string }) => {
    if (externalId === "s0" && told.size < ids.length - 1) throw away();
    told.add(externalId);
  };
  const receiver = { receive: async () => undefined, pollSoon, logger: silent };
  await pollAllSoon("microblog", ids, receiver, AbortSignal.timeout(20_000));
  expect([...told].sort()).toEqual([...ids].sort());
});
