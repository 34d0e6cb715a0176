import { Gaps } from "../../../services/connectors/social/gaps.ts";
import { hear, type Keeper } from "../../../services/connectors/social/hear.ts";
import { keepTracked } from "../../../services/connectors/social/keep-tracked.ts";
import { ask, type Platform } from "../../../services/connectors/social/platform.ts";
import { refusal } from "../../../services/connectors/social/refusal.ts";
import { findings } from "../../../services/connectors/social/social.ts";
import type { SocialConnector } from "../../../services/connectors/social/social-connector.ts";
import { TrackedSources } from "../../../services/connectors/social/tracked-sources.ts";
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

  test("a reading adds and removes, and is told of when it changes something", () => {
    tracked.replace(new Set(["a", "b"]), now);
    tracked.replace(new Set(["b", "a"]), now);
    tracked.replace(new Set(["b"]), now);
    expect([tracked.all(), changes]).toEqual([["b"], 2]);
  });

  test("what was just followed stays, although the reading began before it was tracked", () => {
    tracked.add("new");
    tracked.add("new");
    expect(changes).toBe(1);
    tracked.replace(new Set(), now + minute / 2);
    expect(tracked.has("new")).toBe(true);
    tracked.replace(new Set(), now + 2 * minute);
    expect([tracked.has("new"), changes]).toEqual([false, 2]);
  });

  test("what is let go while a reading is under way does not come back with it, but with the next", () => {
    tracked.add("a");
    const readAt = now;
    now += 1;
    tracked.remove("a");
    tracked.replace(new Set(["a"]), readAt);
    expect(tracked.has("a")).toBe(false);
    tracked.replace(new Set(["a"]), now + 1);
    expect(tracked.has("a")).toBe(true);
  });

  test("what is let go is gone at once, and who leaves is told no more", () => {
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
  const gaps = new Gaps(() => now);
  expect(gaps.isWaitedFor("a")).toBe(false);
  gaps.reading("a", "early");
  gaps.open("a");
  gaps.read("a", "early");
  gaps.reading("a", "first");
  expect(gaps.isWaitedFor("a")).toBe(true);
  gaps.read("a", "first");
  gaps.reading("a", "second");
  gaps.read("a", "never begun");
  expect(gaps.isWaitedFor("a")).toBe(true);
  gaps.reading("a", "third");
  gaps.read("a", "second");
  gaps.read("a", "third");
  expect(gaps.isWaitedFor("a")).toBe(false);
  gaps.open("a");
  for (now = 0; now < 60_000; now += 10_000) expect(gaps.isWaitedFor("a")).toBe(true);
  expect([gaps.isWaitedFor("a"), gaps.isWaitedFor("a")]).toEqual([false, false]);
});

test("while the store is away, what is tracked is read on", async () => {
  const stop = new AbortController();
  let readings = 0;
  const platform = {
    kind: "microblog",
    foreign: new Set<string>(),
    tracked: new TrackedSources(Date.now),
    follows: { find: () => Promise.reject(away()) },
  } as unknown as Platform;
  const trackedAfter = async () => {
    readings += 1;
    if (readings === 3) stop.abort();
    return { data: [{ externalId: "a" }], next: null };
  };
  const outside = { trackedAfter, onFound: () => undefined, everyMs: 1, logger: silent, now: Date.now };
  await keepTracked(platform, outside, stop.signal, () => undefined);
  expect(readings).toBe(3);
  expect(platform.tracked.has("a")).toBe(true);
});

test("a network is listened to again soon after the store was away", async () => {
  const stop = new AbortController();
  const again = Promise.withResolvers<void>();
  let times = 0;
  const listen = async () => {
    times += 1;
    if (times === 1) throw away();
    again.resolve();
    stop.abort();
  };
  const platform = { kind: "microblog", tracked: new TrackedSources(Date.now), tell: () => undefined };
  const keeper = { logger: silent } as unknown as Keeper;
  const connector = { listen } as unknown as SocialConnector;
  const hearing = hear(platform as unknown as Platform, connector, keeper, stop.signal);
  await again.promise;
  await hearing;
  expect(times).toBe(2);
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
    await expect(ask(platform, { timeoutMs: 1, closing }, hangs)).rejects.toMatchObject({
      type: "connector_unavailable",
      data: { retry_after: 77 },
    });
    const throws = (_: SocialConnector, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    await expect(ask(platform, { timeoutMs: 1, closing }, throws)).rejects.toMatchObject({
      type: "connector_unavailable",
      data: { retry_after: 30 },
    });
  });

  test("and what is done once only is not called undone when time runs out, unless the driver knows", async () => {
    const throws = (_: SocialConnector, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const terms = { timeoutMs: 1, closing, isOnce: true };
    await expect(ask(platform, terms, throws)).rejects.toMatchObject({ type: "upstream_error", code: 502 });
    await expect(ask(platform, terms, hangs)).rejects.toMatchObject({ type: "connector_unavailable" });
  });

  test("until the room stops", async () => {
    const stopped = AbortSignal.abort(new Error("stopping"));
    const answer = (_: SocialConnector, signal: AbortSignal) => Promise.reject(signal.reason);
    await expect(ask(platform, { closing: stopped }, answer)).rejects.toMatchObject({ code: 503 });
  });

  test("and its own errors stay as they are", async () => {
    const own = fail("not_found", "No such user.");
    await expect(ask(platform, { closing }, () => Promise.reject(own))).rejects.toBe(own);
  });

  test("in vain while the network refuses us: clients hear no setting by name, and do not ask again at once", async () => {
    const refused = refusal("The network refuses X_BEARER_TOKEN.");
    const told = await ask(platform, { closing }, () => Promise.reject(refused)).catch(error => error);
    expect(told).toMatchObject({ type: "connector_unavailable", data: { retry_after: 300 }, cause: refused });
    expect(told.message).not.toMatch(/X_BEARER_TOKEN/);
  });

  test("in vain, and not again at once, where the driver does not say when", async () => {
    const away = fail("connector_unavailable", "It is away.");
    await expect(ask(platform, { closing }, () => Promise.reject(away))).rejects.toMatchObject({
      message: "It is away.",
      data: { retry_after: 30 },
    });
    const pressed = fail("connector_unavailable", "Later.", { retry_after: 7 });
    await expect(ask(platform, { closing }, () => Promise.reject(pressed))).rejects.toBe(pressed);
  });

  test("in vain when there is none, or none that can", async () => {
    const none = { ...platform, connector: undefined, trouble: "It could not be opened." };
    const unable = { code: 503, data: { retry_after: 30 } };
    await expect(ask(none, { closing }, async () => 1)).rejects.toMatchObject({
      ...unable,
      message: "It could not be opened.",
    });
    await expect(ask(platform, { closing }, () => undefined)).rejects.toMatchObject(unable);
  });
});

describe("readiness", () => {
  const now = 1_000_000;
  const seconds = 1000;
  const at = (tracked: string[], fields: Partial<Platform>) => {
    const sources = new TrackedSources(() => now);
    sources.replace(new Set(tracked), now);
    const connector = {} as SocialConnector;
    const mastodon = { driver: "mastodon", connector, isLive: false, trouble: null, openedAt: now };
    const platform = { ...mastodon, tracked: sources, ...fields } as Platform;
    const platforms = { microblog: platform, chatserver: platform, messenger: platform };
    return findings({ platforms }, now)[0];
  };

  test.each<[string, string[], Partial<Platform>, string, string]>([
    ["live", ["a"], { isLive: true, openedAt: 0 }, "ok", "mastodon"],
    ["just begun", ["a"], { openedAt: now - 14 * seconds }, "ok", "mastodon"],
    ["still not live", ["a"], { openedAt: now - 16 * seconds }, "degraded", "mastodon: There is no live"],
    ["not live for nobody", [], { openedAt: 0 }, "ok", "mastodon"],
    ["lost", ["a"], { trouble: "It broke." }, "degraded", "mastodon: It broke."],
    ["not opened", [], { connector: undefined, trouble: "No." }, "missing", "mastodon: No."],
  ])("of a platform that is %s", (_, tracked, fields, status, detail) => {
    const found = at(tracked, fields);
    expect(found).toMatchObject({ name: "connector:microblog", status });
    expect(found?.detail?.startsWith(detail)).toBe(true);
  });
});
