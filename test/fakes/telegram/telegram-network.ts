import { randomBytes } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { tl } from "@mtcute/core";
import { BaseTelegramClient } from "@mtcute/core/client.js";
import { addPublicKey } from "@mtcute/core/utils.js";
import type { TelegramSettings } from "../../../services/connectors/platforms/telegram/api.ts";
import { networkOptions } from "../../../services/connectors/platforms/telegram/connection.ts";
import { telegramConnector } from "../../../services/connectors/platforms/telegram/connector.ts";
import { onNode } from "../../../services/connectors/platforms/telegram/node-platform.ts";
import {
  openStoredSession,
  sessionInFile,
} from "../../../services/connectors/platforms/telegram/stored-session.ts";
import type { DriverTools, SocialConnector } from "../../../services/connectors/social/social-connector.ts";
import type { Network } from "../../suites/social-connector.suite.ts";
import { removeFolder } from "../../support/folders.ts";
import { driverTools } from "../driver-tools.ts";
import { newServerKeys } from "./key-exchange.ts";
import { type Answer, MtprotoServer, RpcFailure } from "./mtproto-server.ts";
import type { Request } from "./read-request.ts";
import { TelegramWorld } from "./telegram-world.ts";
import { crypto } from "./wire.ts";

const masterSecret = "a secret of sixteen letters";
const serverKeys = newServerKeys();

/** What a test may do to the stand-in beside what all networks can. */
export interface TelegramNetwork extends Network {
  world: TelegramWorld;
  settings: TelegramSettings & { sessionFile: string; dc: { port: number } };
  tools: DriverTools;
  /** Sends the client an update of any kind. */
  push(updates: tl.TypeUpdates): void;
  /** Answers all that is asked of the method with this error until the returned function is called. */
  failAll(method: string, code: number, text: string): () => void;
  /** Keeps updates back until the returned function is called, which sends those of these places; others are lost. */
  holdUpdates(): (...places: number[]) => void;
  /** Leaves requests of the method unanswered until the returned function is called. */
  holdAnswers(method: string): () => void;
}

/** A driver that is logged in to a stand-in, by a key that both have. */
export async function openTelegram(): Promise<TelegramNetwork> {
  const key = new Uint8Array(randomBytes(256));
  const world = new TelegramWorld();
  const failures = new Map<string, RpcFailure>();
  const held = new Map<string, Promise<void>>();
  let isLimited = false;
  const answer = async (request: Request): Promise<Answer> => {
    await held.get(request._);
    const failure = failures.get(request._);
    if (failure) throw failure;
    if (isLimited && !request._.startsWith("updates.")) {
      isLimited = false;
      throw new RpcFailure(420, "FLOOD_WAIT_1");
    }
    return world.answer(request);
  };
  const server = new MtprotoServer(serverKeys, answer);
  await server.listen();
  server.trust(key);
  // The client knows Telegram's own keys, and all that any client of the process is told of.
  addPublicKey(crypto, serverKeys.publicKey);
  const folder = await mkdtemp(join(tmpdir(), "magpie-telegram-"));
  const sessionFile = join(folder, "telegram.session");
  const settings = {
    apiId: 1,
    apiHash: "hash",
    sessionFile,
    session: sessionInFile(sessionFile),
    masterSecret,
    dc: { host: "127.0.0.1", port: server.port },
    // Longer than a busy machine takes to answer itself.
    answerMs: 1200,
  };
  await logIn(settings, key);
  const tools = driverTools({ reconnectMs: 5 });
  const driver = telegramConnector(settings, tools);
  let sending: (updates: { _: string }) => void = updates => server.push(updates);

  world.add({ id: 1_234_567_890, title: "Magpie news", username: "MagpieNews" });
  const other = world.add({ id: 1_111, title: "Ravens", username: "raven_talk", isGroup: true });
  const gated = world.add({ id: 2_222, title: "Gated", invite: "gatedInvite-1", needsApproval: true });
  const channelOf = (externalId: string) => {
    const found = world.channels.find(({ id }) => externalIdOf(id) === externalId);
    if (!found) throw new Error(`there is no channel ${externalId}`);
    return found;
  };
  await meet(driver, ["@MagpieNews", "raven_talk"]);
  return {
    driver,
    world,
    settings,
    tools,
    source: {
      sids: [
        "MagpieNews",
        "@magpienews",
        "https://t.me/MagpieNews",
        "t.me/s/magpienews/12?embed=1",
        "tg://resolve?domain=MagpieNews",
        "-1001234567890",
        "1234567890",
        "https://t.me/c/1234567890/5",
      ],
      externalId: "-1001234567890",
      username: "MagpieNews",
      name: "Magpie news",
    },
    other: { sid: "@raven_talk", externalId: externalIdOf(other.id) },
    unknown: "nobody_at_all",
    malformed: [
      "no name",
      "abc",
      "https://example.com/MagpieNews",
      "https://t.me/",
      "t.me/+12345678",
      "-0",
      "@",
    ],
    async post(externalId, text) {
      const channel = channelOf(externalId);
      const updates = world.say(channel, text);
      if (channel.isMember) sending(updates);
      return String(channel.messages.at(-1)?.id);
    },
    edit: async (externalId, id, text) => sending(world.edit(channelOf(externalId), Number(id), text)),
    remove: async (externalId, id) => sending(world.remove(channelOf(externalId), Number(id))),
    streams: () => server.connections,
    cut: () => server.stop(),
    heal: () => server.listen(),
    goAway: () => server.stop(),
    limitNext() {
      isLimited = true;
    },
    followed: () => world.channels.flatMap(({ id, isMember }) => (isMember ? externalIdOf(id) : [])),
    gated: {
      sid: "https://t.me/+gatedInvite-1",
      externalId: externalIdOf(gated.id),
      async approve() {
        gated.isMember = gated.asked > 0;
      },
      asked: () => gated.asked,
    },
    push: updates => server.push(updates),
    failAll(method, code, text) {
      failures.set(method, new RpcFailure(code, text));
      return () => failures.delete(method);
    },
    holdUpdates() {
      const kept: { _: string }[] = [];
      sending = updates => kept.push(updates);
      return (...places) => {
        sending = updates => server.push(updates);
        for (const updates of places.flatMap(place => kept[place] ?? [])) sending(updates);
      };
    },
    holdAnswers(method) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(method, promise);
      return () => {
        held.delete(method);
        resolve();
      };
    },
    async close() {
      await driver.close?.();
      await server.stop();
      await removeFolder(folder);
    },
  };
}

/** A session as a login leaves it. */
async function logIn({ apiId, apiHash, session, dc }: TelegramSettings, authKey: Uint8Array): Promise<void> {
  if (!dc) throw new Error("the stand-in has an address of its own");
  const client = new BaseTelegramClient({
    apiId,
    apiHash,
    storage: await openStoredSession(session, masterSecret),
    storageOptions: { cleanup: false },
    ...onNode(),
    ...networkOptions({ dc }, AbortSignal.timeout(60_000)),
  });
  const main = { id: 2, ipAddress: dc.host, port: dc.port };
  const self = { userId: 77, isBot: false, isPremium: false, usernames: [] };
  await client.importSession({ authKey, self, primaryDcs: { main, media: main } });
  await client.destroy();
}

/** A number means something only for what the account has met. */
async function meet(driver: SocialConnector, sids: string[]): Promise<void> {
  for (const sid of sids) await driver.resolve(sid, new AbortController().signal);
}

function externalIdOf(id: number): string {
  return String(-1_000_000_000_000 - id);
}
