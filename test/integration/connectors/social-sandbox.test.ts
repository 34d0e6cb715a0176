import { sandboxChatserver } from "../../../services/connectors/chatserver/sandbox.connector.ts";
import { type Door, sandboxMessenger } from "../../../services/connectors/messenger/sandbox.connector.ts";
import { sandboxMicroblog } from "../../../services/connectors/microblog/sandbox.connector.ts";
import { Stage } from "../../../services/connectors/social/sandbox/stage.ts";
import type { SocialConnector } from "../../../services/connectors/social/social-connector.ts";
import type { Voice } from "../../../services/domain/sandbox/world.ts";
import { world } from "../../../services/domain/sandbox/world.ts";
import { stageMemory } from "../../fakes/stage-memory.ts";
import { type Network, socialConnectorSuite } from "../../suites/social-connector.suite.ts";

/** Posts on demand only, so that the suite knows all that is said. */
function silentStage(voices: readonly Voice[]): Stage {
  return new Stage({ voices, everyMs: null, memory: stageMemory(), now: Date.now });
}

function network(
  driver: SocialConnector,
  stage: Stage,
  post: Network["post"],
  rest: Pick<Network, "source" | "other" | "unknown" | "malformed"> & Partial<Network>,
): Network {
  return {
    driver,
    post,
    cut: async () => stage.setDown(true),
    heal: async () => stage.setDown(false),
    close: async () => undefined,
    ...rest,
  };
}

const idOf = async (posted: Promise<{ id: string }> | undefined) => String((await posted)?.id);

socialConnectorSuite("sandbox, microblog", async () => {
  const stage = silentStage(world.microblog);
  const driver = sandboxMicroblog(stage);
  const usernameOf = (id: string) => String(world.microblog.find(user => user.id === id)?.username);
  return network(driver, stage, (id, text) => idOf(driver.post?.({ username: usernameOf(id) }, text)), {
    source: {
      sids: ["magpie_daily", "@Magpie_Daily", "1001", "https://microblog.example/magpie_daily"],
      externalId: "1001",
      username: "magpie_daily",
      name: "Magpie Daily",
    },
    other: { sid: "quiet_wren", externalId: "1005" },
    unknown: "nobody_here",
    malformed: ["no user", "sixteen_letters_", "https://microblog.example/", ""],
    unknownPost: "4194304",
  });
});

socialConnectorSuite("sandbox, chat server", async () => {
  const stage = silentStage(world.chatserver.flatMap(({ channels }) => channels));
  const driver = sandboxChatserver(stage);
  const channelOf = (id: string) => world.chatserver.find(server => server.id === id)?.channels[0]?.id ?? "";
  return network(driver, stage, (id, text) => idOf(driver.post?.({ channelId: channelOf(id) }, text)), {
    source: {
      sids: ["corvids", "feathers", "https://chat.example/invite/corvids", "2001"],
      externalId: "2001",
      username: "corvids",
      name: "Corvid Club",
    },
    other: { sid: "hush", externalId: "2003" },
    unknown: "nobodys-invite",
    malformed: ["no invite", "https://chat.example", "channel:general", "?"],
    channel: "channel:2011",
  });
});

socialConnectorSuite("sandbox, messenger", async () => {
  const stage = silentStage(world.messenger);
  let asked = 0;
  let later = 0;
  const requests = new Map<string, number>();
  const door: Door = {
    askedAt: async invite => requests.get(invite),
    ask: async (invite, at) => {
      asked += 1;
      requests.set(invite, at);
    },
    now: () => Date.now() + later,
  };
  const driver = sandboxMessenger(stage, door);
  return network(driver, stage, (id, text) => idOf(driver.post?.({ channelId: id }, text)), {
    source: {
      sids: ["magpie_watch", "@magpie_watch", "https://messenger.example/magpie_watch", "3001"],
      externalId: "3001",
      username: "magpie_watch",
      name: "Magpie Watch",
    },
    other: { sid: "@still_pond", externalId: "3004" },
    unknown: "@nobody_here",
    malformed: ["no channel", "@", "https://messenger.example/"],
    gated: {
      sid: "https://messenger.example/+innernest2026",
      externalId: "3005",
      approve: async () => {
        later += 3000;
      },
      asked: () => asked,
    },
  });
});
