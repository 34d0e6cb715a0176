import { connectorsService } from "../../../services/connectors/connectors.service.ts";
import { mastodonConnector } from "../../../services/connectors/platforms/mastodon/connector.ts";
import { defaultOptions } from "../../../services/connectors/social/social.ts";
import { keysService } from "../../../services/keys/keys.service.ts";
import { trackerService } from "../../../services/tracker/tracker.service.ts";
import { MastodonServer } from "../../fakes/mastodon/mastodon-server.ts";
import { type Magpie, startMagpie } from "../../support/magpie.ts";
import { type StreamClient, streamClient } from "../../support/stream-client.ts";
import { until } from "../../support/until.ts";

/* From a post that a search finds to the event in the log: polls overlap, and each post becomes one event a source. */

let server: MastodonServer;
let magpie: Magpie;
let stream: StreamClient;

beforeEach(async () => {
  server = await new MastodonServer().start();
  server.addAccount({ id: "101", username: "ada" });
  const { url, accessToken } = server;
  const drivers = {
    ...defaultOptions.drivers,
    microblog: async (_: unknown, __: unknown, tools: Parameters<typeof mastodonConnector>[1]) =>
      mastodonConnector({ url, accessToken }, tools),
  };
  magpie = await startMagpie({ pollMinIntervalMs: 200 }, config => [
    keysService(config),
    trackerService(config),
    connectorsService(config, { drivers }),
  ]);
  stream = streamClient(magpie.url, "/stream", { "x-api-key": magpie.apiKey });
  await stream.hello();
});
afterEach(async () => {
  stream.socket.close();
  await magpie.stop();
  await server.close();
});

const track = (sid: string) => magpie.request("POST", "/track/microblog", { body: { sid } });
const say = (text: string) => server.post("101", { content: `<p>${text}</p>` });
const told = () =>
  stream.frames.flatMap(({ event }) => {
    const { source, post } = Object(event?.data) as {
      source?: { username: string };
      post?: { legacy: { full_text: string } };
    };
    return post ? [`${source?.username}: ${post.legacy.full_text}`] : [];
  });
const timelines = () => server.requests.filter(each => each.includes("/timelines/tag/birds")).length;

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
  say("#birds of the past");
  const preview = await magpie.request("POST", "/track/microblog/preview", { body: { sid: "#birds" } });
  expect(preview.json()).toMatchObject({
    data: { name: "#birds", items: [{ title: "#birds of the past" }] },
  });
  await track("#birds");
  expect((await magpie.request("GET", "/tracked-users")).json()).toEqual({ tracked_users: [] });
  const found = await magpie.request("GET", "/track/microblog/find?query=birds");
  expect(found.json()).toMatchObject({ total: 1, data: [{ externalId: "#birds" }] });
  const untracked = await magpie.request("DELETE", "/track/microblog", { body: { eid: "#birds" } });
  expect(untracked.status).toBe(200);
});
