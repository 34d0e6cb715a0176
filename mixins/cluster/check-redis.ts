import { Redis } from "ioredis";
import type { ClusterConfig } from "../config/config.ts";
import { ConfigError } from "../config/env.ts";
import { primaryUrl } from "./redis-sentinels.ts";

/** A server without TLS does not answer a client with TLS, and one with TLS hangs up on a client without. */
const advice =
  "Check that it runs, that host and port of the URL are right, and that it uses TLS if the URL begins with rediss://, and only then.";

const deadlineMs = 5000;
const minVersion = "6.2";
/** Nodes compare times, so their clocks must not differ by more. */
const maxClockOffsetMs = 5000;

/**
 * Checks that a node can work with this Redis. Throws with a message that names the setting, never its credentials, when
 * it cannot; returns warnings about settings of the server that an operator should change.
 */
export async function checkRedis({
  redisUrl,
  redisReplicas = 0,
}: Pick<ClusterConfig, "redisUrl"> & Partial<Pick<ClusterConfig, "redisReplicas">>): Promise<string[]> {
  const url = withoutCredentials(redisUrl);
  const primary = await primaryUrl(redisUrl).catch(error => {
    throw new ConfigError("REDIS_URL", messageOf(error, url), { cause: error });
  });
  const redis = new Redis(primary, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: deadlineMs,
    commandTimeout: deadlineMs,
    // ioredis waits this long for the end of a socket that never was.
    disconnectTimeout: 1,
  });
  let reason: unknown;
  redis.on("error", error => {
    reason = error;
  });
  try {
    return await checkServer(redis, url, redisReplicas);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError("REDIS_URL", messageOf(reason ?? error, url), { cause: reason ?? error });
  } finally {
    redis.disconnect();
  }
}

/** The URL without its credentials. */
function withoutCredentials(redisUrl: string): string {
  return redisUrl.replace(/\/\/[^@/]*@/, "//").replace(/\?.*$/, "");
}

async function checkServer(redis: Redis, url: string, replicas: number): Promise<string[]> {
  await redis.connect();
  // Redis leaves a connection to a missing database on database 0.
  if (redis.options.db) await redis.select(redis.options.db);
  const facts = await redis.info();
  const version = factOf(facts, "redis_version") ?? "";
  if (version.localeCompare(minVersion, "en", { numeric: true }) < 0)
    throw new ConfigError("REDIS_URL", `${url} is Redis ${version}; ${minVersion} or later is needed`);
  const offsetMs = await clockOffset(redis);
  if (Math.abs(offsetMs) > maxClockOffsetMs) {
    const offset = `${(Math.abs(offsetMs) / 1000).toFixed(1)} s ${offsetMs > 0 ? "behind" : "ahead of"}`;
    throw new ConfigError("REDIS_URL", `the clock of this node is ${offset} that of ${url}; set the clocks`);
  }
  const found = warnings(facts, await fsyncOf(redis)).map(warning => `REDIS_URL: ${url} ${warning}`);
  return [...found, ...missingReplicas(facts, url, replicas)];
}

/** A replica may come later, so that too few of them are a warning. */
function missingReplicas(facts: string, url: string, wanted: number): string[] {
  const there = Number(factOf(facts, "connected_slaves") ?? wanted);
  if (there >= wanted) return [];
  return [
    `REDIS_REPLICAS: ${url} has ${there} of the ${wanted} replicas that must confirm; no event is taken until they are there`,
  ];
}

/** Not every provider reports all of it. */
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

/** Undefined where the server does not allow the question, as with many providers. */
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

/** Milliseconds by which Redis' clock is ahead of this node's, without the time that the request takes. */
async function clockOffset(redis: Redis): Promise<number> {
  const asked = Date.now();
  const [seconds, micros] = await redis.time();
  const answered = Date.now();
  const theirs = Number(seconds) * 1000 + Number(micros) / 1000;
  if (theirs < asked) return theirs - asked;
  return Math.max(theirs - answered, 0);
}

function messageOf(error: unknown, url: string): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/^(WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password)/.test(message))
    return `${url} rejects the user and password of the URL`;
  if (/^ERR (DB index|invalid DB|SELECT)/.test(message))
    return `${url} names a database that the server does not have (${message})`;
  return /^NOPERM/.test(message)
    ? `${url} does not grant this user what is needed (${message})`
    : `${url} does not answer (${message}). ${advice}`;
}
