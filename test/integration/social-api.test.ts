import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import type { SocialConfig } from "../../mixins/config/social.ts";
import { adminService } from "../../services/admin/admin.service.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { MastodonServer } from "../fakes/mastodon/mastodon-server.ts";
import { type Magpie, type Reply, startMagpie } from "../support/magpie.ts";
import { type StreamClient, streamClient } from "../support/stream-client.ts";
import { until } from "../support/until.ts";

/** Written by hand: a change of the wire breaks them. */
interface Source {
  id: string;
  source: string;
  externalId: string;
  username: string;
  name: string;
  network?: string;
}

interface MicroblogPost {
  rest_id: string;
  core: { user_results: { result: { rest_id: string } } };
  legacy: { full_text: string; created_at: string };
}

interface Told {
  id: string;
  type: string;
  seq: number;
  data: { source: Source | null; post?: MicroblogPost; message?: { text?: string; content?: string } };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const sentence = expect.stringMatching(/\.$/);

let magpie: Magpie;
let made = 0;
const streams: StreamClient[] = [];

const services = (config: Config) => [
  keysService(config),
  trackerService(config),
  webhookDispatcherService(config),
  connectorsService(config),
  adminService(),
];

beforeAll(async () => {
  const social = { ...toConfig({}).social, sandboxEveryMs: null };
  const started = await startMagpie({ social, pollMinIntervalMs: 50, keysPerOwner: 1000 }, services);
  const check = documented((await started.request("GET", "/openapi.json", { key: null })).json());
  magpie = {
    ...started,
    async request(method, path, options) {
      const reply = await started.request(method, path, options);
      check(method, path, reply);
      return reply;
    },
  };
});

interface Answer {
  description: string;
  content?: Record<string, { schema: object }>;
}

interface Operation {
  responses: Record<string, Answer | { $ref: string }>;
}

interface Document {
  paths?: Record<string, Record<string, Operation>>;
  components?: { responses?: Record<string, Answer> };
}

/** Holds every answer to what the document promises: a good one's body, and that an error's code is named. */
function documented({ paths, components }: Document) {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  // A path without parameters is meant before one that has some.
  const byParameters = ([one]: [string, unknown], [other]: [string, unknown]) =>
    one.split("{").length - other.split("{").length;
  const sorted = Object.entries(paths ?? {}).sort(byParameters);
  const known = sorted.map(([path, operations]) => ({
    fits: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    operations,
  }));
  return (method: string, target: string, { status, json }: Reply) => {
    const path = target.replace(/\?.*/, "");
    const operation = known.find(({ fits }) => fits.test(path))?.operations[method.toLowerCase()];
    const named = operation?.responses[status];
    const answer = named && "$ref" in named ? components?.responses?.[named.$ref.replace(/.*\//, "")] : named;
    if (!answer) throw new Error(`${status} of ${method} ${path} is not documented`);
    const { code } = status >= 400 ? json<{ code?: string }>() : {};
    if (code !== undefined && !answer.description.includes(`\`${code}\``))
      throw new Error(`${status} ${code} of ${method} ${path} is not documented`);
    const schema = answer.content?.["application/json"]?.schema;
    if (schema && !ajv.validate({ ...schema, components }, json<unknown>()))
      throw new Error(`${method} ${path} is not as documented: ${ajv.errorsText()}`);
  };
}

afterEach(() => {
  for (const { socket } of streams.splice(0)) socket.terminate();
});

afterAll(() => magpie.stop());

async function newKey(limits = {}): Promise<string> {
  made += 1;
  const body = { owner: `s${made}`, name: "n", limits };
  const reply = await magpie.request("POST", "/internal/keys", { admin: true, body });
  return reply.json<{ data: { key: string } }>().data.key;
}

/** What the key is told from now on. */
async function listenTo(key: string): Promise<() => Told[]> {
  const client = streamClient(magpie.url, "/stream", { "x-api-key": key });
  streams.push(client);
  await client.hello();
  return () => client.frames.flatMap(({ event }) => (event ? [event as unknown as Told] : []));
}

function expectRefusal(reply: Reply, status: number, code: string, field?: string): void {
  const body = reply.json<{ code: string; error: string; message: string; details?: { field: string }[] }>();
  expect([reply.status, body.code]).toEqual([status, code]);
  expect(body.message).toBe(body.error);
  expect(body.error).toMatch(/\.$/);
  if (field) expect(body.details?.map(each => each.field)).toContain(field);
}

async function post(
  where: { platform: string; username?: string; channelId?: string },
  text: string,
): Promise<string> {
  const reply = await magpie.request("POST", "/internal/sandbox/post", {
    admin: true,
    body: { ...where, text },
  });
  expect([reply.status, reply.json()]).toEqual([
    200,
    { message: sentence, data: { id: expect.any(String) } },
  ]);
  return reply.json<{ data: { id: string } }>().data.id;
}

const platforms = [
  {
    source: "microblog",
    sid: "corvid_lab",
    found: {
      source: "MICROBLOG",
      externalId: "1002",
      username: "corvid_lab",
      name: "Corvid Lab",
      network: "sandbox",
    },
    where: { platform: "microblog", username: "corvid_lab" },
    type: "microblog.post.created",
    textOf: ({ data }: Told) => data.post?.legacy.full_text,
  },
  {
    source: "chatserver",
    sid: "corvids",
    found: {
      source: "CHATSERVER",
      externalId: "2001",
      username: expect.any(String),
      name: "Corvid Club",
      network: "sandbox",
    },
    where: { platform: "chatserver", channelId: "2011" },
    type: "chatserver.message.created",
    textOf: ({ data }: Told) => data.message?.content,
  },
  {
    source: "messenger",
    sid: "@bird_radio",
    found: {
      source: "MESSENGER",
      externalId: "3002",
      username: "bird_radio",
      name: "Bird Radio",
      network: "sandbox",
    },
    where: { platform: "messenger", channelId: "3002" },
    type: "messenger.message.created",
    textOf: ({ data }: Told) => data.message?.text,
  },
];

describe.each(platforms)("a source of the $source", ({ source, sid, found, where, type, textOf }) => {
  test("is tracked, found, delivered and let go", async () => {
    const [key, other] = [await newKey(), await newKey()];
    const first = await magpie.request("POST", `/track/${source}`, { key, body: { sid } });
    expect([first.status, first.json()]).toEqual([
      201,
      { data: { id: expect.stringMatching(uuid), ...found }, message: sentence },
    ]);
    const { data } = first.json<{ data: Source }>();
    const again = await magpie.request("POST", `/track/${source}`, { key, body: { sid } });
    expect([again.status, again.json().data]).toEqual([200, data]);
    const second = await magpie.request("POST", `/track/${source}`, { key: other, body: { sid } });
    expect([second.status, second.json().data]).toEqual([201, data]);

    const told = await listenTo(key);
    await post(where, "One.");
    await post(where, "Two.");
    await until("both are told", () => told().length >= 2);
    expect(told().map(event => [event.type, event.data.source, textOf(event)])).toEqual([
      [type, data, "One."],
      [type, data, "Two."],
    ]);

    const listed = await magpie.request("GET", `/track/${source}/find?query=${data.name.slice(1, 5)}`, {
      key,
    });
    expect([listed.status, listed.json()]).toEqual([
      200,
      {
        data: [{ ...data, createdAt: expect.stringMatching(iso), updatedAt: expect.stringMatching(iso) }],
        total: 1,
        page: 1,
        limit: 20,
        next_cursor: null,
        message: sentence,
      },
    ]);

    const ended = await magpie.request("DELETE", `/track/${source}`, { key, body: { iid: data.id } });
    expect([ended.status, ended.json()]).toEqual([200, { data, message: sentence }]);
    const eid = { eid: data.externalId };
    expectRefusal(await magpie.request("DELETE", `/track/${source}`, { key, body: eid }), 404, "not_found");
    const last = await magpie.request("DELETE", `/track/${source}`, { key: other, body: eid });
    expect([last.status, last.json().data]).toEqual([200, data]);
    await post(where, "Three.");
    expect(told()).toHaveLength(2);
  });
});

test("a gated channel lets us in after a while, once, and is tracked then", async () => {
  const [key, other] = [await newKey(), await newKey()];
  const body = { sid: "https://messenger.example/+innernest2026" };
  const asked = await magpie.request("POST", "/track/messenger", { key, body });
  expect([asked.status, asked.json()]).toEqual([
    202,
    { message: sentence, jobId: expect.stringMatching(uuid) },
  ]);
  const { jobId } = asked.json<{ jobId: string }>();
  const again = await magpie.request("POST", "/track/messenger", { key, body });
  expect([again.status, again.json().jobId]).toEqual([202, jobId]);
  const path = `/track/messenger/status?id=${jobId}`;
  const waiting = await magpie.request("GET", path, { key });
  expect([waiting.status, waiting.json()]).toEqual([
    200,
    { id: jobId, state: expect.stringMatching(/^(waiting|active)$/) },
  ]);
  expectRefusal(await magpie.request("GET", path, { key: other }), 404, "not_found");
  const elsewhere = await magpie.request("GET", `/track/microblog/status?id=${jobId}`, { key });
  expectRefusal(elsewhere, 404, "not_found");

  await until("it is tracked", async () => {
    const reply = await magpie.request("GET", path, { key });
    return reply.json().state === "completed";
  });
  const done = (await magpie.request("GET", path, { key })).json<{ returnvalue: Source }>();
  const { returnvalue } = done;
  expect(done).toEqual({
    id: jobId,
    state: "completed",
    returnvalue: {
      id: expect.stringMatching(uuid),
      source: "MESSENGER",
      externalId: "3005",
      username: expect.any(String),
      name: "The Inner Nest",
      network: "sandbox",
    },
  });
  const known = await magpie.request("POST", "/track/messenger", { key, body });
  expect([known.status, known.json().data]).toEqual([200, returnvalue]);
  const told = await listenTo(key);
  await post({ platform: "messenger", channelId: "3005" }, "Inside.");
  await until("it is told", () => told().length > 0);
  expect(told()[0]?.data.source).toEqual(returnvalue);

  const ended = {
    data: [
      {
        id: jobId,
        key_id: expect.any(String),
        source: "MESSENGER",
        sid: body.sid,
        state: "completed",
        returnvalue,
        fails_at: expect.stringMatching(iso),
        ended_at: expect.stringMatching(iso),
      },
    ],
    next_cursor: null,
    message: sentence,
  };
  const none = { ...ended, data: [] };
  const joins = async (lookup: string, options: { key?: string; admin?: boolean }) => {
    const reply = await magpie.request("GET", lookup, options);
    return [reply.status, reply.json()];
  };
  expect(await joins("/internal/joins", { admin: true })).toEqual([200, ended]);
  expect(await joins("/internal/joins?status=waiting", { admin: true })).toEqual([200, none]);
  const [{ key_id } = { key_id: "" }] = (
    await magpie.request("GET", "/internal/joins", { admin: true })
  ).json<{ data: { key_id: string }[] }>().data;
  expect(await joins(`/internal/joins?key_id=${key_id}&status=completed`, { admin: true })).toEqual([
    200,
    ended,
  ]);
  expect(await joins("/internal/joins?key_id=nobody", { admin: true })).toEqual([200, none]);
  expect(await joins("/track/joins?status=completed", { key })).toEqual([200, ended]);
  expect(await joins("/track/joins", { key: other })).toEqual([200, none]);
});

test("a microblog user is tracked with its profile, listed, and untracked", async () => {
  const key = await newKey();
  const body = { username: "nestbuilder" };
  const first = await magpie.request("POST", "/track-user", { key, body });
  expect([first.status, first.json()]).toEqual([
    201,
    {
      message: sentence,
      data: {
        id: "1003",
        name: "Nest Builder",
        username: "nestbuilder",
        description: "Twigs, mud and patience.",
        profile_image_url: null,
        protected: false,
        verified: false,
        followers_count: 77,
        following_count: null,
        created_at: expect.stringMatching(iso),
      },
    },
  ]);
  expect((await magpie.request("POST", "/track-user", { key, body })).status).toBe(200);
  const same = await magpie.request("POST", "/track/microblog", { key, body: { sid: "nestbuilder" } });
  expect(same.status).toBe(200);
  const listed = await magpie.request("GET", "/tracked-users", { key });
  expect([listed.status, listed.json()]).toEqual([
    200,
    {
      tracked_users: [
        {
          ...same.json<{ data: Source }>().data,
          createdAt: expect.stringMatching(iso),
          updatedAt: expect.stringMatching(iso),
          followedAt: expect.stringMatching(iso),
        },
      ],
    },
  ]);
  const ended = await magpie.request("DELETE", "/track-user", { key, body });
  expect([ended.status, ended.json()]).toEqual([200, { message: sentence }]);
  expectRefusal(await magpie.request("DELETE", "/track-user", { key, body }), 404, "not_found");
  await magpie.request("POST", "/track-user", { key, body });
  const byQuery = () => magpie.request("DELETE", `/track-user?username=${body.username}`, { key });
  expect((await byQuery()).status).toBe(200);
  expectRefusal(await byQuery(), 404, "not_found");
  expect((await magpie.request("GET", "/tracked-users", { key })).json()).toEqual({ tracked_users: [] });
});

test("one channel of a chat server is tracked without the others", async () => {
  const key = await newKey();
  const body = { channelId: "2012" };
  const first = await magpie.request("POST", "/track-chat", { key, body });
  expect([first.status, first.json()]).toEqual([
    201,
    { message: sentence, data: { id: expect.stringMatching(uuid) } },
  ]);
  const again = await magpie.request("POST", "/track-chat", { key, body });
  expect([again.status, again.json().data]).toEqual([200, first.json().data]);
  const told = await listenTo(key);
  await post({ platform: "chatserver", channelId: "2011" }, "Elsewhere.");
  await post({ platform: "chatserver", channelId: "2012" }, "Here.");
  await until("it is told", () => told().length > 0);
  expect(told().map(({ type, data }) => [type, data.message?.content])).toEqual([
    ["chatserver.message.created", "Here."],
  ]);
  const ended = await magpie.request("DELETE", "/track-chat", { key, body });
  expect([ended.status, ended.json()]).toEqual([200, { message: sentence }]);
  expectRefusal(await magpie.request("DELETE", "/track-chat", { key, body }), 404, "not_found");
  await magpie.request("POST", "/track-chat", { key, body });
  const byQuery = () => magpie.request("DELETE", `/track-chat?channelId=${body.channelId}`, { key });
  expect((await byQuery()).status).toBe(200);
  expectRefusal(await byQuery(), 404, "not_found");
});

describe("queries of the microblog", () => {
  const author = { platform: "microblog", username: "quiet_wren" };
  const shownPost = (id: string, text: string) => ({
    rest_id: id,
    core: {
      user_results: { result: { rest_id: "1005", name: "Quiet Wren", username: "quiet_wren" } },
    },
    legacy: {
      full_text: text,
      created_at: expect.stringMatching(/^\w{3} \w{3} \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/),
      favorite_count: expect.any(Number),
      repost_count: expect.any(Number),
      reply_count: expect.any(Number),
    },
    language: null,
    media: [],
  });

  test("a post is shown to either key, and limited for an API key alone", async () => {
    const id = await post(author, "A wren sang.");
    const key = await newKey({ requestsPerMinute: 1 });
    const path = `/microblog/post?postId=${id}`;
    const shown = await magpie.request("GET", path, { key });
    expect([shown.status, shown.json()]).toEqual([200, shownPost(id, "A wren sang.")]);
    expectRefusal(await magpie.request("GET", path, { key }), 429, "rate_limited");
    for (let n = 0; n < 3; n += 1) {
      const unlimited = await magpie.request("GET", path, { admin: true });
      expect([unlimited.status, unlimited.headers.get("ratelimit")]).toEqual([200, null]);
    }
    // Both keys: the admin's stands, and one that is none is as if it were not there.
    const withAdmin = (value: string) =>
      magpie.request("GET", path, { key, headers: { "x-admin-key": value } });
    expect((await withAdmin(magpie.adminKey)).status).toBe(200);
    expectRefusal(await withAdmin("none-of-this-installation"), 429, "rate_limited");
    const wrong = { key: null, headers: { "x-admin-key": "none-of-this-installation" } };
    expectRefusal(await magpie.request("GET", path, wrong), 401, "unauthorized");
    expectRefusal(await magpie.request("GET", path, { key: null }), 401, "unauthorized");
  });

  test("what is told of an account has every field", async () => {
    const reply = await magpie.request("GET", "/microblog/about-user?username=quiet_wren");
    expect([reply.status, reply.json()]).toEqual([
      200,
      {
        id: "1005",
        name: "Quiet Wren",
        username: "quiet_wren",
        created_at: expect.stringMatching(iso),
        about_profile: {
          account_based_in: null,
          created_country_accurate: null,
          location_accurate: null,
          source: expect.any(String),
          username_changes: expect.anything(),
        },
        avatar: { image_url: null },
        is_blue_verified: expect.any(Boolean),
        profile_image_shape: null,
        privacy: { protected: false },
        verification: { verified: expect.any(Boolean) },
        verification_info: { is_identity_verified: null },
      },
    ]);
  });
});

test("a gated channel shows nothing before somebody is let in", async () => {
  const refused = await magpie.request("GET", "/messenger/channel/roost_council/search");
  expectRefusal(refused, 403, "forbidden");
});

describe("searches of the messenger", () => {
  interface Found {
    total: number;
    messages: { id: number; text: string }[];
  }
  const shownMessage = (text: string) => ({
    id: expect.any(Number),
    text,
    date: expect.any(Number),
    channelId: "3004",
    channelTitle: "Still Pond",
    fromId: null,
    views: expect.any(Number),
    forwards: expect.any(Number),
    hasMedia: false,
    mediaType: null,
  });

  beforeAll(async () => {
    for (const text of ["a heron one", "a heron two", "a coot", "a heron three"])
      await post({ platform: "messenger", channelId: "3004" }, text);
  });

  test.each([
    ["/messenger/search?q=heron", ["a heron three", "a heron two", "a heron one"]],
    ["/messenger/search?query=heron", ["a heron three", "a heron two", "a heron one"]],
    ["/messenger/search?q=HERON&limit=1", ["a heron three"]],
    ["/messenger/search?q=ostrich", []],
    ["/messenger/channel/%40still_pond/search", ["a heron three", "a coot", "a heron two", "a heron one"]],
    ["/messenger/channel/@still_pond/search?q=coot", ["a coot"]],
    ["/messenger/channel/3004/search?query=coot", ["a coot"]],
    ["/messenger/channel/3004/search?limit=2", ["a heron three", "a coot"]],
    ["/messenger/channel/%40magpie_watch/search?q=heron", []],
  ])("%s finds %j", async (path, texts) => {
    const reply = await magpie.request("GET", path);
    const { total, messages } = reply.json<Found>();
    expect([reply.status, messages]).toEqual([200, texts.map(shownMessage)]);
    expect(total).toBeGreaterThanOrEqual(messages.length);
  });
});

describe("posts that are fetched or handed on by hand", () => {
  const author = { platform: "microblog", username: "rook_report" };
  const uid = "1004";
  const crafted = (rest_id: string, from = uid) => ({
    rest_id,
    core: { user_results: { result: { rest_id: from, name: "The Rook Report", username: "rook_report" } } },
    legacy: {
      full_text: `Crafted ${rest_id}.`,
      created_at: "Wed Oct 10 20:19:24 +0000 2018",
      favorite_count: 1,
      repost_count: null,
      reply_count: 0,
    },
  });
  const dispatch = (body: unknown) => magpie.request("POST", "/internal/dispatch", { admin: true, body });
  const backfill = (body: unknown) => magpie.request("POST", "/internal/backfill", { admin: true, body });
  const texts = (events: Told[]) => events.map(({ data }) => data.post?.legacy.full_text);

  test("a backfill answers the posts, and delivers those that were not told before", async () => {
    for (const text of ["Past one.", "Past two.", "Past three."]) await post(author, text);
    const key = await newKey();
    await magpie.request("POST", "/track/microblog", { key, body: { sid: "rook_report" } });
    const told = await listenTo(key);
    await post(author, "Now.");
    await until("the new one is told", () => told().length === 1);

    const first = await backfill({ uid, limit: 2 });
    expect([first.status, first.json<MicroblogPost[]>().map(({ legacy }) => legacy.full_text)]).toEqual([
      200,
      ["Now.", "Past three."],
    ]);
    const cursor = first.headers.get("x-next-cursor");
    expect(cursor).toEqual(expect.any(String));
    const rest = await backfill({ uid, cursor });
    expect(rest.json<MicroblogPost[]>().map(({ legacy }) => legacy.full_text)).toEqual([
      "Past two.",
      "Past one.",
    ]);
    expect(rest.headers.get("x-next-cursor")).toBeNull();
    await until("the old ones are told", () => told().length === 4);
    expect(texts(told())).toEqual(["Now.", "Past three.", "Past one.", "Past two."]);
    expect((await backfill({ uid })).json<MicroblogPost[]>()).toHaveLength(4);
    expect((await backfill({ uid: "1001" })).json()).toEqual([]);
    await dispatch({ post: crafted("50") });
    await until("what came after is told", () => told().length >= 5);
    expect(texts(told())).toHaveLength(5);
  });

  test("a dispatched post is delivered once, however often it is dispatched, and though it was told", async () => {
    const key = await newKey();
    await magpie.request("POST", "/track/microblog", { key, body: { sid: "rook_report" } });
    const told = await listenTo(key);
    const id = await post(author, "Live.");
    await until("the live one is told", () => told().length === 1);
    const live = (await magpie.request("GET", `/microblog/post?postId=${id}`)).json<MicroblogPost>();

    const first = await dispatch({ post: crafted("91"), posts: [crafted("92"), live] });
    expect([first.status, first.json()]).toEqual([200, { message: "Dispatched 3 posts." }]);
    expect((await dispatch({ posts: [crafted("92"), crafted("93")] })).status).toBe(200);
    await until("the last one is told", () => texts(told()).includes("Crafted 93."));
    expect(texts(told())).toEqual(["Live.", "Crafted 91.", "Crafted 92.", "Crafted 93."]);
    expect(told().map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  test("those whose authors nobody tracks are counted, and said to reach nobody", async () => {
    const alone = await dispatch({ post: crafted("1", "424242") });
    expect(alone.json().message).toBe("Dispatched 1 post. Nobody receives it: no key tracks the author.");
  });

  test("one that is no post keeps the others from being dispatched", async () => {
    const key = await newKey();
    await magpie.request("POST", "/track/microblog", { key, body: { sid: "rook_report" } });
    const told = await listenTo(key);
    const { full_text: _, ...legacy } = crafted("97").legacy;
    const bad = { ...crafted("97"), legacy };
    const refused = await dispatch({ posts: [crafted("94"), crafted("95"), crafted("96"), bad] });
    expectRefusal(refused, 400, "validation_failed", "posts.3.legacy.full_text");
    await dispatch({ posts: [crafted("98")] });
    await until("the good one is told", () => told().length > 0);
    expect(texts(told())).toEqual(["Crafted 98."]);
  });
});

test("a backfill by handle and range delivers that range; a dry run of a dispatch delivers nothing", async () => {
  const ask = (path: string, body: object) => magpie.request("POST", path, { admin: true, body });
  await post({ platform: "microblog", username: "rook_report" }, "Before the range.");
  const key = await newKey();
  await magpie.request("POST", "/track/microblog", { key, body: { sid: "rook_report" } });
  const told = await listenTo(key);
  const texts = () => told().map(({ data }) => data.post?.legacy.full_text);
  const ahead = { since: new Date(Date.now() + 86_400_000).toISOString() };
  expect((await ask("/internal/backfill", { username: "@rook_report", ...ahead })).text).toBe("[]");
  const named = await ask("/internal/backfill", { username: "@rook_report", limit: 1, since: "2020-01-01" });
  const [last] = named.json<MicroblogPost[]>();
  if (!last) throw new Error("the account has no posts");
  await until("it is told", () => texts().includes("Before the range."));

  const made = { ...last, rest_id: "7000000001", legacy: { ...last.legacy, full_text: "Not yet." } };
  const run = await ask("/internal/dispatch", { posts: [last, made, {}], dry_run: true });
  const { data } = run.json<{ data: { outcome: string; details: { field: string }[] }[] }>();
  expect([run.status, data.map(({ outcome }) => outcome)]).toEqual([200, ["known", "new", "invalid"]]);
  expect(data[2]?.details[0]?.field).toBe("posts.2.rest_id");
  const [, again] = (await ask("/internal/dispatch", { posts: [last, made], dry_run: true })).json<{
    data: { outcome: string }[];
  }>().data;
  expect(again?.outcome).toBe("new");
  expect((await ask("/internal/dispatch", { post: made, dry_run: false })).json()).not.toHaveProperty("data");
  await until("it is told, once", () => texts().includes("Not yet."));
  expect(texts().filter(text => text === "Not yet.")).toHaveLength(1);
});

test("fifty posts are fetched and twenty messages found, unless told otherwise", async () => {
  for (let n = 1; n <= 51; n++) await post({ platform: "microblog", username: "nestbuilder" }, `Twig ${n}.`);
  const fetched = await magpie.request("POST", "/internal/backfill", { admin: true, body: { uid: "1003" } });
  expect(fetched.json<MicroblogPost[]>().map(({ legacy }) => legacy.full_text)).toEqual(
    Array.from({ length: 50 }, (_, n) => `Twig ${51 - n}.`),
  );
  for (let n = 1; n <= 21; n++) await post({ platform: "messenger", channelId: "3003" }, `Wagtail ${n}.`);
  for (const path of ["/messenger/search?q=wagtail", "/messenger/channel/@tree_talk/search"]) {
    const { total, messages } = (await magpie.request("GET", path)).json<{
      total: number;
      messages: { text: string }[];
    }>();
    expect(messages.map(({ text }) => text)).toEqual(
      Array.from({ length: 20 }, (_, n) => `Wagtail ${21 - n}.`),
    );
    expect(total).toBe(21);
  }
});

describe("bad input", () => {
  const long = "x".repeat(1001);
  const post = { rest_id: "1", core: {}, legacy: {} };
  type Case = [
    method: string,
    path: string,
    body: unknown,
    status: number,
    code: string,
    field: string,
    admin?: boolean,
  ];
  const validation = (method: string, path: string, body: unknown, field: string, admin = false): Case => [
    method,
    path,
    body,
    400,
    "validation_failed",
    field,
    admin,
  ];
  const missing = (method: string, path: string, body?: unknown, admin = false): Case => [
    method,
    path,
    body,
    404,
    "not_found",
    "",
    admin,
  ];
  const admin = true;

  test.each<Case>([
    ...["", "a".repeat(16), "a b", "@corvid_lab", "cörvid", "a-b", "a/../b", 7, null].flatMap(username => [
      validation("POST", "/track-user", { username }, "username"),
      validation("DELETE", "/track-user", { username }, "username"),
    ]),
    validation("POST", "/track-user", {}, "username"),
    validation("POST", "/track-user", { username: "corvid_lab", notify: true }, "notify"),
    missing("POST", "/track-user", { username: "nobody_at_all" }),
    missing("DELETE", "/track-user", { username: "corvid_lab" }),
    validation("POST", "/track/microblog", {}, "sid"),
    validation("POST", "/track/microblog", { sid: " " }, "sid"),
    validation("POST", "/track/microblog", { sid: "two words" }, "sid"),
    missing("POST", "/track/microblog", { sid: "nobody_at_all" }),
    missing("POST", "/track/chatserver", { sid: "noinvite" }),
    validation("POST", "/track/chatserver", { sid: "not an invite" }, "sid"),
    missing("POST", "/track/messenger", { sid: "@nobody_at_all" }),
    validation("POST", "/track/messenger", { sid: "@" }, "sid"),
    validation("DELETE", "/track/microblog", {}, "eid"),
    validation("DELETE", "/track/chatserver", { eid: "2001", iid: "x" }, "eid"),
    missing("DELETE", "/track/messenger", { eid: "3001" }),
    missing("DELETE", "/track/messenger", { iid: "not-a-uuid" }),
    validation("GET", "/track/messenger/status", undefined, "id"),
    validation("GET", "/track/gazette/status?id=x", undefined, "source"),
    missing("GET", "/track/messenger/status?id=unknown"),
    validation("POST", "/track-chat", {}, "channelId"),
    validation("POST", "/track-chat", { channelId: "" }, "channelId"),
    validation("POST", "/track-chat", { channelId: 2011 }, "channelId"),
    validation("POST", "/track-chat", { channelId: "no id" }, "channelId"),
    missing("POST", "/track-chat", { channelId: "9999" }),
    missing("DELETE", "/track-chat", { channelId: "2011" }),
    validation("GET", "/microblog/post", undefined, "postId"),
    validation("GET", "/microblog/post?postId=", undefined, "postId"),
    validation("GET", `/microblog/post?postId=${long}`, undefined, "postId"),
    missing("GET", "/microblog/post?postId=1"),
    validation("GET", "/microblog/about-user", undefined, "username"),
    validation("GET", "/microblog/about-user?username=a&name=b", undefined, "name"),
    missing("GET", "/microblog/about-user?username=nobody_at_all"),
    validation("GET", "/messenger/search", undefined, "q"),
    validation("GET", "/messenger/search?q=", undefined, "q"),
    validation("GET", "/messenger/search?q=%20", undefined, "q"),
    validation("GET", `/messenger/search?q=${long}`, undefined, "q"),
    validation("GET", `/messenger/search?query=${long}`, undefined, "query"),
    validation("GET", "/messenger/search?query=", undefined, "query"),
    validation("GET", "/messenger/search?q=a&query=a", undefined, "query"),
    validation("GET", "/messenger/search?q=a&q=b", undefined, "q"),
    validation("GET", "/messenger/search?q=a&limit=0", undefined, "limit"),
    validation("GET", "/messenger/search?q=a&limit=101", undefined, "limit"),
    validation("GET", "/messenger/search?q=a&limit=1.5", undefined, "limit"),
    validation("GET", "/messenger/search?q=a&limit=many", undefined, "limit"),
    validation("GET", "/messenger/channel/3001/search?q=", undefined, "q"),
    validation("GET", "/messenger/channel/3001/search?limit=101", undefined, "limit"),
    validation("GET", `/messenger/channel/${long}/search`, undefined, "channelId"),
    missing("GET", "/messenger/channel/%40nobody_at_all/search"),
    missing("GET", "/messenger/channel/999999/search"),
    validation("POST", "/internal/backfill", {}, "uid", admin),
    validation("POST", "/internal/backfill", { uid: 1002 }, "uid", admin),
    validation("POST", "/internal/backfill", { uid: "1002", username: "x" }, "uid", admin),
    validation("POST", "/internal/backfill", { uid: "1002", since: "yesterday" }, "since", admin),
    missing("POST", "/internal/backfill", { username: "nobody_at_all" }, admin),
    validation("POST", "/internal/backfill", { uid: "1002", limit: 0 }, "limit", admin),
    validation("POST", "/internal/backfill", { uid: "1002", limit: "5" }, "limit", admin),
    validation("POST", "/internal/backfill", { uid: "1002", cursor: "nonsense" }, "cursor", admin),
    missing("POST", "/internal/backfill", { uid: "424242" }, admin),
    validation("POST", "/internal/dispatch", {}, "post", admin),
    validation("POST", "/internal/dispatch", { posts: [] }, "post", admin),
    validation("POST", "/internal/dispatch", { posts: {} }, "posts", admin),
    validation("POST", "/internal/dispatch", { posts: null }, "post", admin),
    validation("POST", "/internal/dispatch", { posts: ["x"] }, "posts.0", admin),
    validation("POST", "/internal/dispatch", { post: "x" }, "post", admin),
    validation("POST", "/internal/dispatch", { post }, "post.legacy.full_text", admin),
    validation("POST", "/internal/dispatch", { tweets: [] }, "tweets", admin),
    validation("POST", "/internal/dispatch", { posts: Array(1001).fill(post) }, "posts", admin),
    validation("POST", "/internal/sandbox/post", { text: "x" }, "platform", admin),
    validation("POST", "/internal/sandbox/post", { platform: "rss", text: "x" }, "platform", admin),
    validation(
      "POST",
      "/internal/sandbox/post",
      { platform: "microblog", username: "corvid_lab" },
      "text",
      admin,
    ),
    missing(
      "POST",
      "/internal/sandbox/post",
      { platform: "microblog", username: "nobody", text: "x" },
      admin,
    ),
    missing("POST", "/internal/sandbox/post", { platform: "messenger", channelId: "3999", text: "x" }, admin),
    ...[{ language: "en" }, { media: [] }].map(remarks =>
      validation(
        "POST",
        "/internal/sandbox/post",
        { platform: "messenger", channelId: "3004", text: "x", ...remarks },
        Object.keys(remarks)[0] ?? "",
        admin,
      ),
    ),
    ...["microblog", "chatserver", "messenger"].map(platform =>
      validation(
        "POST",
        "/internal/sandbox/post",
        { platform, text: "x" },
        platform === "microblog" ? "username" : "channelId",
        admin,
      ),
    ),
    validation(
      "POST",
      "/internal/sandbox/post",
      { platform: "messenger", channelId: null, text: "x" },
      "channelId",
      admin,
    ),
    ...["chatserver", "messenger"].map(platform =>
      validation(
        "POST",
        "/internal/sandbox/post",
        { platform, channelId: "no id!", text: "x" },
        "channelId",
        admin,
      ),
    ),
    validation("GET", "/internal/sources?limit=0", undefined, "limit", admin),
    validation("GET", "/internal/sources?source=gazette", undefined, "source", admin),
    validation("GET", "/internal/lanes?status=LOST", undefined, "status", admin),
  ])("%s %s with %j is %i %s %s", async (method, path, body, status, code, field, admin = false) => {
    const key = admin ? null : await newKey();
    expectRefusal(await magpie.request(method, path, { body, key, admin }), status, code, field);
  });

  test.each([
    ["POST", "/internal/backfill"],
    ["POST", "/internal/dispatch"],
    ["POST", "/internal/sandbox/post"],
    ["GET", "/internal/sources"],
    ["GET", "/internal/lanes"],
    ["GET", "/internal/joins"],
  ])("%s %s takes the admin key alone", async (method, path) => {
    const body = method === "POST" ? {} : undefined;
    expectRefusal(await magpie.request(method, path, { body }), 401, "unauthorized");
    expectRefusal(await magpie.request(method, path, { body, key: null }), 401, "unauthorized");
  });
});

test("lists for administrators go page by page over all keys", async () => {
  const [a, b] = [await newKey(), await newKey()];
  for (const key of [a, b]) {
    await magpie.request("POST", "/track/microblog", { key, body: { sid: "magpie_daily" } });
    await magpie.request("POST", "/webhook", { key, body: { url: `https://hooks.example.com/${key}` } });
  }
  await magpie.request("POST", "/track/microblog", { key: a, body: { sid: "corvid_lab" } });
  interface List {
    data: Record<string, unknown>[];
    next_cursor: string | null;
  }
  const all = async (path: string): Promise<Record<string, unknown>[]> => {
    const rows: Record<string, unknown>[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const reply = await magpie.request("GET", `${path}${query}`, { admin: true });
      expect(reply.status).toBe(200);
      const page: List = reply.json<unknown>() as List;
      rows.push(...page.data);
      cursor = page.next_cursor;
    }
    return rows;
  };
  const sources = await all("/internal/sources?source=microblog&limit=1");
  expect(new Set(sources.map(({ id }) => id)).size).toBe(sources.length);
  expect(sources.find(({ username }) => username === "magpie_daily")).toEqual({
    id: expect.stringMatching(uuid),
    source: "MICROBLOG",
    externalId: "1001",
    username: "magpie_daily",
    name: "Magpie Daily",
    network: "sandbox",
    keys: 2,
    health: "ok",
    failures: 0,
    polled_at: expect.stringMatching(iso),
    due_at: expect.stringMatching(iso),
    problem: null,
    last_event_at: null,
  });
  const lanes = await all("/internal/lanes?status=ACTIVE&limit=1");
  expect(lanes).toHaveLength(2);
  expect(lanes[0]).toEqual({
    key_id: expect.any(String),
    webhook_id: expect.stringMatching(uuid),
    url: `https://hooks.example.com/${b}`,
    status: "ACTIVE",
    waiting: expect.any(Number),
    failures: expect.any(Number),
    next_attempt_at: null,
    held: null,
  });
});

describe("what the document says of the networks", () => {
  interface Document {
    info: { description: string };
    "x-sandbox"?: Record<string, Record<string, unknown[]>>;
  }
  const documentOf = async (of: Magpie) =>
    (await of.request("GET", "/openapi.json", { key: null })).json<unknown>() as Document;

  test("simulated platforms are named, with what they hold", async () => {
    const document = await documentOf(magpie);
    expect(document.info.description).toMatch(/Sandbox/);
    expect(document["x-sandbox"]).toEqual({
      microblog: { users: expect.any(Array) },
      chatserver: { invites: expect.any(Array), channels: expect.any(Array) },
      messenger: { channels: expect.any(Array), gatedInvites: expect.any(Array) },
    });
    expect(document["x-sandbox"]?.microblog?.users).not.toEqual([]);
  });

  test("a network that cannot be reached is 503 while it is away, and then works", async () => {
    const network = await new MastodonServer().start();
    network.addAccount({ id: "101", username: "ada", display_name: "Ada" });
    const { url, accessToken } = network;
    const social = {
      ...toConfig({}).social,
      sandboxEveryMs: null,
      microblog: [{ driver: "mastodon" as const, url, accessToken }] satisfies SocialConfig["microblog"],
    };
    const other = await startMagpie({ social, pollMinIntervalMs: 50 }, services);
    try {
      const document = await documentOf(other);
      expect(Object.keys(document["x-sandbox"] ?? {})).toEqual(["chatserver", "messenger"]);
      network.goAway();
      const away = await other.request("POST", "/track/microblog", { body: { sid: "ada" } });
      expectRefusal(away, 503, "connector_unavailable");
      expect(Number(away.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      const about = await other.request("GET", "/microblog/about-user?username=ada");
      expectRefusal(about, 503, "connector_unavailable");
      const sandbox = { platform: "microblog", username: "ada", text: "x" };
      const refused = await other.request("POST", "/internal/sandbox/post", { admin: true, body: sandbox });
      expectRefusal(refused, 404, "not_found");
      network.heal();
      const back = await other.request("POST", "/track/microblog", { body: { sid: "ada" } });
      expect([back.status, back.json<{ data: Source }>().data.username]).toEqual([201, "ada"]);
    } finally {
      await other.stop();
      await network.close();
    }
  });
});
