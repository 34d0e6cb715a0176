import { TelegramClient } from "@mtcute/node";
import type { TelegramSettings } from "./line.ts";
import { networkOptions } from "./network-options.ts";
import { openSession } from "./session.ts";

/** What only the account's owner knows; each is asked for again while it is wrong. */
export interface Questions {
  /** In international form. */
  phone(): Promise<string>;
  /** `way`: where Telegram sent it, such as `app` or `sms`. */
  code(way: string): Promise<string>;
  password(): Promise<string>;
  /** Told before a question is asked again. */
  wrong(what: string): void;
}

const maxDialogs = 2000;

/**
 * Logs an account in, or finds that it is logged in already, and keeps its session sealed. `chats`: how many channels
 * and groups it is in; their numbers mean something from now on.
 */
export async function logIn(
  { apiId, apiHash, session, masterSecret, dc, answerMs }: TelegramSettings,
  questions: Questions,
): Promise<{ name: string; chats: number }> {
  const closing = new AbortController();
  const client = new TelegramClient({
    apiId,
    apiHash,
    storage: await openSession(session, masterSecret),
    storageOptions: { cleanup: false },
    logLevel: 0,
    disableUpdates: true,
    ...networkOptions({ dc, answerMs }, closing.signal),
  });
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
    return { name, chats: await meetChats(client) };
  } finally {
    closing.abort();
    await client.destroy();
  }
}

/** The library keeps what it reads of them. */
async function meetChats(client: TelegramClient): Promise<number> {
  let chats = 0;
  for await (const { peer } of client.iterDialogs({ limit: maxDialogs }))
    if (peer.type === "chat") chats += 1;
  return chats;
}
