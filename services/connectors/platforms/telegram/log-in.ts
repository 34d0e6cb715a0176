import { BaseTelegramClient, TelegramClient } from "@mtcute/core/client.js";
import type { TelegramSettings } from "./api.ts";
import { networkOptions } from "./connection.ts";
import { onNode } from "./node-platform.ts";
import { openStoredSession } from "./stored-session.ts";

/** Answers that only the owner of the account has; each question is repeated while the answer is wrong. */
export interface Questions {
  /** In international form. */
  phone(): Promise<string>;
  /** `way`: where Telegram sent it, such as `app` or `sms`. */
  code(way: string): Promise<string>;
  password(): Promise<string>;
  /** Called before a question is repeated. */
  wrong(what: string): void;
}

const maxDialogs = 2000;

/**
 * Logs the account in unless it is already, and stores its session sealed. `chats`: how many channels and groups the
 * account is in; from now on they can be found by their numbers.
 */
export async function logIn(
  { apiId, apiHash, session, masterSecret, dc, answerMs }: TelegramSettings,
  questions: Questions,
): Promise<{ name: string; chats: number }> {
  const closing = new AbortController();
  const base = new BaseTelegramClient({
    apiId,
    apiHash,
    storage: await openStoredSession(session, masterSecret),
    storageOptions: { cleanup: false },
    ...onNode(),
    ...networkOptions({ dc, answerMs }, closing.signal),
  });
  const client = new TelegramClient({ client: base, disableUpdates: true });
  let way = "app";
  try {
    const { displayName: name } = await client.start({
      phone: questions.phone,
      code: () => questions.code(way),
      password: questions.password,
      codeSentCallback: sent => {
        way = sent.type;
      },
      invalidCodeCallback: questions.wrong,
    });
    return { name, chats: await readChats(client) };
  } finally {
    closing.abort();
    await client.destroy();
  }
}

/** Reads the account's chats, which the library stores in the session. */
async function readChats(client: TelegramClient): Promise<number> {
  let chats = 0;
  for await (const { peer } of client.iterDialogs({ limit: maxDialogs }))
    if (peer.type === "chat") chats += 1;
  return chats;
}
