import { join } from "node:path";
import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { configFromEnv } from "../../../mixins/config/config.ts";
import { loadCredentials } from "../../../mixins/config/credentials.ts";
import { generateKey } from "../../domain/key/generate-key.ts";
import { logIn, type Questions } from "../messenger/telegram/log-in.ts";

/** `npm run telegram:login`: asks for what Telegram wants to know of the account, once, and keeps the session. */
async function main(): Promise<void> {
  const config = configFromEnv();
  const settings = config.social.messenger;
  if (settings.driver !== "telegram")
    throw new Error("Set TELEGRAM_API_ID and TELEGRAM_API_HASH, as https://my.telegram.org shows them.");
  const { masterSecret } = loadCredentials(config, generateKey);
  const sessionFile = join(config.dataDir, "telegram.session");
  const screen = new Screen();
  const terminal = createInterface({ input: process.stdin, output: screen, terminal: process.stdin.isTTY });
  try {
    const { name, chats } = await logIn(
      { ...settings, sessionFile, masterSecret },
      questions(terminal, screen),
    );
    tell(`${name} is logged in, and in ${chats} channels and groups. The session is kept in ${sessionFile}.`);
  } finally {
    terminal.close();
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

/** The terminal, which shows nothing of what is typed while it is muted. */
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

main().catch(error => {
  tell(`Not logged in: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
