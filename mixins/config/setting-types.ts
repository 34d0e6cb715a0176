import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { readAddress } from "../../services/domain/delivery/mail/address.ts";

/** What the text of a setting may be. */
export interface SettingType<Value> {
  /** Completes the error message `NAME: …`; the reference shows it too. */
  expected: string;
  /** Undefined for a text that is not of this type. */
  parse(text: string): Value | undefined;
}

export function text(expected = "text"): SettingType<string> {
  return { expected, parse: value => value };
}

/** Text that a pattern matches as a whole. */
export function matching(pattern: RegExp, expected: string): SettingType<string> {
  return { expected, parse: value => (pattern.test(value) ? value : undefined) };
}

export function choice<Option extends string>(...options: Option[]): SettingType<Option> {
  const expected = options.length > 2 ? `one of ${options.join(", ")}` : options.join(" or ");
  return { expected, parse: value => options.find(option => option === value) };
}

/** Some of the options, each once, with commas between them. */
export function choices<Option extends string>(...options: Option[]): SettingType<[Option, ...Option[]]> {
  return {
    expected: `one of ${options.join(", ")}, or several with commas between them, each once and the default first`,
    parse: value => {
      const [first, ...others] = value.split(",").map(part => options.find(option => option === part.trim()));
      const named = [first, ...others];
      if (first === undefined || new Set(named).size < named.length) return undefined;
      return others.every(option => option !== undefined) ? [first, ...others] : undefined;
    },
  };
}

export const flag: SettingType<boolean> = {
  expected: "true or false",
  parse: value => (value === "true" || value === "false" ? value === "true" : undefined),
};

/** The same, in the words for a part that is there or not. */
export const onOff: SettingType<boolean> = {
  expected: "on or off",
  parse: value => (value === "on" || value === "off" ? value === "on" : undefined),
};

export function integer(min: number, max = Number.MAX_SAFE_INTEGER, what = ""): SettingType<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  return {
    expected: `${what}a whole number ${range}`,
    parse: value => {
      const number = Number(value);
      return Number.isInteger(number) && number >= min && number <= max ? number : undefined;
    },
  };
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds. */
export const duration: SettingType<number> = {
  expected: "a duration such as 30s, 2m or 1h, at most 24h",
  parse: value => {
    const [, count, unit] = /^(\d{1,9})(ms|s|m|h)$/.exec(value) ?? [];
    const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
    return ms >= 1 && ms <= 24 * unitMs.h ? ms : undefined;
  },
};

const longUnitMs = { h: unitMs.h, d: 24 * unitMs.h, y: 365 * 24 * unitMs.h };

/** Milliseconds. */
export const longDuration: SettingType<number> = {
  expected: "hours, days or years such as 72h, 30d or 2y, from 1h to 10y",
  parse: value => {
    const [, count, unit] = /^(\d{1,6})([hdy])$/.exec(value) ?? [];
    const ms = Number(count) * longUnitMs[unit as keyof typeof longUnitMs];
    return ms >= longUnitMs.h && ms <= 10 * longUnitMs.y ? ms : undefined;
  },
};

/** Milliseconds; `Infinity` for `off`. */
export const durationOrOff: SettingType<number> = {
  expected: `${duration.expected}, or off`,
  parse: value => (value === "off" ? Number.POSITIVE_INFINITY : duration.parse(value)),
};

/** Milliseconds; null for `off`. */
export const pace: SettingType<number | null> = {
  expected: "whole seconds such as 5s, or off",
  parse: value => {
    if (value === "off") return null;
    const [, seconds] = /^(\d{1,5})s$/.exec(value) ?? [];
    return Number(seconds) >= 1 ? Number(seconds) * 1000 : undefined;
  },
};

/** A part of a whole. */
export const share: SettingType<number> = {
  expected: "a number from 0 to 1",
  parse: value => {
    const number = Number(value);
    return value.trim() !== "" && number >= 0 && number <= 1 ? number : undefined;
  },
};

/** `name=value` pairs with commas between them, as OpenTelemetry writes them; values are percent-encoded. */
export const headers: SettingType<Record<string, string>> = {
  expected: "name=value pairs with commas between them",
  parse: value => {
    const pairs = value.split(",").map(pair => /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*(.*?)\s*$/.exec(pair));
    if (!pairs.every(pair => pair !== null)) return undefined;
    try {
      return Object.fromEntries(pairs.map(([, name = "", text = ""]) => [name, decodeURIComponent(text)]));
    } catch {
      return undefined;
    }
  },
};

/** Entries with commas between them; empty ones are left out. */
export function list<Value>({ parse }: SettingType<Value>, expected: string): SettingType<Value[]> {
  return {
    expected,
    parse: value => {
      const entries = value.split(",").flatMap(part => part.trim() || []);
      const parsed = entries.map(parse);
      return parsed.every(entry => entry !== undefined) ? parsed : undefined;
    },
  };
}

export const addressOrCidr: SettingType<string> = {
  expected: "an IP address or a CIDR",
  parse: value => (ipaddr.isValid(value) || ipaddr.isValidCIDR(value) ? value : undefined),
};

/** `address`, `address:port` or `[IPv6]:port`. */
export const nameServer: SettingType<string> = {
  expected: "an IP address with or without a port",
  parse: value => {
    const [, bracketed, plain, port = "53"] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(value) ?? [];
    const hasAddress = isIP(bracketed ?? plain ?? "") !== 0 && Number(port) >= 1 && Number(port) <= 65_535;
    return isIP(value) !== 0 || hasAddress ? value : undefined;
  },
};

export const hostAndPort: SettingType<{ host: string; port: number }> = {
  expected: "host:port",
  parse: value => {
    const [, host, port] = /^([^:]+):(\d{1,5})$/.exec(value) ?? [];
    return host && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
  },
};

/** A host's name without a port; `*.` before it means all names below it, `*` alone any. */
export const hostName: SettingType<string> = {
  expected: "a host name such as magpie.example.com, *.example.com, or *",
  parse: value =>
    /^(\*|(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*)$/i.test(value) ? value.toLowerCase() : undefined,
};

/** Scheme, host and port of a URL, and nothing else. */
export const origin: SettingType<string> = {
  expected: "an https or http origin such as https://magpie.example.com",
  parse: value => {
    const url = URL.parse(value);
    return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : undefined;
  },
};

/** An address that requests are appended to: parsed, it has no slash at its end. `ws` takes WebSocket addresses only. */
export function baseUrl(kind: "http" | "ws", example = ""): SettingType<string> {
  const scheme = new RegExp(`^${kind}s?:$`);
  return {
    expected: `an address that begins with ${kind}s://${example}`,
    parse: value => {
      const url = URL.parse(value);
      return url && scheme.test(url.protocol) && !url.search && !url.hash
        ? url.href.replace(/\/+$/, "")
        : undefined;
    },
  };
}

const encoded = "characters of its password other than letters and digits are percent-encoded";

/** A URL, or several with commas between them. */
export const natsUrls: SettingType<string> = {
  expected: `a URL such as nats://nats.example:4222; ${encoded}`,
  parse: value =>
    value.split(",").every(part => isServerUrl(part.trim(), /^(nats|tls):$/)) ? value : undefined,
};

export const redisUrl: SettingType<string> = {
  expected: `a URL such as redis://redis.example:6379; ${encoded}, and a path is the number of a database`,
  parse: value => {
    const sentinels = /^rediss?\+sentinel:(\/\/(?:[^@/]*@)?)([^@/]+)\/[\w.-]+(?:\/\d{1,9})?$/.exec(value);
    if (sentinels) {
      const [, before, hosts = ""] = sentinels;
      const isEach = hosts.split(",").every(host => isServerUrl(`redis:${before}${host.trim()}`, /^redis:$/));
      return isEach ? value : undefined;
    }
    return isServerUrl(value, /^rediss?:$/) && /^\/?\d{0,9}$/.test(new URL(value).pathname)
      ? value
      : undefined;
  },
};

/** MongoDB's driver takes lists of hosts, which are no URL, and checks the rest itself. */
export const mongoUrl = matching(
  /^mongodb(\+srv)?:/,
  `a URL such as mongodb://mongo.example:27017/magpie; ${encoded}`,
);

export const smtpUrl: SettingType<string> = {
  expected: `a URL such as smtps://user:password@smtp.example.com:465, or smtp:// for STARTTLS; ${encoded}`,
  parse: value => {
    const url = URL.parse(value);
    const isBare = url && ["", "/"].includes(url.pathname) && !url.search && !url.hash;
    return isBare && isServerUrl(value, /^smtps?:$/) ? value : undefined;
  },
};

/** An address of mail with or without a name before it. */
export const mailbox: SettingType<{ name: string; address: string }> = {
  expected: "an address such as magpie@example.com, or Magpie <magpie@example.com>",
  parse: value => {
    const [, name = "", bracketed, plain = ""] =
      /^(?:([^<>"\x00-\x1f\x7f]*)<([^<>]+)>|([^<>]+))$/.exec(value) ?? [];
    const address = readAddress((bracketed ?? plain).trim());
    return "address" in address ? { name: name.trim(), address: address.address } : undefined;
  },
};

function isServerUrl(value: string, protocol: RegExp): boolean {
  const url = URL.parse(value);
  return (
    url !== null &&
    url.hostname !== "" &&
    protocol.test(url.protocol) &&
    [url.username, url.password].every(part => decoded(part) !== undefined)
  );
}

/** Country code to proxy URLs. */
export const proxies: SettingType<Record<string, string[]>> = {
  expected:
    'http, https or socks5 URLs by country, as JSON such as {"US":["http://user:password@proxy.example:8080"]}',
  parse: value => {
    const entries = Object.entries(Object(jsonOf(value)) as Record<string, unknown>);
    const areValid = entries.every(
      ([country, urls]) => /^[A-Z]{2}$/.test(country) && Array.isArray(urls) && urls.every(isProxyUrl),
    );
    return areValid ? (Object.fromEntries(entries) as Record<string, string[]>) : undefined;
  },
};

export const proxyUrl: SettingType<string> = {
  expected: "an http, https or socks5 URL such as http://user:password@proxy.example:8080",
  parse: value => (isProxyUrl(value) ? value : undefined),
};

/** User and password are sent in a header, which carries no control characters. */
function isProxyUrl(url: unknown): boolean {
  const { protocol = "", username = "", password = "" } = (typeof url === "string" && URL.parse(url)) || {};
  const isHeaderText = (part: string) => /^[^\x00-\x1f\x7f]*$/.test(decoded(part) ?? "\0");
  return /^(https?|socks5):$/.test(protocol) && [username, password].every(isHeaderText);
}

/** A key, or several of which the first is private. */
export const ed25519Keys: SettingType<KeyObject[]> = {
  expected: "an Ed25519 private key as PEM or JWK, or several: PEM one after another, or a JWK set",
  parse: value => {
    const keys = (pemsIn(value) ?? jwksIn(value)).map(keyOf);
    const areGood = keys.every(key => key?.asymmetricKeyType === "ed25519");
    return areGood && keys[0]?.type === "private" ? (keys as KeyObject[]) : undefined;
  },
};

/** Some shells and files of variables write the ends of lines as `\\n`. */
function pemsIn(value: string): string[] | null {
  const pem = /-----BEGIN ((?:PRIVATE|PUBLIC) KEY)-----[A-Za-z0-9+/=\s]+-----END \1-----/g;
  return value.replaceAll("\\n", "\n").match(pem);
}

function jwksIn(value: string): unknown[] {
  const given = Object(jsonOf(value)) as { keys?: unknown };
  return Array.isArray(given.keys) ? given.keys : [given];
}

function keyOf(key: unknown): KeyObject | undefined {
  const isPrivate = typeof key === "string" ? key.includes("PRIVATE") : Object(key).d !== undefined;
  const create = isPrivate ? createPrivateKey : createPublicKey;
  try {
    return typeof key === "string" ? create(key) : create({ key: Object(key), format: "jwk" });
  } catch {
    return undefined;
  }
}

/** Text that is no JSON is a value that no setting takes. */
function jsonOf(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return { "not JSON": value };
  }
}

/** Undefined where the percent-encoding is broken. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
