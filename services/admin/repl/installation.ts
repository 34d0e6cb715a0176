import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import type { Config } from "../../../mixins/config/config.ts";
import { type Credentials, credentialsPath } from "../../../mixins/config/credentials.ts";
import { isHeld } from "../../../mixins/store/sqlite/is-held.ts";

/** Longer than the gateway waits for a backfill. */
const timeoutMs = 130_000;

export interface Answer<Body> {
  body: Body;
  headers: Record<string, string | string[] | undefined>;
}

/** Asks the admin endpoints of an installation; rejects with a sentence for whoever typed the command. */
export type Ask = <Body>(method: "GET" | "POST", path: string, body?: unknown) => Promise<Answer<Body>>;

/** Whether a process, be it this one or another, works on the data folder. */
export function isRunning(config: Pick<Config, "dataDir">): boolean {
  return isHeld(join(config.dataDir, "magpie.db"));
}

/** The installation whose gateway listens at a URL. That is looked up for each question, since it may have been restarted. */
export function installation(config: Config, findGateway: () => Promise<string>): Ask {
  return async <Body>(method: "GET" | "POST", path: string, body?: unknown) => {
    const url = await findGateway();
    const answer = await send(url, path, { method, key: adminKeyOf(config, url), body });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(refusalIn(text, answer.statusCode));
    return { body: JSON.parse(text) as Body, headers: answer.headers };
  };
}

function adminKeyOf(config: Config, url: string): string {
  const path = credentialsPath(config);
  const kept: Partial<Credentials> = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const key = config.adminKey ?? kept.adminKey;
  if (key === undefined) throw new Error(`Set ADMIN_KEY to the admin key of ${url}; ${path} holds none.`);
  return key;
}

async function send(
  url: string,
  path: string,
  { method, key, body }: { method: "GET" | "POST"; key: string; body: unknown },
) {
  try {
    return await request(url + path, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { "x-admin-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new Error(`${url} cannot be reached (${(cause as Error).message}).`, { cause });
  }
}

function refusalIn(text: string, status: number): string {
  try {
    const { code, message } = JSON.parse(text) as { code: string; message: string };
    return `${code}: ${message}`;
  } catch {
    // What is no envelope comes from something in between.
    return `The answer was ${status}.`;
  }
}
