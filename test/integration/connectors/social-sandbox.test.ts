import { sandboxChatserver } from "../../../services/connectors/platforms/sandbox/chatserver.ts";
import {
  type JoinRequests,
  sandboxMessenger,
} from "../../../services/connectors/platforms/sandbox/messenger.ts";
import { sandboxMicroblog } from "../../../services/connectors/platforms/sandbox/microblog.ts";
import { Simulator } from "../../../services/connectors/platforms/sandbox/simulator.ts";
import type { SocialConnector } from "../../../services/connectors/social/social-connector.ts";
import { type SandboxAccount, world } from "../../../services/domain/sandbox/world.ts";
import { postMemory } from "../../fakes/post-memory.ts";
import { type Network, socialConnectorSuite } from "../../suites/social-connector.suite.ts";

/** Posts on demand only, so that the suite knows all that is said. */
function silentSimulator(accounts: readonly SandboxAccount[]): Simulator {
  return new Simulator({ accounts: accounts, everyMs: null, memory: postMemory(), now: Date.now });
}

function network(
  driver: SocialConnector,
  simulator: Simulator,
  post: Network["post"],
  rest: Pick<Network, "source" | "other" | "unknown" | "malformed"> & Partial<Network>,
): Network {
  return {
    driver,
    post,
    cut: async () => simulator.setDown(true),
    heal: async () => simulator.setDown(false),
    close: async () => undefined,
    ...rest,
  };
}

const idOf = async (posted: Promise<{ id: string }> | undefined) => String((await posted)?.id);

socialConnectorSuite("sandbox, microblog", async () => {
  const simulator = silentSimulator(world.microblog);
  const driver = sandboxMicroblog(simulator);
  const usernameOf = (id: string) => String(world.microblog.find(user => user.id === id)?.username);
  return network(driver, simulator, (id, text) => idOf(driver.post?.({ username: usernameOf(id) }, text)), {
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
  const simulator = silentSimulator(world.chatserver.flatMap(({ channels }) => channels));
  const driver = sandboxChatserver(simulator);
  const channelOf = (id: string) => world.chatserver.find(server => server.id === id)?.channels[0]?.id ?? "";
  return network(driver, simulator, (id, text) => idOf(driver.post?.({ channelId: channelOf(id) }, text)), {
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
  const simulator = silentSimulator(world.messenger);
  let asked = 0;
  let later = 0;
  const requests = new Map<string, number>();
  const door: JoinRequests = {
    askedAt: async invite => requests.get(invite),
    ask: async (invite, at) => {
      asked += 1;
      requests.set(invite, at);
    },
    now: () => Date.now() + later,
  };
  const driver = sandboxMessenger(simulator, door);
  return network(driver, simulator, (id, text) => idOf(driver.post?.({ channelId: id }, text)), {
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
