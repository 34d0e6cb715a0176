import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import type { SocialConfig } from "../../mixins/config/social.ts";
import { adminService } from "../../services/admin/admin.service.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { call } from "../../services/contracts/action.ts";
import { pollSource } from "../../services/contracts/connectors.contract.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { historyService } from "../../services/history/history.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { BlueskyService } from "../fakes/bluesky/bluesky-service.ts";
import { MastodonServer } from "../fakes/mastodon/mastodon-server.ts";
import { removeFolder } from "../support/folders.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { type StreamClient, streamClient } from "../support/stream-client.ts";
import { until } from "../support/until.ts";

/*
 * A microblog with several networks: two servers that speak as theirs do, and the sandbox. Written by hand: a change of the
 * wire breaks the types.
 */

interface Source {
  id: string;
  externalId: string;
  username: string;
  network?: string;
  health?: string;
}

type Driver = SocialConfig["microblog"][number]["driver"];

const did = "did:plc:adaadaadaadaadaadaadaada";

let mastodon: MastodonServer;
let bluesky: BlueskyService;
let magpie: Magpie;
let stream: StreamClient;
let dataDir: string;

const services = (config: Config) => [
  keysService(config),
  trackerService(config),
  connectorsService(config, { readEveryMs: 200, reconnectMs: 20 }),
  crawlerService(config),
  historyService(config),
  scraperService(config),
  webhookDispatcherService(config),
  adminService(),
];

/** An installation with these networks, the first by default. */
async function start(...drivers: [Driver, ...Driver[]]): Promise<void> {
  const settings = {
    sandbox: { driver: "sandbox" as const },
    x: { driver: "x" as const, bearerToken: "token" },
    mastodon: { driver: "mastodon" as const, url: mastodon.url, accessToken: mastodon.accessToken },
    bluesky: {
      driver: "bluesky" as const,
      identifier: bluesky.identifier,
      appPassword: bluesky.appPassword,
      service: bluesky.url,
      relay: bluesky.relay,
    },
  };
  const [first, ...others] = drivers;
  const microblog: SocialConfig["microblog"] = [settings[first], ...others.map(each => settings[each])];
  const social = { ...toConfig({}).social, sandboxEveryMs: null, microblog };
  magpie = await startMagpie({ social, pollMinIntervalMs: 50, dataDir }, services);
  stream = streamClient(magpie.url, "/stream", { "x-api-key": magpie.apiKey });
  await stream.hello();
}

async function stop(): Promise<void> {
  stream.socket.close();
  await magpie.stop();
}

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-networks-"));
  mastodon = await new MastodonServer().start();
  mastodon.addAccount({ id: "101", username: "ada", display_name: "Ada of Mastodon" });
  bluesky = await new BlueskyService().start();
  bluesky.addActor({ did, handle: "ada.bsky.test", displayName: "Ada of Bluesky" });
});
afterEach(async () => {
  await stop();
  await Promise.all([mastodon.close(), bluesky.close(), removeFolder(dataDir)]);
});

const track = async (sid: string) => {
  const reply = await magpie.request("POST", "/track/microblog", { body: { sid } });
  return { ...reply.json<{ data: Source }>(), status: reply.status };
};
const sources = async () =>
  (await magpie.request("GET", "/track?source=microblog")).json<{ data: Source[] }>().data;
const told = () =>
  stream.frames.flatMap(({ event }) => {
    const { post, source } = Object(event?.data) as {
      post?: { legacy: { full_text: string } };
      source: Source;
    };
    return post ? [`${source.network} ${source.externalId}: ${post.legacy.full_text}`] : [];
  });
const post = {
  sandbox: (text: string) =>
    magpie.request("POST", "/internal/sandbox/post", {
      admin: true,
      body: { platform: "microblog", username: "magpie_daily", text },
    }),
  mastodon: (text: string) => mastodon.post("101", { content: `<p>${text}</p>` }),
  bluesky: (text: string) => bluesky.post(did, { text }),
};
const findings = async () => {
  const { services: all } = (await magpie.request("GET", "/health/ready?detail=true", { admin: true })).json<{
    services: Record<string, { findings: { name: string; status: string; detail?: string }[] }>;
  }>();
  return all.connectors?.findings.filter(({ name }) => name.startsWith("connector:microblog"));
};

test("a prefix, an address or neither says on which network a source is, and lists show it", async () => {
  await start("sandbox", "mastodon", "bluesky");
  const found = [
    await track("magpie_daily"),
    await track("bluesky:ada.bsky.test"),
    await track("https://bsky.app/profile/ada.bsky.test"),
    await track(did),
    await track(`@ada@${new URL(mastodon.url).host}`),
    await track("mastodon:ada"),
    await track(`${mastodon.url}/@ada`),
    await track("mastodon:#birds"),
  ].map(({ status, data: { externalId, network, username } }) => [status, externalId, network, username]);
  const previewed = async (sid: string) =>
    (await magpie.request("POST", "/track/microblog/preview", { body: { sid } })).json<{
      data: { name: string; network: string };
    }>().data;
  expect(await previewed("magpie_daily")).toMatchObject({ name: "Magpie Daily", network: "sandbox" });
  expect(await previewed("https://bsky.app/profile/ada.bsky.test")).toMatchObject({
    name: "Ada of Bluesky",
    network: "bluesky",
  });
  expect(await previewed(`${mastodon.url}/@ada`)).toMatchObject({
    name: "Ada of Mastodon",
    network: "mastodon",
  });
  const ofBluesky = [`bluesky:${did}`, "bluesky", "ada.bsky.test"];
  const ofMastodon = ["mastodon:101", "mastodon", "ada"];
  expect(found).toEqual([
    [201, "1001", "sandbox", "magpie_daily"],
    [201, ...ofBluesky],
    [200, ...ofBluesky],
    [200, ...ofBluesky],
    [201, ...ofMastodon],
    [200, ...ofMastodon],
    [200, ...ofMastodon],
    [201, "mastodon:#birds", "mastodon", "#birds"],
  ]);
  const users = (await magpie.request("GET", "/tracked-users")).json<{ tracked_users: Source[] }>();
  expect(users.tracked_users.map(({ network }) => network).sort()).toEqual([
    "bluesky",
    "mastodon",
    "sandbox",
  ]);
  await post.sandbox("one");
  post.mastodon("two");
  await post.bluesky("three");
  await until("all are told", () => told().length >= 3);
  expect(told().sort()).toEqual([
    `bluesky bluesky:${did}: three`,
    "mastodon mastodon:101: two",
    "sandbox 1001: one",
  ]);
});

test("what names a network that is not there is refused, with the setting that is missing", async () => {
  await start("sandbox", "bluesky");
  const refused = async (method: string, path: string, body?: object) => {
    const reply = await magpie.request(method, path, body && { body });
    const [detail] =
      reply.json<{ details?: { field: string; code: string; message: string }[] }>().details ?? [];
    return [reply.status, detail?.field, detail?.code, detail?.message.match(/[A-Z]+_[A-Z_]+/)?.[0]];
  };
  const missing = (field: string, setting: string) => [400, field, "not_configured", setting];
  expect(await refused("POST", "/track/microblog", { sid: "x:magpie" })).toEqual(
    missing("sid", "X_BEARER_TOKEN"),
  );
  expect(await refused("POST", "/track/microblog", { sid: "@ada@birds.example" })).toEqual(
    missing("sid", "MASTODON_URL"),
  );
  expect(await refused("POST", "/track/microblog/preview", { sid: "https://x.com/magpie" })).toEqual(
    missing("sid", "X_BEARER_TOKEN"),
  );
  expect(await refused("POST", "/track/chatserver", { sid: "discord:corvids" })).toEqual(
    missing("sid", "DISCORD_BOT_TOKEN"),
  );
  expect(await refused("POST", "/track/messenger", { sid: "telegram:bird_radio" })).toEqual(
    missing("sid", "TELEGRAM_API_ID"),
  );
  expect(await refused("POST", "/track-user", { username: "mastodon:ada" })).toEqual(
    missing("username", "MASTODON_URL"),
  );
  expect(await refused("GET", "/microblog/about-user?username=x:magpie")).toEqual(
    missing("username", "X_BEARER_TOKEN"),
  );
  expect(await refused("GET", "/microblog/post?postId=mastodon:1")).toEqual(
    missing("postId", "MASTODON_URL"),
  );
  expect((await track("bluesky:nobody.bsky.test")).status).toBe(404);
});

test("queries, users and the past of an account take the same names", async () => {
  await start("sandbox", "mastodon", "bluesky");
  const json = async (path: string) => (await magpie.request("GET", path)).json<Record<string, unknown>>();
  const nameOf = async (username: string) =>
    (await json(`/microblog/about-user?username=${encodeURIComponent(username)}`)).name;
  const mastodonHost = new URL(mastodon.url).host;
  expect(await nameOf("magpie_daily")).toBe("Magpie Daily");
  expect(await nameOf("bluesky:ada.bsky.test")).toBe("Ada of Bluesky");
  expect(await nameOf("https://bsky.app/profile/ada.bsky.test")).toBe("Ada of Bluesky");
  expect(await nameOf(`@ada@${mastodonHost}`)).toBe("Ada of Mastodon");
  const written = post.mastodon("of Mastodon");
  const uri = (await post.bluesky("of Bluesky")).uri;
  const texts = [
    `mastodon:${written.id}`,
    `${mastodon.url}/@ada/${written.id}`,
    uri,
    `bluesky:${uri}`,
    `https://bsky.app/profile/ada.bsky.test/post/${uri.split("/").at(-1)}`,
  ].map(async postId => {
    const { legacy } = await json(`/microblog/post?postId=${encodeURIComponent(postId)}`);
    return Object(legacy).full_text;
  });
  expect(await Promise.all(texts)).toEqual([
    "of Mastodon",
    "of Mastodon",
    "of Bluesky",
    "of Bluesky",
    "of Bluesky",
  ]);

  const body = { username: "bluesky:ada.bsky.test" };
  const user = await magpie.request("POST", "/track-user", { body });
  expect([user.status, user.json<{ data: object }>().data]).toMatchObject([
    201,
    { id: did, name: "Ada of Bluesky" },
  ]);
  const past = async (named: object) =>
    (await magpie.request("POST", "/internal/backfill", { admin: true, body: named })).json<
      { rest_id: string }[]
    >();
  expect((await past({ username: "bluesky:ada.bsky.test" })).map(({ rest_id }) => rest_id)).toEqual([uri]);
  expect((await past({ uid: "mastodon:101" })).map(({ rest_id }) => rest_id)).toEqual([written.id]);
  await until("the past is told to who tracks it", () => told().length > 0);
  expect(told()).toEqual([`bluesky bluesky:${did}: of Bluesky`]);

  const shown = await json(`/microblog/post?postId=${encodeURIComponent(uri)}`);
  const plan = async (network?: string) =>
    (
      await magpie.request("POST", "/internal/dispatch", {
        admin: true,
        body: { post: shown, dry_run: true, ...(network && { network }) },
      })
    ).json<{ data: { outcome: string }[] }>().data[0]?.outcome;
  expect([await plan(), await plan("bluesky")]).toEqual(["untracked", "known"]);

  expect(
    (await magpie.request("DELETE", "/track-user", { body: { username: "ada.bsky.test" } })).status,
  ).toBe(400);
  expect((await magpie.request("DELETE", "/track-user", { body })).status).toBe(200);
  expect(await sources()).toEqual([]);
  await until("it is unfollowed on its network", () => bluesky.follows.size === 0);
});

test("one network that is away leaves the others, and is the one that is told of", async () => {
  await start("mastodon", "bluesky", "sandbox");
  for (const sid of ["ada", "bluesky:ada.bsky.test", "sandbox:magpie_daily"]) await track(sid);
  await until(
    "all are live",
    async () => (await findings())?.every(({ status }) => status === "ok") ?? false,
  );
  await until("both listen", () => mastodon.streams > 0 && bluesky.streams > 0);
  mastodon.goAway();
  await until("its own finding says so", async () => (await findings())?.[0]?.status === "degraded");
  expect(await findings()).toMatchObject([
    { name: "connector:microblog", status: "degraded", detail: expect.stringMatching(/^mastodon: /) },
    { name: "connector:microblog:bluesky", status: "ok", detail: "bluesky" },
    { name: "connector:microblog:sandbox", status: "ok" },
  ]);
  await post.bluesky("one");
  await post.sandbox("two");
  await until("the others are told", () => told().length >= 2);
  expect((await track("bluesky:ada.bsky.test")).status).toBe(200);
  expect((await track("ada")).status).toBe(503);
  post.mastodon("three");
  mastodon.heal();
  await until("it goes on", () => told().length >= 3);
  expect(told().sort()).toEqual([
    `bluesky bluesky:${did}: one`,
    "mastodon 101: three",
    "sandbox sandbox:1001: two",
  ]);
});

test("a source keeps its network and its id when another network becomes the default", async () => {
  await start("mastodon");
  expect((await track("ada")).data.externalId).toBe("101");
  await until("it is followed", () => mastodon.relationships.get("101")?.following === true);
  await stop();
  await start("bluesky", "mastodon");
  expect((await track("ada.bsky.test")).data.externalId).toBe(did);
  post.mastodon("still here");
  await until("it is told", () => told().length > 0);
  expect(told()).toEqual(["mastodon 101: still here"]);
  const again = await track("mastodon:ada");
  expect([again.status, again.data.externalId]).toEqual([200, "101"]);
  await stop();
  await start("bluesky");
  const polled = await call(magpie.broker, pollSource, {
    kind: "microblog",
    externalId: "101",
    state: { cursor: "1" },
    failures: 0,
  });
  expect(polled).toMatchObject({ ok: false, gone: true, reason: expect.stringMatching(/another network/) });
  await stop();
  await start("mastodon", "bluesky");
  const both = await Promise.all([track("ada"), track("bluesky:ada.bsky.test")]);
  expect(both.map(({ status, data }) => [status, data.externalId])).toEqual([
    [200, "101"],
    [200, did],
  ]);
  await post.bluesky("here too");
  await until("both are told again", () => told().length > 0);
  expect(told()).toEqual([`bluesky ${did}: here too`]);
  for (const eid of ["101", did])
    expect((await magpie.request("DELETE", "/track/microblog", { body: { eid } })).status).toBe(200);
  await until(
    "each is unfollowed where it was followed",
    () => bluesky.follows.size === 0 && mastodon.relationships.get("101")?.following !== true,
  );
});

test("an erasure by handle is of one network, and the list of a key names networks", async () => {
  mastodon.addAccount({ id: "102", username: "magpie_daily" });
  await start("sandbox", "mastodon");
  for (const sid of ["magpie_daily", "mastodon:magpie_daily"]) await track(sid);
  const opml = (await magpie.request("GET", "/track/opml")).text;
  expect(opml).toContain("mastodon:magpie_daily");
  mastodon.post("102", { content: "<p>of Mastodon</p>" });
  await post.sandbox("of the sandbox");
  await until("both are told", () => told().length >= 2);
  const erased = async (eid: string) => {
    const body = { source: "microblog", eid };
    const { data } = (await magpie.request("POST", "/internal/erasures", { admin: true, body })).json<{
      data: { id: string };
    }>();
    await until("it has ended", async () => {
      const reply = await magpie.request("GET", `/internal/erasures/${data.id}`, { admin: true });
      return reply.json<{ data: { state: string } }>().data.state === "completed";
    });
    return (await sources()).map(({ externalId }) => externalId).sort();
  };
  expect(await erased("mastodon:magpie_daily")).toEqual(["1001"]);
  const kept = async () =>
    (await magpie.request("GET", "/events?source=microblog&since=2020-01-01T00:00:00Z")).text;
  expect(await kept()).toContain("of the sandbox");
  expect(await kept()).not.toContain("of Mastodon");
  expect(await erased("magpie_daily")).toEqual([]);
  expect(await kept()).not.toContain("of the sandbox");
});
