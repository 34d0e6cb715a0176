import { connectorsService } from "../../../services/connectors/connectors.service.ts";
import { sandboxMicroblog } from "../../../services/connectors/platforms/sandbox/microblog.ts";
import { Simulator } from "../../../services/connectors/platforms/sandbox/simulator.ts";
import { defaultOptions } from "../../../services/connectors/social/social.ts";
import { world } from "../../../services/domain/sandbox/world.ts";
import { keysService } from "../../../services/keys/keys.service.ts";
import { trackerService } from "../../../services/tracker/tracker.service.ts";
import { postMemory } from "../../fakes/post-memory.ts";
import { type Magpie, startMagpie } from "../../support/magpie.ts";
import { type StreamClient, streamClient } from "../../support/stream-client.ts";
import { until } from "../../support/until.ts";

/*
 * From a post on a network to the event in the log, through the real tracker: whatever the live connection does, each
 * post becomes one event. The shortest poll of feeds is an hour here, so that what arrives did not wait for one.
 */

let stage: Simulator;
let magpie: Magpie;
let stream: StreamClient;

beforeEach(async () => {
  stage = new Simulator({
    accounts: world.microblog,
    everyMs: null,
    memory: postMemory(),
    now: Date.now,
  });
  const drivers = { ...defaultOptions.drivers, microblog: async () => sandboxMicroblog(stage) };
  magpie = await startMagpie({ pollMinIntervalMs: 3_600_000 }, config => [
    keysService(config),
    trackerService(config),
    connectorsService({ ...config, social: { ...config.social, sandboxEveryMs: null } }, { drivers }),
  ]);
  stream = streamClient(magpie.url, "/stream", { "x-api-key": magpie.apiKey });
  await stream.hello();
});
afterEach(async () => {
  stream.socket.close();
  await magpie.stop();
});

const track = (sid: string) => magpie.request("POST", "/track/microblog", { body: { sid } });
const say = (text: string, voice = "1001") => stage.post(voice, text);
const told = () =>
  stream.frames.flatMap(({ event }) => {
    const { post } = Object(event?.data) as { post?: { legacy: { full_text: string } } };
    return post ? [post.legacy.full_text] : [];
  });

test("posts come live, once each, from the moment of tracking, and none of what nobody tracks", async () => {
  await say("of the past");
  expect((await track("magpie_daily")).status).toBe(201);
  await say("for nobody", "1002");
  for (const text of ["one", "two", "three"]) await say(text);
  await until("all are told", () => told().length >= 3);
  expect(told()).toEqual(["one", "two", "three"]);
});

test("posts missed by a lost connection follow after the reconnect, each once and in order", async () => {
  await track("magpie_daily");
  await say("before");
  await until("it came live", () => told().length === 1);
  stage.setDown(true);
  await until("the loss is seen", async () => {
    const ready = await magpie.request("GET", "/health/ready");
    return ready.text.includes("The simulated network is down.");
  });
  for (const text of ["missed 1", "missed 2"]) await say(text);
  stage.setDown(false);
  await say("after");
  await until("it goes on", () => told().includes("after"));
  // The poll has read what came live as well; it is told no second time.
  await track("quiet_wren");
  await say("the last", "1005");
  await until("the last is told", () => told().includes("the last"));
  expect(told()).toEqual(["before", "missed 1", "missed 2", "after", "the last"]);
});

test("posts of untracked sources are not published", async () => {
  await track("magpie_daily");
  await track("quiet_wren");
  await magpie.request("DELETE", "/track/microblog", { body: { eid: "1001" } });
  await say("for nobody");
  await say("the last", "1005");
  await until("the last is told", () => told().includes("the last"));
  expect(told()).toEqual(["the last"]);
});
