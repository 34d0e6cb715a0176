import { invalid } from "../../../contracts/errors.ts";
import { channelId } from "./peer-id.ts";

/** What a `sid` names: a public channel or group by its user name, one by its number, or an invite by its hash. */
export type Sid = { username: string } | { id: number } | { invite: string };

const hosts = /^(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)\//i;
const maxBareId = 999_999_999_999;

/** Reads `@name`, `name`, a number, `+hash` and links to any of them. Links are never fetched. */
export function readSid(sid: string, field = "sid"): Sid {
  const text = sid.trim();
  const found = hosts.test(text) ? fromPath(text.replace(hosts, "")) : (fromScheme(text) ?? fromName(text));
  if (found) return found;
  throw invalid(
    field,
    "invalid_sid",
    "Give a channel's user name such as @name, its number, or a link such as https://t.me/name or https://t.me/+invite.",
  );
}

function fromPath(rest: string): Sid | undefined {
  const [path = ""] = rest.split(/[?#]/);
  const [first = "", second = ""] = path.replace(/\/+$/, "").split("/");
  if (first === "joinchat") return invite(second);
  if (first === "c") return /^\d+$/.test(second) ? fromNumber(second) : undefined;
  // The page that shows a channel without an account.
  if (first === "s") return username(second);
  return first.startsWith("+") ? invite(first.slice(1)) : username(first);
}

function fromScheme(text: string): Sid | undefined {
  const [, kind, query] = /^tg:(?:\/\/)?(resolve|join)\?(.*)$/i.exec(text) ?? [];
  if (kind === undefined) return undefined;
  const params = new URLSearchParams(query);
  return kind.toLowerCase() === "join"
    ? invite(params.get("invite") ?? "")
    : username(params.get("domain") ?? "");
}

function fromName(text: string): Sid | undefined {
  if (/^(-100|-)?\d+$/.test(text)) return fromNumber(text);
  if (text.startsWith("+")) return invite(text.slice(1));
  return username(text.replace(/^@/, ""));
}

/** With -100 before it or bare it is a channel's, with a minus alone a group's. */
function fromNumber(text: string): Sid | undefined {
  const [, mark = "", digits = ""] = /^(-100|-|)(\d+)$/.exec(text) ?? [];
  const bareId = Number(digits);
  if (!(bareId >= 1 && bareId <= maxBareId)) return undefined;
  return { id: mark === "-" ? -bareId : channelId(bareId) };
}

function username(text: string): Sid | undefined {
  return /^[A-Za-z][A-Za-z0-9_]{3,31}$/.test(text) ? { username: text.toLowerCase() } : undefined;
}

/** Digits alone are a telephone number. */
function invite(hash: string): Sid | undefined {
  return /^[\w-]{8,64}$/.test(hash) && !/^\d+$/.test(hash) ? { invite: hash } : undefined;
}
