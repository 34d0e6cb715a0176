import { ConfigError } from "./config-error.ts";
import type { Env } from "./env.ts";

/** The three servers of a cluster, and the name under which it keeps what is its own on each of them. */
export interface ClusterConfig {
  natsUrl: string;
  redisUrl: string;
  mongoUrl: string;
  /** Before every subject, key and collection, so that clusters which share a server do not meet. */
  namespace: string;
}

const urls = {
  NATS_URL: /^(nats|tls):$/,
  REDIS_URL: /^rediss?:$/,
  MONGO_URL: /^mongodb(\+srv)?:$/,
};
const examples = {
  NATS_URL: "nats://nats.example:4222",
  REDIS_URL: "redis://redis.example:6379",
  MONGO_URL: "mongodb://mongo.example:27017/magpie",
};

const encoded = "signs of its password other than letters and digits are percent-encoded";
const rules = {
  NATS_URL: encoded,
  REDIS_URL: `${encoded}, and a path is the number of a database`,
  MONGO_URL: encoded,
};

type Name = keyof typeof urls;

/** Undefined when none of the three URLs is set; throws when some are. */
export function cluster(env: Env): ClusterConfig | undefined {
  const names = Object.keys(urls) as Name[];
  if (names.every(name => env[name] === undefined)) return undefined;
  return {
    natsUrl: url("NATS_URL", env),
    redisUrl: url("REDIS_URL", env),
    mongoUrl: url("MONGO_URL", env),
    namespace: namespace(env.CLUSTER_NAMESPACE ?? "magpie"),
  };
}

function url(name: Name, env: Env): string {
  const value = env[name];
  if (value === undefined)
    throw new ConfigError(
      name,
      `a URL such as ${examples[name]}: a cluster needs NATS_URL, REDIS_URL and MONGO_URL`,
    );
  const isOne = { NATS_URL: isWhole, REDIS_URL: isOfRedis, MONGO_URL: hasProtocol }[name];
  // A list of hosts is one to the driver of MongoDB, and NATS may be at several URLs.
  const parts = name === "NATS_URL" ? value.split(",") : [value];
  if (!parts.every(part => isOne(part.trim(), urls[name])))
    throw new ConfigError(name, `a URL such as ${examples[name]}; ${rules[name]}`);
  return value;
}

function hasProtocol(text: string, protocols: RegExp): boolean {
  return protocols.test(/^[a-z+]+:/.exec(text)?.[0] ?? "");
}

function isWhole(text: string, protocols: RegExp): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    url.hostname !== "" &&
    protocols.test(url.protocol) &&
    [url.username, url.password].every(isDecodable)
  );
}

function isOfRedis(text: string, protocols: RegExp): boolean {
  return isWhole(text, protocols) && /^\/?\d{0,9}$/.test(new URL(text).pathname);
}

function isDecodable(part: string): boolean {
  try {
    return decodeURIComponent(part) !== undefined;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

function namespace(value: string): string {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(value))
    throw new ConfigError("CLUSTER_NAMESPACE", "at most 32 small letters, digits and dashes, a letter first");
  return value;
}
