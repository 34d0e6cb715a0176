import type { RedisOptions } from "ioredis";
import { createClient } from "redis";

/** A primary that sentinels name: `redis+sentinel://user:password@host:26379,host:26379/name/0`. */
interface Watched {
  sentinels: { host: string; port: number }[];
  /** The name by which the sentinels know the primary. */
  name: string;
  /** After the scheme, with its at sign; empty without. */
  credentials: string;
  db: number;
  usesTls: boolean;
}

const form = /^redis(s?)\+sentinel:\/\/([^@/]*@)?([^@/]+)\/([\w.-]+)(?:\/(\d{1,9}))?$/;
const defaultPort = 26_379;
const answerMs = 1000;

function watchedBy(url: string): Watched | undefined {
  const [, tls, credentials = "", hosts = "", name, db = "0"] = form.exec(url) ?? [];
  if (!name) return undefined;
  const sentinels = hosts.split(",").map(each => {
    const [, host = "", port] = /^(.+?)(?::(\d+))?$/.exec(each.trim()) ?? [];
    return { host: host.replace(/^\[|\]$/g, ""), port: Number(port ?? defaultPort) };
  });
  return { sentinels, name, credentials, db: Number(db), usesTls: tls === "s" };
}

/** What ioredis needs for a URL: the URL, or sentinels to ask before each connection. */
export function ioredisAddress(url: string): { url: string } | { options: RedisOptions } {
  const watched = watchedBy(url);
  if (!watched) return { url };
  const { sentinels, name, db, usesTls } = watched;
  const { username, password } = new URL(`redis://${watched.credentials}host`);
  const options: RedisOptions = {
    sentinels,
    name,
    db,
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(usesTls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    failoverDetector: true,
    sentinelCommandTimeout: answerMs,
  };
  return { options };
}

/** The URL of the server that is the primary now; of a URL without sentinels the URL itself. */
export async function primaryUrl(url: string): Promise<string> {
  const watched = watchedBy(url);
  if (!watched) return url;
  const { sentinels, name, credentials, db, usesTls } = watched;
  const scheme = usesTls ? "rediss" : "redis";
  let cause: unknown;
  for (const { host, port } of sentinels)
    try {
      const [primary, at] = await askSentinel(`${scheme}://${bracketed(host)}:${port}`, name);
      return `${scheme}://${credentials}${bracketed(primary)}:${at}/${db}`;
    } catch (error) {
      cause = error;
    }
  throw Object.assign(new Error(`no sentinel names the primary ${name}`, { cause }), { code: "ENOTFOUND" });
}

async function askSentinel(url: string, name: string): Promise<[host: string, port: string]> {
  const client = createClient({
    url,
    commandOptions: { timeout: answerMs },
    socket: { connectTimeout: answerMs, socketTimeout: answerMs, reconnectStrategy: false },
  }).on("error", () => "the call that waits rejects with it");
  try {
    await client.connect();
    const answer = await client.sendCommand(["SENTINEL", "GET-MASTER-ADDR-BY-NAME", name]);
    const [host, port] = Array.isArray(answer) ? answer.map(String) : [];
    if (!host || !port) throw new Error(`a sentinel does not know ${name}`);
    return [host, port];
  } finally {
    if (client.isOpen) client.destroy();
  }
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
