import type { ServiceSchema } from "moleculer";
import type { Config } from "../../mixins/config/config.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { mastodonConnector } from "../../services/connectors/platforms/mastodon/connector.ts";
import { defaultOptions } from "../../services/connectors/social/social.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { MastodonServer } from "../fakes/mastodon/mastodon-server.ts";
import type { Magpie } from "../support/magpie.ts";
import { type StreamClient, streamClient } from "../support/stream-client.ts";
import { until } from "../support/until.ts";

/* From a post that a search finds to the event in the log: polls overlap, and each post becomes one event a source. */

/** An installation, embedded or a cluster, and the network that it reads. */
export interface SearchWorld {
  magpie: Pick<Magpie, "request" | "url">;
  server: MastodonServer;
}

export const searchOverrides: Partial<Config> = { pollMinIntervalMs: 200, keysPerOwner: 100 };

/** A network, and the services that read it. */
export async function searchedNetwork() {
  const server = await new MastodonServer().start();
  server.addAccount({ id: "101", username: "ada" });
  const { url, accessToken } = server;
  const microblog = async (_: unknown, __: unknown, tools: Parameters<typeof mastodonConnector>[1]) =>
    mastodonConnector({ url, accessToken }, tools);
  const drivers = { ...defaultOptions.drivers, microblog };
  const connectors = (config: Config): ServiceSchema => connectorsService(config, { drivers });
  return { server, keys: keysService, tracker: trackerService, connectors };
}

export function searchFlowSuite(worldOf: () => SearchWorld): void {
  let stream: StreamClient;
  let key: string;

  beforeEach(async () => {
    const { magpie } = worldOf();
    const body = { owner: "ann", name: "n" };
    const made = await magpie.request("POST", "/internal/keys", { admin: true, body });
    ({ key } = made.json<{ data: { key: string } }>().data);
    stream = streamClient(magpie.url, "/stream", { "x-api-key": key });
    await stream.hello();
  });
  afterEach(() => stream.socket.close());

  const ask = (method: string, path: string, body?: object) =>
    worldOf().magpie.request(method, path, { key, ...(body && { body }) });
  const track = (sid: string) => ask("POST", "/track/microblog", { sid });
  const say = (text: string) => worldOf().server.post("101", { content: `<p>${text}</p>` });
  const told = () =>
    stream.frames.flatMap(({ event }) => {
      const { source, post } = Object(event?.data) as {
        source?: { username: string };
        post?: { legacy: { full_text: string } };
      };
      return post ? [`${source?.username}: ${post.legacy.full_text}`] : [];
    });
  const timelines = () =>
    worldOf().server.requests.filter(each => each.includes("/timelines/tag/birds")).length;

  test("posts of a search are told once, though polls read them again, and beside those of their author", async () => {
    say("#birds of the past");
    const answer = await track("#Birds");
    expect([answer.status, answer.json()]).toMatchObject([
      201,
      { data: { source: "MICROBLOG", externalId: "#birds", username: "#birds", name: "#birds" } },
    ]);
    expect((await track("#birds")).status).toBe(200);
    for (const text of ["#birds one", "none", "#birds two"]) say(text);
    await until("both are told", () => told().length >= 2);
    const polls = timelines();
    await until("polls have read them again", () => timelines() > polls + 2);
    expect(told()).toEqual(["#birds: #birds one", "#birds: #birds two"]);
    await track("ada");
    say("#birds three");
    await until("it is told twice", () => told().length >= 4);
    expect(told().slice(2).sort()).toEqual(["#birds: #birds three", "ada: #birds three"]);
    const ids = stream.frames.flatMap(({ event }) => event?.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("a search is listed as a source and not as a user, previewed, and untracked", async () => {
    say("#storks of the past");
    const preview = await ask("POST", "/track/microblog/preview", { sid: "#storks" });
    expect(preview.json()).toMatchObject({
      data: { name: "#storks", items: [{ title: "#storks of the past" }] },
    });
    await track("#storks");
    expect((await ask("GET", "/tracked-users")).json()).toEqual({ tracked_users: [] });
    const found = await ask("GET", "/track/microblog/find?query=storks");
    expect(found.json()).toMatchObject({ total: 1, data: [{ externalId: "#storks" }] });
    expect((await ask("DELETE", "/track/microblog", { eid: "#storks" })).status).toBe(200);
  });
}
