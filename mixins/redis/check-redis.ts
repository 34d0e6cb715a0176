import { Redis } from "ioredis";
import type { ClusterConfig } from "../config/cluster.ts";
import { ConfigError } from "../config/config-error.ts";

/** A server that speaks no TLS leaves a client that does without an answer, and one that does hangs up on others. */
const advice =
  "Check that it runs, that host and port of the URL are right, and that it speaks TLS if the URL begins with rediss://, and only then.";

const deadlineMs = 5000;
const leastVersion = "6.2";
/** Above it, what two nodes take for now is not the same time. */
const mostOffMs = 5000;

/**
 * Whether a node can work with this Redis: throws a sentence that names the setting, never its credentials, when it
 * cannot; resolves with sentences of what an operator should mend.
 */
export async function checkRedis({ redisUrl }: Pick<ClusterConfig, "redisUrl">): Promise<string[]> {
  const place = placeOf(redisUrl);
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: deadlineMs,
    commandTimeout: deadlineMs,
    // ioredis waits as long for the end of a socket that was never there.
    disconnectTimeout: 1,
  });
  let reason: unknown;
  redis.on("error", error => {
    reason = error;
  });
  try {
    return await judge(redis, place);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError("REDIS_URL", sentenceOf(reason ?? error, place), { cause: reason ?? error });
  } finally {
    redis.disconnect();
  }
}

/** The URL without what lets one in. */
function placeOf(redisUrl: string): string {
  const { protocol, host, pathname } = new URL(redisUrl);
  return `${protocol}//${host}${pathname}`;
}

async function judge(redis: Redis, place: string): Promise<string[]> {
  await redis.connect();
  // A connection to a database that is not there is one to database 0.
  if (redis.options.db) await redis.select(redis.options.db);
  const facts = await redis.info();
  const version = factOf(facts, "redis_version") ?? "";
  if (version.localeCompare(leastVersion, "en", { numeric: true }) < 0)
    throw new ConfigError("REDIS_URL", `${place} is Redis ${version}; ${leastVersion} or later is needed`);
  const offMs = await clockOff(redis);
  if (Math.abs(offMs) > mostOffMs) {
    const off = `${(Math.abs(offMs) / 1000).toFixed(1)} s ${offMs > 0 ? "behind" : "ahead of"}`;
    throw new ConfigError("REDIS_URL", `the clock of this node is ${off} that of ${place}; set the clocks`);
  }
  return warnings(facts, await fsyncOf(redis)).map(warning => `REDIS_URL: ${place} ${warning}`);
}

/** Not every provider tells all of it. */
function warnings(facts: string, fsync: string | undefined): string[] {
  const policy = factOf(facts, "maxmemory_policy") ?? "noeviction";
  const evicts = `has the maxmemory-policy ${policy} and may forget jobs; it should be noeviction`;
  const forgets = "keeps no append-only file and may lose jobs when it ends; appendonly should be yes";
  const lags = `has the appendfsync ${fsync} and may lose what it took last, and with it events; it should be always`;
  return [
    ...(policy === "noeviction" ? [] : [evicts]),
    ...(factOf(facts, "aof_enabled") === "0" ? [forgets] : []),
    ...(factOf(facts, "aof_enabled") === "1" && fsync !== undefined && fsync !== "always" ? [lags] : []),
  ];
}

/** Undefined where the server does not let this user ask, as many providers do not. */
async function fsyncOf(redis: Redis): Promise<string | undefined> {
  const answer = await redis.config("GET", "appendfsync").catch((error: unknown) => {
    if (error instanceof Error && /^(NOPERM|ERR) /.test(error.message)) return [];
    throw error;
  });
  return Array.isArray(answer) && typeof answer[1] === "string" ? answer[1] : undefined;
}

function factOf(facts: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(facts)?.[1];
}

/** Milliseconds by which Redis' clock is ahead of this node's; what the way there and back explains is not counted. */
async function clockOff(redis: Redis): Promise<number> {
  const asked = Date.now();
  const [seconds, micros] = await redis.time();
  const answered = Date.now();
  const theirs = Number(seconds) * 1000 + Number(micros) / 1000;
  if (theirs < asked) return theirs - asked;
  return Math.max(theirs - answered, 0);
}

function sentenceOf(error: unknown, place: string): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/^(WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password)/.test(message))
    return `${place} does not take the user and password that it names`;
  if (/^ERR (DB index|invalid DB|SELECT)/.test(message))
    return `${place} names a database that the server does not have (${message})`;
  return /^NOPERM/.test(message)
    ? `${place} does not let this user do what is needed (${message})`
    : `${place} does not answer (${message}). ${advice}`;
}
