import { sandboxChatserver } from "../../../services/connectors/chatserver/sandbox.connector.ts";
import { sandboxMessenger } from "../../../services/connectors/messenger/sandbox.connector.ts";
import { sandboxMicroblog } from "../../../services/connectors/microblog/sandbox.connector.ts";
import { type Said, Stage } from "../../../services/connectors/social/sandbox/stage.ts";
import { sandboxInventory } from "../../../services/domain/sandbox/inventory.ts";
import { openedAt } from "../../../services/domain/sandbox/turns.ts";
import type { Voice } from "../../../services/domain/sandbox/world.ts";
import { world } from "../../../services/domain/sandbox/world.ts";
import { stageMemory } from "../../fakes/stage-memory.ts";
import { until } from "../../support/until.ts";

const everyMs = 5000;
const start = openedAt + 1000 * everyMs;
const never = new AbortController().signal;

/** A stage whose clock is the test's. */
function stageAt(clock: { now: number }, said: Said[] = [], every: number | null = everyMs) {
  const kept = [...said];
  const memory = stageMemory(kept);
  const stage = new Stage({ voices: world.microblog, everyMs: every, memory, now: () => clock.now });
  return { stage, kept, driver: sandboxMicroblog(stage) };
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

  test("history and `since` tell the same posts, and each by its id", async () => {
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

  test("what the quiet one never said is not looked for in all that the others said", () => {
    let looks = 0;
    const talker: Voice = {
      name: "Talker",
      get id() {
        looks += 1;
        return "1";
      },
    };
    const stage = new Stage({
      voices: [talker, { id: "2", name: "Quiet", isQuiet: true }],
      everyMs,
      memory: stageMemory(),
      now: () => openedAt + 100_000 * everyMs,
    });
    expect([stage.before(["2"], Number.POSITIVE_INFINITY, 1), stage.after(["2"], 0, 1)]).toEqual([[], []]);
    expect(looks).toBeLessThan(100);
  });
});

describe("on demand", () => {
  test("what is said after a cursor comes after it, whatever the clock does", async () => {
    const clock = { now: start };
    const { stage, driver } = stageAt(clock);
    for (const step of [0, 0, -60_000, everyMs, 1, -1]) {
      clock.now += step;
      const { cursor } = await driver.since("1001", null, never);
      const said = await stage.say("1001", "on demand");
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
    const { stage, kept } = stageAt(clock, [], null);
    const said = await Promise.all(Array.from({ length: 50 }, (_, n) => stage.say("1001", `${n}`)));
    expect(said.map(({ text }) => text)).toEqual(kept.map(({ text }) => text));
    expect(new Set(said.map(({ at }) => at)).size).toBe(50);
    const full = new Stage({
      voices: world.microblog,
      everyMs: null,
      memory: { ...stageMemory(), keep: () => Promise.reject(new Error("the disk is full")) },
      now: () => clock.now,
    });
    await expect(full.say("1001", "lost")).rejects.toThrow("the disk is full");
    expect(full.after(["1001"], 0, 10)).toEqual([]);
  });

  test("after a restart nothing collides with what was said before, and an old cursor still works", async () => {
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

test("what one process says others tell too, live and by cursor, whatever their clocks say", async () => {
  const said: Said[] = [];
  const open = (now: number) => {
    const settings = { voices: world.microblog, everyMs: null, memory: stageMemory(said), now: () => now };
    return sandboxMicroblog(new Stage(settings));
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
  const silent = (voices: readonly Voice[]) =>
    new Stage({ voices, everyMs: null, memory: stageMemory(), now: () => start });
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

test("what stirs is told at the next turn of the clock, and ends with its signal", async () => {
  const turned = stageAt({ now: start + everyMs - 5 });
  await turned.stage.stirred(never);
  const ended = new AbortController();
  const waits = turned.stage.stirred(ended.signal);
  ended.abort();
  await waits;
});
