import { type XSettings, xConnector } from "../../../services/connectors/microblog/x/x.connector.ts";
import { XServer } from "../../fakes/x/x-server.ts";
import { type Network, socialConnectorSuite } from "../../suites/social-connector.suite.ts";

const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

async function open(): Promise<Network> {
  const server = await new XServer().start();
  const magpie = server.network.addAccount("2244994945", "magpie_watch", "Magpie Watch");
  const other = server.network.addAccount("1786", "raven", "A Raven");
  return {
    driver: connect(server),
    source: {
      sids: [
        "magpie_watch",
        "@Magpie_Watch",
        "2244994945",
        "https://x.com/magpie_watch",
        "https://twitter.com/magpie_watch/status/20",
        "https://x.com/i/user/2244994945",
      ],
      externalId: magpie.id,
      username: magpie.username,
      name: magpie.name,
    },
    other: { sid: other.username, externalId: other.id },
    unknown: "nobody_at_all",
    malformed: [
      "not a name",
      "sixteen_letters_",
      "https://site.example/magpie",
      "https://x.com/i/lists/1",
      "@",
    ],
    post: async (externalId, text) => server.post(externalId, text),
    cut: async () => server.cut(),
    heal: async () => server.heal(),
    goAway: async () => server.cut(true),
    limitNext: () => server.limitNext(),
    followed: () => [...server.following],
    unknownPost: "20",
    close: () => server.stop(),
  };
}

function connect(server: XServer, more: Partial<XSettings> = {}) {
  const settings: XSettings = {
    bearerToken: server.appToken,
    accessToken: server.userToken,
    baseUrl: server.url,
    rulesEveryMs: 5,
    ...more,
  };
  return xConnector(settings, { now: Date.now, random: Math.random, logger: quiet, reconnectMs: 5 });
}

socialConnectorSuite("x", open);
