import { inspect } from "node:util";
import type { BrokerOptions } from "moleculer";
import type { Config } from "../config/config.ts";
import { socialSecrets } from "../config/social.ts";

/** The broker's logger: lines on standard output, without the secrets of the configuration. */
export function loggerOptions(config: Config): BrokerOptions["logger"] {
  const { log, adminKey, masterSecret, bootstrapApiKey, llm, social } = config;
  const own = [adminKey, masterSecret, bootstrapApiKey, llm?.apiKey].flatMap(value => value ?? []);
  const redact = redactor([...own, ...socialSecrets(social)]);
  const format = log.format === "json" ? jsonLine : prettyLine;
  return {
    type: "Console",
    options: {
      // The broker's own steps matter only while someone debugs.
      level:
        log.level === "info"
          ? { BROKER: "warn", REGISTRY: "warn", METRICS: "warn", "**": "info" }
          : log.level,
      colors: false,
      formatter: (level: string, args: unknown[], bindings?: object) => [
        redact(format(level, args, bindings)),
      ],
    },
  };
}

interface Bindings {
  mod?: string;
  nodeID?: string;
}

type FormatLine = (level: string, args: unknown[], bindings?: Bindings) => string;

/** Writes a JSON object a line: `time, level, service, node, event`, and the fields of the event. */
export const jsonLine: FormatLine = (level, args, { mod, nodeID } = {}) => {
  const { event, fields } = split(args);
  const line = { time: new Date().toISOString(), level, service: mod, node: nodeID, event, ...fields };
  return JSON.stringify(line, (_name, value: unknown) => (value instanceof Error ? plain(value) : value));
};

export const prettyLine: FormatLine = (level, args, { mod } = {}) => {
  const { event, fields } = split(args);
  const shown = inspect(fields, { depth: 4, breakLength: Number.POSITIVE_INFINITY });
  const time = new Date().toTimeString().slice(0, 8);
  const rest = Object.keys(fields).length ? ` ${shown}` : "";
  return `${time} ${level.padEnd(5)} ${(mod ?? "").padEnd(10)} ${event}${rest}`;
};

/** Moleculer itself logs words and errors in any order; Magpie logs an event name and one object. */
function split(args: unknown[]): { event: string; fields: Record<string, unknown> } {
  const words: string[] = [];
  const fields: Record<string, unknown> = {};
  for (const arg of args)
    if (arg instanceof Error) fields.error = arg;
    else if (typeof arg === "object" && arg !== null) Object.assign(fields, arg);
    else words.push(String(arg));
  return { event: words.join(" "), fields };
}

function plain(error: Error): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause === undefined ? {} : { cause }) };
}

/** Key values and webhook secrets by their form. */
const byForm = /\b(mk_|whsec_)[A-Za-z0-9+/=_-]{8,}/g;

/** What follows a scheme of `Authorization`. */
const byScheme = /\b(bearer|basic)\s+[A-Za-z0-9+/=._~-]{4,}/gi;

/** Credentials in front of the host of a URL. */
const inUrl = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"']+@/gi;

const headerNames = "authorization|cookies?|set-cookie";
const settingNames =
  "x-api-key|x-admin-key|password|secret|adminKey|masterSecret|bootstrapApiKey|apiKey|bootstrap_api_key|api_key|admin_key";

// A list; a JSON string; a string whose quotes are escaped or single. Bounded, so that a hostile line costs no time.
const enclosed = String.raw`\[[^\]]{0,8192}\]|"(?:[^"\\]|\\.)*"|(?<quote>\\+"|'|\\+').{0,8192}?(?<!\\)\k<quote>`;
const word = String.raw`[^\s,;{}[\]"'\\]+`;

/** `"name": value`, as JSON has it, at whatever depth of JSON inside JSON, and as objects are shown. */
const byQuotedName = pattern(`(?:${headerNames}|${settingNames})(?<nameQuote>\\\\*["'])\\s*:\\s*`, word);
/** `name: value` and `name=value`. The value of such a header may hold blanks. */
const byHeader = pattern(`(?:${headerNames})\\s*[:=]\\s*`, String.raw`[^"'\\\r\n{[\s][^"'\\\r\n]*`);
const bySetting = pattern(`(?:${settingNames})\\s*[:=]\\s*`, word);

function pattern(name: string, bare: string): RegExp {
  return new RegExp(`(?<name>${name})(?:${enclosed}|${bare})`, "gi");
}

/** Works on the finished log line, so no secret leaves the process, however it came into the line. */
export function redactor(secrets: string[] = []): (line: string) => string {
  const known = secrets.filter(secret => secret.length >= 8);
  return line => {
    const withoutKnown = known.reduce((text, secret) => text.replaceAll(secret, "[redacted]"), line);
    return [byQuotedName, byHeader, bySetting]
      .reduce((text, named) => text.replace(named, hidden), withoutKnown.replace(inUrl, "$1[redacted]@"))
      .replace(byScheme, "$1 [redacted]")
      .replace(byForm, "$1[redacted]");
  };
}

/** In the name's own quotes, so that JSON stays JSON. */
function hidden(...match: unknown[]): string {
  const { name, nameQuote = "" } = match.at(-1) as { name: string; nameQuote?: string };
  return `${name}${nameQuote}[redacted]${nameQuote}`;
}
