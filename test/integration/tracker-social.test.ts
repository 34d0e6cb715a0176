import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceBroker } from "moleculer";
import { call } from "../../services/contracts/action.ts";
import { codeOf, fail } from "../../services/contracts/errors.ts";
import type { SourceKind } from "../../services/contracts/source.ts";
import * as social from "../../services/contracts/tracker.contract.ts";
import * as contract from "../../services/contracts/tracker.contract.ts";
import { receivePosts, trackedOfKind } from "../../services/contracts/tracker.contract.ts";
import { PollSpreader } from "../../services/domain/polling/poll-times.ts";
import { leaseSource } from "../../services/tracker/polling/due-sources.ts";
import { SocialUpstream, socialPost } from "../fakes/social-upstream.ts";
import { removeFolder } from "../support/folders.ts";
import { pollOne } from "../support/poll-one.ts";
import { callAs, startTracker, type Tracker } from "../support/social-tracker.ts";
import { until } from "../support/until.ts";

let dataDir: string;
let upstream: SocialUpstream;
let broker: ServiceBroker;
let service: Tracker;

/** A tracker in which nothing is polled by itself. */
async function start(): Promise<void> {
  ({ broker, service } = await startTracker(dataDir, upstream));
  await service.pollScheduler.stop(0);
}

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-tracker-social-"));
  upstream = new SocialUpstream();
  await start();
});
afterEach(async () => {
  await broker.stop();
  await removeFolder(dataDir);
});

const track = async (keyId: string, sid: string, source: SourceKind = "microblog", limit?: number) => {
  const { result, status } = await callAs(broker, keyId, contract.track, { source, sid }, limit);
  if (!("data" in result)) throw new Error(result.message);
  return { ...result.data, status };
};
const untrack = (keyId: string, externalId: string, source: SourceKind = "microblog") =>
  callAs(broker, keyId, contract.untrack, { source, eid: externalId });
const receive = (externalId: string, numbers: number[], kind: SourceKind = "microblog") =>
  call(broker, receivePosts, { kind, externalId, posts: numbers.map(n => socialPost(kind, n)) });
const pollNow = async (externalId: string) => {
  const source = await service.context.sources.findOne({ externalId });
  const leased = await leaseSource(service.context, source?._id ?? "");
  if (leased) await pollOne(service.context, leased);
};
const events = (keyId: string) => service.log.read(keyId, 0, 1000);
const numbers = async (keyId: string) => (await events(keyId)).map(({ data }) => Object(data.post).n);
const codeOfFailure = async (promise: Promise<unknown>) =>
  codeOf(
    await promise.then(
      () => undefined,
      error => error,
    ),
  );
const refuse =
  (code: Parameters<typeof fail>[0], extras = {}) =>
  () => {
    throw fail(code, "The platform says so.", extras);
  };

test("what keeps a source from being read is told to the one who tracks it, each time", async () => {
  const ask = () => callAs(broker, "k1", contract.track, { source: "chatserver" as const, sid: "shut" });
  const notice = "Somebody has to let the bot in at https://chat.example/in";
  expect((await ask()).result.message).toBe(`The source is tracked. ${notice}`);
  expect((await ask()).result.message).toBe(`The source was tracked already. ${notice}`);
});

describe("posts that come live", () => {
  test("reach every key that tracks the source, at once and in order; what nobody tracks is told so", async () => {
    for (const keyId of ["k1", "k2"]) await track(keyId, "ann");
    expect(await receive("id-ann", [1, 2, 3])).toEqual({ isTracked: true });
    expect(await receive("id-bob", [1])).toEqual({ isTracked: false });
    expect(await receive("id-ann", [], "chatserver")).toEqual({ isTracked: false });
    expect([await numbers("k1"), await numbers("k2")]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    const [event] = await events("k1");
    expect(event).toMatchObject({
      type: "microblog.post.created",
      data: { post: { n: 1 }, source: { source: "MICROBLOG", externalId: "id-ann", username: "ann" } },
    });
  });

  test("are told once, live twice and by a poll; a poll brings what the connection has missed", async () => {
    await track("k1", "ann");
    upstream.posts.set("id-ann", 3);
    await receive("id-ann", [1]);
    await receive("id-ann", [1, 3]);
    const live = (await events("k1")).map(({ id }) => id);
    await pollNow("id-ann");
    expect((await numbers("k1")).sort()).toEqual([1, 2, 3]);
    expect((await events("k1")).slice(0, 2).map(({ id }) => id)).toEqual(live);
  });

  test("before a key came are not told to it, by no later poll either", async () => {
    await track("k1", "ann");
    upstream.posts.set("id-ann", 2);
    await receive("id-ann", [1, 2]);
    await track("k2", "ann");
    upstream.posts.set("id-ann", 3);
    await pollNow("id-ann");
    expect([await numbers("k1"), await numbers("k2")]).toEqual([[1, 2, 3], [3]]);
  });

  test("are cut and marked where an event could not hold them", async () => {
    await track("k1", "ann");
    const post = { ...socialPost("microblog", 1), data: { post: { n: 1, text: "x".repeat(900_000) } } };
    await call(broker, receivePosts, { kind: "microblog", externalId: "id-ann", posts: [post] });
    const [event] = await events("k1");
    expect(event?.data.post).toMatchObject({ n: 1, truncated: true });
    expect(JSON.stringify(event).length).toBeLessThan(256 * 1024);
  });

  test("what is edited and deleted is for the keys that ask for it", async () => {
    await track("k1", "ann");
    const params = { source: "microblog" as const, sid: "ann", options: { edits: true, tags: ["birds"] } };
    const { result } = await callAs(broker, "k2", contract.track, params);
    expect(result).toMatchObject({ data: { options: { edits: true, tags: ["birds"] } } });
    const posts = [
      {
        postId: "1",
        revision: "edited 1",
        type: "microblog.post.updated" as const,
        data: { post: { n: 11 } },
      },
      {
        postId: "1",
        revision: "deleted",
        type: "microblog.post.deleted" as const,
        data: { post: { n: 12 } },
      },
    ];
    await receive("id-ann", [1]);
    // A connection that repeats itself makes nothing new.
    for (let times = 0; times < 2; times += 1)
      await call(broker, receivePosts, { kind: "microblog", externalId: "id-ann", posts });
    expect([await numbers("k1"), await numbers("k2")]).toEqual([[1], [1, 11, 12]]);
    await callAs(broker, "k2", contract.changeTracked, {
      source: "microblog" as const,
      eid: "id-ann",
      options: { edits: null },
    });
    const later = [{ ...posts[0], revision: "edited 2" }] as typeof posts;
    await call(broker, receivePosts, { kind: "microblog", externalId: "id-ann", posts: later });
    expect(await numbers("k2")).toEqual([1, 11, 12]);
  });

  test("`edits` is for what people post alone", async () => {
    const asked = callAs(broker, "k1", contract.track, {
      source: "web",
      sid: "https://example.com/",
      options: { edits: true },
    });
    await expect(asked).rejects.toMatchObject({
      data: { details: [{ field: "options.edits", code: "not_applicable" }] },
    });
  });

  test("by the thousand and for many keys are told in slices, each once", async () => {
    for (let n = 0; n < 8; n += 1) await track(`k${n}`, "ann");
    const many = Array.from({ length: 700 }, (_, n) => n + 1);
    const slices: number[] = [];
    service.context.log = {
      ...service.log,
      append: (news, until) => {
        slices.push(news.length);
        return service.log.append(news, until);
      },
    };
    await receive("id-ann", many);
    expect([slices.length > 1, await numbers("k7")]).toEqual([true, many]);
  });
});

describe("what is followed", () => {
  test("one source once, before it is tracked, until its last key leaves", async () => {
    const before: number[] = [];
    upstream.problems.set("follow", async () => before.push(await service.context.sources.count()));
    for (const keyId of ["k1", "k2"]) await track(keyId, "ann");
    expect([before, upstream.followed()]).toEqual([[0], ["id-ann"]]);
    await untrack("k1", "id-ann");
    expect(upstream.followed()).toEqual(["id-ann"]);
    await untrack("k2", "id-ann");
    await until("it is let go", () => upstream.followed().length === 0);
    await until("nothing is left to do", async () => (await service.context.pendingUnfollows.count()) === 0);
    expect(upstream.count("follow id-ann")).toBe(1);
  });

  test.each([
    ["a platform that is not there", "connector_unavailable"],
    ["an account that cannot be followed", "not_found"],
  ] as const)(
    "%s: the client is told, nothing is tracked, and the platform is told to let go",
    async (_, code) => {
      upstream.problems.set("follow", refuse(code, { retry_after: 7 }));
      await expect(track("k1", "ann")).rejects.toMatchObject({ type: code, data: { retry_after: 7 } });
      expect([await service.context.sources.count(), await service.context.subscriptions.count()]).toEqual([
        0, 0,
      ]);
      await until("it is let go", () => upstream.count("letGo id-ann") === 1);
      upstream.problems.clear();
      expect((await track("k1", "ann")).status).toBe(201);
      expect(upstream.followed()).toEqual(["id-ann"]);
    },
  );

  test("a key that tracks as much as it may has nothing followed", async () => {
    await track("k1", "ann");
    expect(await codeOfFailure(track("k1", "bob", "microblog", 1))).toBe("forbidden");
    expect((await track("k1", "ann", "microblog", 1)).status).toBe(200);
    expect([upstream.count("follow id-bob"), upstream.followed()]).toEqual([0, ["id-ann"]]);
  });

  test("whoever comes while the source is being let go of has it followed again", async () => {
    await track("k1", "ann");
    const { promise, resolve } = Promise.withResolvers<void>();
    let isLeaving = false;
    upstream.problems.set("letGo", () => {
      isLeaving = true;
      return promise;
    });
    await untrack("k1", "id-ann");
    await until("it is being let go of", () => isLeaving);
    const coming = track("k2", "ann");
    await until("the other has asked", () => upstream.count("resolve ann") === 2);
    resolve();
    expect((await coming).status).toBe(201);
    expect(upstream.followed()).toEqual(["id-ann"]);
    expect(await service.context.pendingUnfollows.count()).toBe(0);
  });

  test("what could not be let go of is let go of after the next start, unless it is tracked by then", async () => {
    for (const name of ["ann", "bob"]) await track("k1", name);
    upstream.problems.set("letGo", refuse("connector_unavailable"));
    for (const name of ["ann", "bob"]) await untrack("k1", `id-${name}`);
    await track("k2", "bob");
    expect((await service.context.pendingUnfollows.find()).map(({ externalId }) => externalId)).toEqual([
      "id-ann",
    ]);
    await broker.stop();
    upstream.problems.clear();
    await start();
    await until("it is let go", () => upstream.followed().join() === "id-bob");
    expect(upstream.count("letGo id-bob")).toBe(0);
  });

  test("what the platform does not know need not be let go of", async () => {
    await track("k1", "ann");
    upstream.problems.set("letGo", refuse("not_found"));
    await untrack("k1", "id-ann");
    await until("nothing is left to do", async () => (await service.context.pendingUnfollows.count()) === 0);
  });

  test("the rest is let go of where one platform does not answer", async () => {
    await track("k1", "ann");
    await track("k1", "room", "chatserver");
    upstream.problems.set("letGo", refuse("connector_unavailable"));
    await untrack("k1", "id-ann");
    await untrack("k1", "id-room", "chatserver");
    await broker.stop();
    upstream.problems.clear();
    let asked = 0;
    upstream.problems.set("letGo", () => {
      asked += 1;
      if (asked === 1) throw fail("connector_unavailable", "Away.");
    });
    await start();
    await until("one is let go", () => upstream.followed().length === 1);
    await until("both were tried", () => asked === 2);
  });
});

describe("when social sources are polled", () => {
  const dueIn = async () => {
    const source = await service.context.sources.findOne({});
    return Number(source?.dueAt) - service.context.now();
  };
  beforeEach(() => {
    const now = service.context.now();
    Object.assign(service.context, { now: () => now, spread: new PollSpreader(() => 0) });
  });

  test.each([
    [300_000, 300_000],
    [5000, 5000],
    [0, 1000],
  ])("as the connector wishes, from a second on: %d ms", async (nextInMs, expected) => {
    upstream.nextInMs = nextInMs;
    await track("k1", "ann");
    await pollNow("id-ann");
    expect(await dueIn()).toBe(expected);
  });

  test("soon after the connection stands again, failures or none", async () => {
    await track("k1", "ann");
    upstream.problems.set("poll", () => {
      throw new Error("a fault of ours");
    });
    await pollNow("id-ann");
    expect(await dueIn()).toBeGreaterThanOrEqual(60_000);
    await call(broker, contract.pollSoon, { kind: "microblog", externalId: "id-ann" });
    expect(await dueIn()).toBe(1000);
  });

  test("an absent platform is no fault of the source, and is asked again when it says", async () => {
    await track("k1", "ann");
    upstream.problems.set("poll", refuse("connector_unavailable", { retry_after: 90 }));
    for (let n = 0; n < 6; n += 1) await pollNow("id-ann");
    expect(await dueIn()).toBe(90_000);
    expect(await service.context.sources.findOne({})).toMatchObject({ failures: 0, health: "ok" });
    expect(await events("k1")).toEqual([]);
  });
});

describe("identities", () => {
  test("a handle that looks like another's id is asked for", async () => {
    await track("k1", "ann");
    const other = await track("k1", "id-ann");
    expect([other.externalId, other.status]).toEqual(["id-id-ann", 201]);
  });

  test("one who has changed their handle is the same source, with the new name", async () => {
    const first = await track("k1", "ann");
    upstream.moved.set("anna", "id-ann");
    const again = await track("k2", "anna");
    expect([again.id, again.username, again.name]).toEqual([first.id, "anna", "Name of anna"]);
    expect(upstream.count("follow id-ann")).toBe(1);
  });

  test("all of a kind are listed by pages, whoever tracks them", async () => {
    const names = ["a", "b", "c", "d", "e"];
    for (const [n, name] of names.entries()) await track(`k${n % 2}`, name);
    await track("k1", "room", "chatserver");
    const listed: string[] = [];
    let pages = 0;
    for (let after: string | undefined; ; pages += 1) {
      const params = { kind: "microblog" as const, limit: 2, ...(after && { after }) };
      const { data, next } = await call(broker, trackedOfKind, params);
      listed.push(...data.map(({ externalId, username }) => `${username} ${externalId}`));
      if (next === null) break;
      after = next;
    }
    expect([pages, listed.sort()]).toEqual([2, names.map(name => `${name} id-${name}`)]);
    expect(await call(broker, trackedOfKind, { kind: "messenger", limit: 2 })).toEqual({
      data: [],
      next: null,
    });
  });
});

describe("users of the microblog", () => {
  const trackUser = (keyId: string, username: string) =>
    callAs(broker, keyId, social.trackUser, { username });
  const untrackUser = (keyId: string, username: string) =>
    callAs(broker, keyId, social.untrackUser, { username });
  const users = async (keyId: string) =>
    (await callAs(broker, keyId, social.trackedUsers, {})).result.tracked_users;

  test("tracking one is tracking the source, and answers the profile", async () => {
    const first = await trackUser("k1", "ann");
    expect([first.status, first.result.data]).toEqual([201, upstream.profile("ann")]);
    expect([(await trackUser("k1", "ann")).status, (await track("k1", "ann")).status]).toEqual([200, 200]);
    expect(upstream.followed()).toEqual(["id-ann"]);
    await untrack("k1", "id-ann");
    expect(await users("k1")).toEqual([]);
  });

  test("are listed for the calling key, newest first, with the time of following", async () => {
    for (const name of ["ann", "bob"]) await trackUser("k1", name);
    await trackUser("k2", "cid");
    await track("k1", "room", "chatserver");
    const [newest, oldest, ...others] = await users("k1");
    expect([newest?.username, oldest?.username, others]).toEqual(["bob", "ann", []]);
    expect(newest).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      source: "MICROBLOG",
      externalId: "id-bob",
      username: "bob",
      name: "Name of bob",
      createdAt: newest?.followedAt,
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      followedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  test("are unfollowed when no key is left, under any case and a new handle", async () => {
    for (const keyId of ["k1", "k2"]) await trackUser(keyId, "ann");
    await untrackUser("k1", "ANN");
    expect([await users("k1"), upstream.followed()]).toEqual([[], ["id-ann"]]);
    upstream.moved.set("anna", "id-ann");
    await untrackUser("k2", "anna");
    await until("unfollowed", () => upstream.followed().length === 0);
  });

  test("who are not tracked, or not there, are not found, and nothing is tracked", async () => {
    await trackUser("k2", "ann");
    for (const name of ["ann", "unknown"])
      expect(await codeOfFailure(untrackUser("k1", name))).toBe("not_found");
    expect(await codeOfFailure(trackUser("k1", "unknown"))).toBe("not_found");
    upstream.problems.set("resolve", () => {
      throw fail("conflict", "Another network's source is tracked under this id.");
    });
    expect(await codeOfFailure(untrackUser("k1", "ann"))).toBe("not_found");
    expect([await users("k1"), (await users("k2")).length]).toEqual([[], 1]);
  });

  test.each(["", "sixteen_letters_", "a b", "@ann", "ännchen", "a-b"])(
    "%j is no username",
    async username => {
      for (const action of [social.trackUser, social.untrackUser])
        await expect(callAs(broker, "k1", action, { username })).rejects.toMatchObject({ code: 422 });
    },
  );
});

describe("channels of a chat server", () => {
  test("are sources under the channel's address, apart from their server", async () => {
    const server = await track("k1", "room", "chatserver");
    const { result, status } = await callAs(broker, "k1", social.trackChat, { channelId: "42" });
    expect([status, result]).toEqual([
      201,
      { message: expect.any(String), data: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
    ]);
    expect(result.data.id).not.toBe(server.id);
    expect((await callAs(broker, "k1", social.trackChat, { channelId: "42" })).status).toBe(200);
    await receive("channel:42", [1], "chatserver");
    expect((await events("k1")).map(({ data }) => data.source?.id)).toEqual([result.data.id]);
    expect(await codeOfFailure(callAs(broker, "k2", social.untrackChat, { channelId: "42" }))).toBe(
      "not_found",
    );
    await callAs(broker, "k1", social.untrackChat, { channelId: "42" });
    await until("it is let go", () => upstream.followed().join() === "id-room");
    expect(await codeOfFailure(callAs(broker, "k1", social.untrackChat, { channelId: "42" }))).toBe(
      "not_found",
    );
  });

  test("channels that do not exist are refused by the field that the client has sent", async () => {
    await expect(callAs(broker, "k1", social.trackChat, { channelId: "no?" })).rejects.toMatchObject({
      type: "validation_failed",
      data: { details: [{ field: "channelId" }] },
    });
    expect(await codeOfFailure(callAs(broker, "k1", social.trackChat, { channelId: "unknown" }))).toBe(
      "not_found",
    );
  });
});
