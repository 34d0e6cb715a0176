import { join } from "node:path";
import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { type Service, ServiceBroker } from "moleculer";
import { type Config, configFromEnv } from "../mixins/config/config.ts";
import { loadCredentials } from "../mixins/config/credentials.ts";
import { factsCollection, type StoredFact, verifyMasterSecret } from "../mixins/store/master-secret.ts";
import { storeMixin, type WithStore } from "../mixins/store/store.mixin.ts";
import { logIn, type Questions } from "../services/connectors/platforms/telegram/log-in.ts";
import {
  type SessionStore,
  type StoredSession,
  sessionInFile,
  sessionInStore,
  sessionsCollection,
} from "../services/connectors/platforms/telegram/stored-session.ts";
import { generateKey } from "../services/domain/key/generate-key.ts";

/** `npx magpie telegram:login`: asks for the account's phone number, code and password once, and stores the session. */
export async function logInToTelegram(): Promise<void> {
  const config = configFromEnv();
  const settings = config.social.messenger.find(({ driver }) => driver === "telegram");
  if (settings?.driver !== "telegram")
    throw new Error("Set TELEGRAM_API_ID and TELEGRAM_API_HASH, as https://my.telegram.org shows them.");
  const { masterSecret } = loadCredentials(config, generateKey);
  const screen = new Screen();
  const terminal = createInterface({ input: process.stdin, output: screen, terminal: process.stdin.isTTY });
  try {
    await withPlace(config, masterSecret, async (session, where) => {
      const { name, chats } = await logIn(
        { ...settings, session, masterSecret },
        questions(terminal, screen),
      );
      tell(`${name} is logged in, and in ${chats} channels and groups. The session is kept in ${where}.`);
    });
  } finally {
    terminal.close();
  }
}

type Errand = (session: SessionStore, where: string) => Promise<void>;

/** Opens the place where the connectors service looks for the session: a file, or the store of a cluster. */
async function withPlace(config: Config, masterSecret: string, errand: Errand): Promise<void> {
  if (!config.cluster) {
    const path = join(config.dataDir, "telegram.session");
    return errand(sessionInFile(path), path);
  }
  const broker = new ServiceBroker({ logger: false });
  const extraCollections = { [factsCollection]: [] };
  const mixins = [storeMixin(config, { collection: sessionsCollection, extraCollections })];
  const service = broker.createService({ name: "telegram-login", mixins }) as Service &
    WithStore<StoredSession>;
  await broker.start();
  try {
    await verifyMasterSecret(service.store.collection<StoredFact>(factsCollection), masterSecret);
    await errand(sessionInStore(service.store), "the store of the cluster");
  } finally {
    await broker.stop();
  }
}

function questions(terminal: Interface, screen: Screen): Questions {
  const ended = new AbortController();
  terminal.once("close", () => ended.abort(new Error("Nobody answers.")));
  const ask = (question: string) => terminal.question(question, { signal: ended.signal });
  return {
    phone: () => ask("Telephone number, such as +4930123456: "),
    code: way => ask(`Code that Telegram has sent (${way}): `),
    async password() {
      const answer = ask("Password of the two-step verification: ");
      screen.isMuted = true;
      try {
        return await answer;
      } finally {
        screen.isMuted = false;
        tell("");
      }
    },
    wrong: what => tell(`Wrong ${what}.`),
  };
}

/** Writes to the terminal. While it is muted, it does not echo what is typed. */
class Screen extends Writable {
  isMuted = false;

  override _write(text: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!this.isMuted) process.stderr.write(text);
    done();
  }
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
