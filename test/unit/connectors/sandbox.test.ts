import { sandboxChatserver } from "../../../services/connectors/platforms/sandbox/chatserver.ts";
import { sandboxMessenger } from "../../../services/connectors/platforms/sandbox/messenger.ts";
import { sandboxMicroblog } from "../../../services/connectors/platforms/sandbox/microblog.ts";
import { openedAt } from "../../../services/connectors/platforms/sandbox/schedule.ts";
import { type SandboxPost, Simulator } from "../../../services/connectors/platforms/sandbox/simulator.ts";
import type { MicroblogPost } from "../../../services/contracts/social.ts";
import { type SandboxAccount, sandboxInventory, world } from "../../../services/domain/sandbox/world.ts";
import { postMemory } from "../../fakes/post-memory.ts";
import { until } from "../../support/until.ts";

const everyMs = 5000;
const start = openedAt + 1000 * everyMs;
const never = new AbortController().signal;

/** A simulator whose clock is the test's. */
function stageAt(clock: { now: number }, said: SandboxPost[] = [], every: number | null = everyMs) {
  const kept = [...said];
  const memory = postMemory(kept);
  const simulator = new Simulator({
    accounts: world.microblog,
    everyMs: every,
    memory,
    now: () => clock.now,
  });
  return { simulator, kept, driver: sandboxMicroblog(simulator) };
}

const chatty = world.microblog.filter(({ isQuiet }) => !isQuiet).length;

describe("on the clock", () => {
  test("everyone who is not quiet posts in turn, and the same at every start", async () => {
    const posts = [];
    for (let starts = 0; starts < 2; starts++) {
      const clock = { now: start };
      const { driver } = stageAt(clock);
      const { state } = await driver.resolve("magpie_daily", never);
      clock.now = start + 10 * chatty * everyMs;
      posts.push((await driver.since("1001", String(state.cursor), never)).posts);
    }
    expect(posts[0]).toHaveLength(10);
    expect(posts[1]).toEqual(posts[0]);
    expect(new Set(posts[0]?.map(({ postId }) => postId)).size).toBe(10);
  });

  test("history and `since` return the same posts, each with its id", async () => {
    const clock = { now: start };
    const { driver } = stageAt(clock);
    const { posts: past } = await driver.history("1002", { limit: 25 }, never);
    const oldest = await driver.history("1002", { limit: 26 }, never);
    const cursor = String(oldest.next);
    const { posts } = await driver.since("1002", cursor, never);
    expect(posts).toEqual(past.toReversed());
    for (const { postId, data } of past) expect(await driver.getPost?.(postId, never)).toEqual(data.post);
    await expect(driver.getPost?.(String(BigInt(String(past[0]?.postId)) + 1n), never)).rejects.toMatchObject(
      {
        type: "not_found",
      },
    );
    await expect(driver.getPost?.("post", never)).rejects.toMatchObject({ type: "validation_failed" });
  });

  test("posts say their language, and some have a picture that is described", async () => {
    const { driver } = stageAt({ now: start });
    const { posts } = await driver.history("1002", { limit: 30 }, never);
    const said = posts.map(({ data }) => data.post as MicroblogPost);
    expect(new Set(said.map(({ language }) => language))).toEqual(new Set(["en"]));
    const pictures = said.flatMap(({ media }) => media);
    expect(pictures.length).toBeGreaterThan(3);
    expect(pictures.length).toBeLessThan(25);
    expect(pictures[0]).toEqual({
      type: "image",
      url: expect.stringMatching(/^https:\/\/microblog\.example\/media\/\d+\.jpg$/),
      preview_url: expect.stringMatching(/-small\.jpg$/),
      alt: expect.stringMatching(/^\S.* near .*\.$/),
    });
  });

  test("a long absence is made good page by page, without loss", async () => {
    const clock = { now: start };
    const { driver } = stageAt(clock);
    let { cursor } = await driver.since("1003", null, never);
    clock.now += 1000 * chatty * everyMs;
    const ids: string[] = [];
    for (let more = true; more; ) {
      const news = await driver.since("1003", cursor, never);
      ids.push(...news.posts.map(({ postId }) => postId));
      ({ cursor, more } = news);
    }
    expect([ids.length, new Set(ids).size]).toEqual([1000, 1000]);
    expect(ids.map(BigInt)).toEqual(ids.map(BigInt).sort((a, b) => (a < b ? -1 : 1)));
  });

  test("the quiet one posts on demand only, and there is no past before the opening", async () => {
    const { driver } = stageAt({ now: start });
    expect(await driver.history("1005", { limit: 10 }, never)).toEqual({ posts: [], next: null });
    const { driver: young } = stageAt({ now: openedAt + 2 * everyMs });
    expect((await young.history("1001", { limit: 10 }, never)).posts).toHaveLength(1);
  });

  test("posts of an account that never posts are not searched in the schedule of the others", () => {
    let looks = 0;
    const talker: SandboxAccount = {
      name: "Talker",
      get id() {
        looks += 1;
        return "1";
      },
    };
    const simulator = new Simulator({
      accounts: [talker, { id: "2", name: "Quiet", isQuiet: true }],
      everyMs,
      memory: postMemory(),
      now: () => openedAt + 100_000 * everyMs,
    });
    expect([simulator.before(["2"], Number.POSITIVE_INFINITY, 1), simulator.after(["2"], 0, 1)]).toEqual([
      [],
      [],
    ]);
    expect(looks).toBeLessThan(100);
  });
});

describe("on demand", () => {
  test("a post made after a cursor comes after it, whatever the clock does", async () => {
    const clock = { now: start };
    const { simulator, driver } = stageAt(clock);
    for (const step of [0, 0, -60_000, everyMs, 1, -1]) {
      clock.now += step;
      const { cursor } = await driver.since("1001", null, never);
      const said = await simulator.post("1001", "on demand");
      const { posts } = await driver.since("1001", cursor, never);
      expect(posts.map(({ data }) => data)).toContainEqual(
        expect.objectContaining({ post: expect.objectContaining({ legacy: expect.anything() }) }),
      );
      expect(said.at).toBeGreaterThan(Number(cursor));
      expect((said.at - openedAt) % everyMs).not.toBe(0);
    }
  });

  test("many at once get ids of their own, in order, and none when it is not kept", async () => {
    const clock = { now: start };
    const { simulator, kept } = stageAt(clock, [], null);
    const said = await Promise.all(Array.from({ length: 50 }, (_, n) => simulator.post("1001", `${n}`)));
    expect(said.map(({ text }) => text)).toEqual(kept.map(({ text }) => text));
    expect(new Set(said.map(({ at }) => at)).size).toBe(50);
    const full = new Simulator({
      accounts: world.microblog,
      everyMs: null,
      memory: { ...postMemory(), keep: () => Promise.reject(new Error("the disk is full")) },
      now: () => clock.now,
    });
    await expect(full.post("1001", "lost")).rejects.toThrow("the disk is full");
    expect(full.after(["1001"], 0, 10)).toEqual([]);
  });

  test("after a restart no id collides with an earlier post, and an old cursor still works", async () => {
    const clock = { now: start };
    const first = stageAt(clock);
    const { cursor } = await first.driver.since("1005", null, never);
    const before = await first.driver.post?.({ username: "quiet_wren" }, "before");
    // A clock that was set back while nobody looked.
    clock.now -= 3_600_000;
    const second = stageAt(clock, first.kept);
    const after = await second.driver.post?.({ username: "quiet_wren" }, "after");
    const { posts } = await second.driver.since("1005", cursor, never);
    expect(posts.map(({ postId }) => postId)).toEqual([before?.id, after?.id]);
  });
});

test("posts of one process appear in the others too, live and by cursor, whatever their clocks say", async () => {
  const said: SandboxPost[] = [];
  const open = (now: number) => {
    const settings = { accounts: world.microblog, everyMs: null, memory: postMemory(said), now: () => now };
    return sandboxMicroblog(new Simulator(settings));
  };
  const ahead = open(start + 3000);
  const behind = open(start);
  const { cursor } = await behind.since("1001", null, never);
  const ended = new AbortController();
  const heard: string[] = [];
  const connected = Promise.withResolvers<void>();
  const listening = behind.listen(
    {
      isTracked: id => id === "1001",
      tracked: () => ["1001"],
      onTracked: () => () => undefined,
      onPosts: async (_, posts) => void heard.push(...posts.map(({ postId }) => postId)),
      onGap: async () => connected.resolve(),
      onLost: () => undefined,
    },
    ended.signal,
  );
  await connected.promise;
  const ids = [];
  for (const driver of [ahead, behind, ahead, behind])
    ids.push((await driver.post?.({ username: "magpie_daily" }, "Caw"))?.id);
  await until("all are heard", () => heard.length === 4);
  ended.abort();
  await listening;
  expect(heard).toEqual(ids);
  for (const driver of [ahead, behind])
    expect((await driver.since("1001", cursor, never)).posts.map(({ postId }) => postId)).toEqual(ids);
});

describe("all that the inventory names", () => {
  const { microblog, chatserver, messenger } = sandboxInventory();
  const silent = (accounts: readonly SandboxAccount[]) =>
    new Simulator({ accounts: accounts, everyMs: null, memory: postMemory(), now: () => start });
  const chat = sandboxChatserver(silent(world.chatserver.flatMap(({ channels }) => channels)));
  const door = { askedAt: async () => undefined, ask: async () => undefined, now: () => start };
  const messages = sandboxMessenger(silent(world.messenger), door);

  test.each(microblog.users)("user %s", async username => {
    const { driver } = stageAt({ now: start });
    expect(await driver.resolve(username, never)).toMatchObject({ username });
    expect(await driver.about?.(username, never)).toMatchObject({ username });
    expect(await driver.post?.({ username }, "Caw")).toHaveProperty("id");
  });

  test.each(chatserver.invites)("invite %s", async invite =>
    expect(await chat.resolve(invite, never)).toMatchObject({ kind: "chatserver" }),
  );

  test.each(chatserver.channels)("channel %s", async channelId => {
    const externalId = `channel:${channelId}`;
    expect(await chat.resolve(externalId, never)).toMatchObject({ externalId });
    expect(await chat.post?.({ channelId }, "Caw")).toHaveProperty("id");
  });

  test.each(messenger.channels)("channel @%s", async channelId => {
    expect(await messages.resolve(channelId, never)).toMatchObject({ username: channelId });
    expect(await messages.post?.({ channelId }, "Caw")).toHaveProperty("id");
    expect(await messages.search?.({ channelId, limit: 1 }, never)).toMatchObject({ total: 1 });
  });

  test.each(messenger.gatedInvites)("gated invite %s", async invite => {
    expect(await messages.admission?.(invite, never)).toMatchObject({ state: "approval_needed" });
    await expect(messages.resolve(invite, never)).rejects.toMatchObject({ type: "forbidden" });
  });
});

test("`changed` resolves at the next slot of the schedule, and ends with its signal", async () => {
  const turned = stageAt({ now: start + everyMs - 5 });
  await turned.simulator.changed(never);
  const ended = new AbortController();
  const waits = turned.simulator.changed(ended.signal);
  ended.abort();
  await waits;
});
