import type { NewPosts, SocialConnector } from "../../services/connectors/social/social-connector.ts";
import type { Post } from "../../services/contracts/connectors.contract.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { until } from "../support/until.ts";
import { type Ear, listen, nobody } from "./social-connector.ear.ts";
import { faults, shapes } from "./social-connector.shapes.ts";

/** A network that a driver speaks to: the sandbox itself, or a stand-in that speaks the network's protocol over sockets. */
export interface Network {
  /** The driver under test, connected to this network. */
  driver: SocialConnector;
  /** A source that anyone may read: every `sid` that means it, and what it resolves to. */
  source: { sids: string[]; externalId: string; username: string; name: string };
  /** A second one that has not posted yet. */
  other: { sid: string; externalId: string };
  /** Well-formed, and known to nobody. */
  unknown: string;
  /** Malformed for this platform. */
  malformed: string[];
  /** Posts upstream as the source; tells the `postId` that the driver must give it. */
  post(externalId: string, text: string): Promise<string>;
  /** Absent: nobody can edit a post there, or the network does not tell. */
  edit?(externalId: string, postId: string, text: string): Promise<void>;
  /** Absent: the network does not tell. */
  remove?(externalId: string, postId: string): Promise<void>;
  /** Breaks every live connection and takes no new one until `heal`. */
  cut(): Promise<void>;
  heal(): Promise<void>;
  /** Live connections that stand now. Absent: it has none, since it is polled or in this process. */
  streams?(): number;
  /** Refuses or breaks every connection, requests included, until `heal`. Absent: the network is in this process. */
  goAway?(): Promise<void>;
  /** Answers the next request with the network's way of saying "wait"; the driver waits and asks again. Absent: it has none. */
  limitNext?(): void;
  /** Whom the account follows upstream with notifications; absent where the network has no following. */
  followed?(): string[];
  /** A source that must approve, its decision, and how often it was asked to be let in; messenger networks alone. */
  gated?: { sid: string; externalId: string; approve(): Promise<void>; asked(): number };
  /** Chat servers: `channel:<id>` of the channel in which `post` posts for `source`. */
  channel?: string;
  /** Microblogs: the id of a post as this network writes them, of which there is none. */
  unknownPost?: string;
  /** False where the messenger can search one channel only. */
  searchesAll?: boolean;
  close(): Promise<void>;
}

const typeOf = {
  microblog: "microblog.post.created",
  chatserver: "chatserver.message.created",
  messenger: "messenger.message.created",
};
type SocialKind = keyof typeof typeOf;

/** What every driver of the port does alike. Each test has a network of its own. */
export function socialConnectorSuite(name: string, open: () => Promise<Network>): void {
  describe(`social connector: ${name}`, () => {
    let network: Network;
    let driver: SocialConnector;
    let ears: Ear[] = [];
    const never = new AbortController().signal;

    beforeEach(async () => {
      network = await open();
      ({ driver } = network);
    });
    afterEach(async () => {
      const ended = await Promise.allSettled(ears.map(ear => ear.end()));
      ears = [];
      await driver.close?.();
      await network.close();
      expect(ended.filter(({ status }) => status === "rejected")).toEqual([]);
    });

    const cursorOf = async (sid: string) => String((await driver.resolve(sid, never)).state.cursor);
    const mainSid = () => String(network.source.sids[0]);
    const idsOf = ({ posts }: Pick<NewPosts, "posts">) => posts.map(({ postId }) => postId);
    const postSome = async (externalId: string, ...texts: string[]) => {
      const ids: string[] = [];
      for (const text of texts) ids.push(await network.post(externalId, text));
      return ids;
    };
    const hear = async (tracked: Record<string, string | null>) => {
      const ear = await listen(driver, tracked);
      ears.push(ear);
      return ear;
    };
    /** All that is new since the cursor, however many pages it takes. */
    const allSince = async (externalId: string, cursor: string) => {
      const posts: Post[] = [];
      for (let at = cursor; ; ) {
        const news = await driver.since(externalId, at, never);
        posts.push(...news.posts);
        if (!news.more) return { posts, cursor: news.cursor };
        expect(news.cursor).not.toBe(at);
        at = news.cursor;
      }
    };

    describe("resolve", () => {
      test("finds the source by every sid that means it", async () => {
        const { sids, ...expected } = network.source;
        for (const sid of sids) {
          const resolved = await driver.resolve(sid, never);
          expect({ sid, ...resolved }).toMatchObject({ sid, kind: driver.kind, ...expected });
          expect(JSON.parse(JSON.stringify(resolved))).toEqual(resolved);
        }
      });

      test("its cursor is now: the past is not told, and what follows is", async () => {
        const { externalId } = network.source;
        await postSome(externalId, "of the past");
        const cursor = await cursorOf(mainSid());
        expect((await driver.since(externalId, cursor, never)).posts).toEqual([]);
        const [id] = await postSome(externalId, "of today");
        expect(idsOf(await driver.since(externalId, cursor, never))).toEqual([id]);
      });

      test("a source that has never posted has a cursor too, so that its first post is told", async () => {
        const { sid, externalId } = network.other;
        const cursor = await cursorOf(sid);
        const empty = await driver.since(externalId, cursor, never);
        expect(empty).toMatchObject({ posts: [], more: false });
        const [id] = await postSome(externalId, "the first");
        expect(idsOf(await driver.since(externalId, empty.cursor, never))).toEqual([id]);
      });

      test("what nobody knows is not found", async () => {
        expect(codeOf(await failureOf(driver.resolve(network.unknown, never)))).toBe("not_found");
      });

      test("what means nothing is refused, naming the field", async () => {
        for (const sid of network.malformed) {
          const error = await failureOf(driver.resolve(sid, never));
          expect({ sid, code: codeOf(error) }).toEqual({ sid, code: "validation_failed" });
          expect(error).toMatchObject({ data: { details: [{ field: "sid" }] } });
        }
      });
    });

    test("follow and unfollow are idempotent, and touch no other source", async () => {
      const { externalId } = network.source;
      const count = (id: string) => network.followed?.().filter(each => each === id).length;
      for (let times = 0; times < 2; times++) await driver.follow(externalId, never);
      await driver.follow(network.other.externalId, never);
      if (network.followed) expect([count(externalId), count(network.other.externalId)]).toEqual([1, 1]);
      for (let times = 0; times < 2; times++) await driver.unfollow(externalId, never);
      if (network.followed) expect([count(externalId), count(network.other.externalId)]).toEqual([0, 1]);
    });

    describe("since", () => {
      test("tells what came after the cursor, oldest first, and each once", async () => {
        const { externalId } = network.source;
        const start = await cursorOf(mainSid());
        const first = await postSome(externalId, "one", "two");
        const half = await allSince(externalId, start);
        const second = await postSome(externalId, "three", "four", "five");
        const rest = await allSince(externalId, half.cursor);
        expect([idsOf(half), idsOf(rest)]).toEqual([first, second]);
        expect((await driver.since(externalId, rest.cursor, never)).posts).toEqual([]);
        // A step that is repeated makes nothing new.
        expect(idsOf(await allSince(externalId, start))).toEqual([...first, ...second]);
        expect((await allSince(externalId, half.cursor)).posts).toEqual(rest.posts);
      });

      test("without a cursor it begins now", async () => {
        const { externalId } = network.source;
        await postSome(externalId, "of the past");
        const { posts, cursor } = await driver.since(externalId, null, never);
        expect(posts).toEqual([]);
        const ids = await postSome(externalId, "of today");
        expect(idsOf(await allSince(externalId, cursor))).toEqual(ids);
      });
    });

    describe("listen", () => {
      const follow = async (...externalIds: string[]) => {
        for (const externalId of externalIds) await driver.follow(externalId, never);
      };

      test("tells live posts in order, the same as a poll tells, and none of what nobody tracks", async () => {
        const { source, other } = network;
        const start = await cursorOf(mainSid());
        await follow(source.externalId, other.externalId);
        const ear = await hear({ [source.externalId]: start });
        await postSome(other.externalId, "for nobody");
        const ids = await postSome(source.externalId, "one", "two", "three");
        await until("all are told", () => ear.live(source.externalId).length >= ids.length);
        expect(ear.live(source.externalId)).toEqual(ids);
        expect(ear.live(other.externalId)).toEqual([]);
        const identity = ({ postId, revision, type }: Post) => ({ postId, revision, type });
        const { posts } = await allSince(source.externalId, start);
        expect(ear.posts(source.externalId).map(identity)).toEqual(posts.map(identity));
      });

      test("tells what is edited and deleted, each with what it is about", async () => {
        const { externalId } = network.source;
        const start = await cursorOf(mainSid());
        await follow(externalId);
        const ear = await hear({ [externalId]: start });
        const [id] = (await postSome(externalId, "Frist words")) as [string];
        await until("it is told", () => ear.live(externalId).length > 0);
        await network.edit?.(externalId, id, "First words");
        await network.remove?.(externalId, id);
        const expected = [
          typeOf[driver.kind as SocialKind],
          ...(network.edit ? [revisedType(driver.kind, "updated")] : []),
          ...(network.remove ? [revisedType(driver.kind, "deleted")] : []),
        ];
        await until("all is told", () => ear.posts(externalId).length >= expected.length);
        const told = ear.posts(externalId);
        expect(told.map(({ postId, type }) => [postId, type])).toEqual(expected.map(type => [id, type]));
        expect(new Set(told.map(({ revision }) => revision)).size).toBe(expected.length);
        const edited = told.find(({ type }) => type.endsWith(".updated"));
        if (edited) {
          expect(mappingFaults(driver.kind, edited)).toEqual([]);
          expect(textOf(driver.kind, edited)).toBe("First words");
          expect(Object(edited.data.post ?? edited.data.message).edited_at).toMatch(/Z$/);
        }
        const removed = told.find(({ type }) => type.endsWith(".deleted"))?.data;
        if (removed) expect(String(Object(removed.post).rest_id ?? Object(removed.message).id)).toBe(id);
      });

      test("hears a source that is tracked later", async () => {
        const { source, other } = network;
        await follow(source.externalId);
        const ear = await hear({ [source.externalId]: await cursorOf(mainSid()) });
        await follow(other.externalId);
        ear.track(other.externalId, await cursorOf(other.sid));
        await until("it is heard live", async () => {
          await network.post(other.externalId, "is anyone there?");
          return ear.live(other.externalId).length > 0;
        });
      });

      test("tells a message for its server and for its channel, where both are tracked", async () => {
        const { source, channel } = network;
        if (channel === undefined) return expect(driver.kind).not.toBe("chatserver");
        const resolved = await driver.resolve(channel, never);
        expect(resolved).toMatchObject({ kind: "chatserver", externalId: channel });
        const start = await cursorOf(mainSid());
        await follow(source.externalId, channel);
        const ear = await hear({ [source.externalId]: start, [channel]: String(resolved.state.cursor) });
        const ids = await postSome(source.externalId, "one", "two");
        await until("both are told", () => [source.externalId, channel].every(id => ear.live(id).length > 1));
        expect([ear.live(source.externalId), ear.live(channel)]).toEqual([ids, ids]);
        expect(idsOf(await allSince(channel, String(resolved.state.cursor)))).toEqual(ids);
      });

      test("after a cut the gap is told, `since` gives exactly what was missed, and it goes on", async () => {
        const { externalId } = network.source;
        const start = await cursorOf(mainSid());
        await follow(externalId);
        const ear = await hear({ [externalId]: start });
        const before = await postSome(externalId, "before");
        await until("it is told", () => ear.live(externalId).length > 0);
        const { cursor } = await allSince(externalId, start);
        const stood = ear.gaps();
        await network.cut();
        await until("the loss is told", () => ear.losses().length > 0);
        const missed = await postSome(externalId, "missed 1", "missed 2", "missed 3");
        await network.heal();
        await until("it stands again", () => ear.gaps() > stood);
        expect(idsOf(await allSince(externalId, cursor))).toEqual(missed);
        const after = await postSome(externalId, "after");
        await until("it goes on live", () => ear.live(externalId).includes(String(after[0])));
        expect(ear.heard(externalId)).toEqual([...before, ...missed, ...after]);
      });

      test("ends with its signal, tells nothing more and leaves nothing open", async () => {
        const { externalId } = network.source;
        await follow(externalId);
        const start = await cursorOf(mainSid());
        const before = openThings();
        const ear = await hear({ [externalId]: start });
        const streams = () => network.streams?.();
        if (network.streams) await until("it stands", () => streams() === 1);
        await ear.end();
        await postSome(externalId, "for nobody");
        // Idle sockets of requests may have closed meanwhile, so that a live one would not be told by their number.
        if (network.streams) await until("the live connection is closed", () => streams() === 0);
        await until("nothing is open", () => openThings() <= before);
        expect(ear.live(externalId)).toEqual([]);
      });

      test("ends while it tries to connect again", async () => {
        const { externalId } = network.source;
        await follow(externalId);
        const ear = await hear({ [externalId]: await cursorOf(mainSid()) });
        await network.cut();
        await until("the loss is told", () => ear.losses().length > 0);
        await ear.end();
      });

      test("listening that was ended before it began ends at once", async () => {
        await driver.listen(nobody, AbortSignal.abort(new Error("enough")));
      });
    });

    describe("history", () => {
      test("page by page, newest first, neither skips nor repeats, also while posts come in", async () => {
        const { externalId } = network.source;
        const ids = await postSome(externalId, "1", "2", "3", "4", "5");
        const told: Post[] = [];
        let cursor: string | undefined;
        for (let pages = 0; pages < 10 && told.length < ids.length; pages++) {
          const page = await driver.history(externalId, { limit: 2, ...(cursor && { cursor }) }, never);
          expect(page.posts.length).toBeLessThanOrEqual(2);
          told.push(...page.posts);
          if (page.next === null) break;
          cursor = page.next;
          await postSome(externalId, "meanwhile");
        }
        expect(idsOf({ posts: told }).slice(0, 5)).toEqual(ids.toReversed());
      });

      test("holds what `since` tells, and the last page is the last", async () => {
        const { sid, externalId } = network.other;
        const cursor = await cursorOf(sid);
        expect(await driver.history(externalId, { limit: 10 }, never)).toMatchObject({ posts: [] });
        await postSome(externalId, "1", "2", "3");
        const { posts } = await allSince(externalId, cursor);
        const told: Post[] = [];
        let page = await driver.history(externalId, { limit: 2 }, never);
        for (told.push(...page.posts); page.next !== null; told.push(...page.posts)) {
          page = await driver.history(externalId, { limit: 2, cursor: page.next }, never);
          expect(told.length).toBeLessThan(10);
        }
        expect(told).toEqual(posts.toReversed());
      });
    });

    test("posts have every field of the public shape, of its type or null", async () => {
      const { externalId } = network.source;
      const cursor = await cursorOf(mainSid());
      const [id] = await postSome(externalId, "Plain words of a magpie");
      const [post] = (await allSince(externalId, cursor)).posts;
      expect(post).toMatchObject({ postId: id, type: typeOf[driver.kind as SocialKind] });
      expect(post?.revision).toMatch(/./);
      expect(JSON.parse(JSON.stringify(post))).toEqual(post);
      expect(mappingFaults(driver.kind, post)).toEqual([]);
      expect(textOf(driver.kind, post)).toBe("Plain words of a magpie");
    });

    test("microblog: a post by its id, and what is told of an account", async () => {
      if (driver.kind !== "microblog") return expect(driver.getPost).toBeUndefined();
      const { externalId, username, name } = network.source;
      const [id] = await postSome(externalId, "Asked for by its id");
      const post = await driver.getPost?.(String(id), never);
      expect(post).toMatchObject({ rest_id: id, legacy: { full_text: "Asked for by its id" } });
      expect(post?.core.user_results.result).toMatchObject({ rest_id: externalId, username, name });
      expect(faults(post, shapes.post)).toEqual([]);
      const about = await driver.about?.(username, never);
      const profile = await driver.profile?.(username, never);
      expect([about, profile]).toMatchObject(Array(2).fill({ id: externalId, username, name }));
      expect([...faults(about, shapes.about), ...faults(profile, shapes.profile)]).toEqual([]);
      const missing = [
        driver.getPost?.(String(network.unknownPost), never),
        driver.about?.(network.unknown, never),
        driver.profile?.(network.unknown, never),
      ];
      for (const error of await Promise.all(missing.map(failureOf))) expect(codeOf(error)).toBe("not_found");
    });

    describe("messenger: search", () => {
      const found = async (query: { q?: string; channelId?: string; limit: number }) => {
        const answer = await driver.search?.(query, never);
        expect(answer?.messages.flatMap(message => faults(message, shapes.messengerMessage))).toEqual([]);
        expect(answer?.total).toBeGreaterThanOrEqual(answer?.messages.length ?? Number.NaN);
        return answer?.messages.map(({ text }) => text);
      };

      test("finds messages of a channel by their text; without one, the newest", async () => {
        if (driver.kind !== "messenger") return expect(driver.search).toBeUndefined();
        const { externalId, username } = network.source;
        await postSome(externalId, "a raven", "a magpie and its nest", "a jay");
        for (const channelId of [`@${username}`, externalId]) {
          expect(await found({ channelId, q: "magpie", limit: 10 })).toEqual(["a magpie and its nest"]);
          expect(await found({ channelId, limit: 2 })).toEqual(["a jay", "a magpie and its nest"]);
        }
        const unknown = driver.search?.({ channelId: network.unknown, limit: 2 }, never);
        expect(codeOf(await failureOf(unknown))).toBe("not_found");
      });

      test("finds messages wherever the account may look", async () => {
        if (driver.kind !== "messenger") return expect(driver.search).toBeUndefined();
        const { source, other } = network;
        for (const { externalId } of [source, other]) await driver.follow(externalId, never);
        await postSome(source.externalId, "a magpie here", "a raven");
        await postSome(other.externalId, "a magpie there");
        if (network.searchesAll === false) {
          const refused = await failureOf(driver.search?.({ q: "magpie", limit: 10 }, never));
          return expect(codeOf(refused)).toBe("connector_unavailable");
        }
        const both = ["a magpie here", "a magpie there"];
        expect((await found({ q: "magpie", limit: 10 }))?.sort()).toEqual(both);
        expect(await found({ q: "magpie", limit: 1 })).toHaveLength(1);
      });
    });

    test("messenger: a gated channel lets us in when it has approved, and is asked once", async () => {
      const { gated } = network;
      if (!gated) return expect(network.searchesAll !== false && driver.kind === "messenger").toBe(false);
      expect(await driver.admission?.(mainSid(), never)).toEqual({ state: "in" });
      const admission = await driver.admission?.(gated.sid, never);
      if (admission?.state !== "approval_needed") throw new Error(`no approval needed: ${admission?.state}`);
      const { invite } = admission;
      expect(gated.asked()).toBe(0);
      expect(await driver.join?.(invite, never)).toMatchObject({ state: "pending" });
      expect(await driver.checkJoin?.(invite, never)).toMatchObject({ state: "pending" });
      expect(gated.asked()).toBe(1);
      expect(await driver.join?.(invite, never)).toMatchObject({ state: "pending" });
      await gated.approve();
      expect(await driver.checkJoin?.(invite, never)).toEqual({ state: "in" });
      expect(await driver.join?.(invite, never)).toEqual({ state: "in" });
      expect(await driver.admission?.(gated.sid, never)).toEqual({ state: "in" });
      const { externalId, state } = await driver.resolve(gated.sid, never);
      expect(externalId).toBe(gated.externalId);
      const ids = await postSome(externalId, "among ourselves");
      expect(idsOf(await allSince(externalId, String(state.cursor)))).toEqual(ids);
    });

    describe("a network that asks to wait", () => {
      test("is waited for", async () => {
        const { externalId } = network.source;
        const cursor = await cursorOf(mainSid());
        const ids = await postSome(externalId, "patience");
        network.limitNext?.();
        expect(idsOf(await allSince(externalId, cursor))).toEqual(ids);
        network.limitNext?.();
        expect(await driver.resolve(mainSid(), never)).toMatchObject({ externalId });
      });

      test("is not waited for when nobody waits for us any more", async () => {
        if (!network.limitNext) return;
        network.limitNext();
        const giveUp = new AbortController();
        const answer = failureOf(driver.resolve(mainSid(), giveUp.signal));
        giveUp.abort(new Error("nobody waits"));
        expect(await answer).toBeInstanceOf(Error);
      });
    });

    test("a network that cannot be reached is unavailable, and heals by itself", async () => {
      if (!network.goAway) return;
      const { externalId } = network.source;
      const cursor = await cursorOf(mainSid());
      await network.goAway();
      expect(codeOf(await failureOf(driver.resolve(mainSid(), never)))).toBe("connector_unavailable");
      expect(codeOf(await failureOf(driver.since(externalId, cursor, never)))).toBe("connector_unavailable");
      await network.heal();
      const ids = await postSome(externalId, "back again");
      expect(idsOf(await allSince(externalId, cursor))).toEqual(ids);
    });
  });
}

function revisedType(kind: string, what: string): string {
  return typeOf[kind as SocialKind].replace("created", what);
}

async function failureOf(answer: Promise<unknown> | undefined): Promise<unknown> {
  if (!answer) throw new Error("the driver cannot do this at all");
  return await answer.then(
    value => {
      throw new Error(`answered with ${JSON.stringify(value)}`);
    },
    error => error,
  );
}

/** Sockets and timers that keep the process alive. */
function openThings(): number {
  return process.getActiveResourcesInfo().filter(type => /^(TCPSocketWrap|TLSWrap|Timeout)$/.test(type))
    .length;
}

function mappingFaults(kind: string, post: Post | undefined): string[] {
  if (kind === "microblog") return [...faults(post?.data.post, shapes.post), ...dateFaults(post)];
  return faults(post?.data.message, kind === "chatserver" ? shapes.chatMessage : shapes.messengerMessage);
}

function dateFaults(post: Post | undefined): string[] {
  const { legacy } = Object(post?.data.post) as { legacy?: { created_at?: string } };
  const isDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/.test(
    legacy?.created_at ?? "",
  );
  return isDate ? [] : [`.legacy.created_at: ${legacy?.created_at}`];
}

function textOf(kind: string, post: Post | undefined): unknown {
  const { post: microblog, message } = Object(post?.data) as Record<
    string,
    Record<string, unknown> | undefined
  >;
  if (kind === "microblog") return (microblog?.legacy as { full_text?: unknown } | undefined)?.full_text;
  return kind === "chatserver" ? message?.content : message?.text;
}
