import type { tl } from "@mtcute/core";
import { invalid } from "../../../contracts/errors.ts";

/** What a `sid` names: a public channel or group by its user name, one by its number, or an invite by its hash. */
export type Sid = { username: string } | { id: number } | { invite: string };

const hosts = /^(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)\//i;
const maxBareId = 999_999_999_999;

/** Parses `@name`, `name`, a number, `+hash` and links to any of them. Never fetches a link. */
export function parseSid(sid: string, field = "sid"): Sid {
  const text = sid.trim();
  const found = hosts.test(text) ? fromPath(text.replace(hosts, "")) : (fromScheme(text) ?? fromName(text));
  if (found) return found;
  throw invalid(
    field,
    "malformed",
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

/** A number with -100 before it, or bare, is a channel's; with only a minus, a group's. */
function fromNumber(text: string): Sid | undefined {
  const [, mark = "", digits = ""] = /^(-100|-|)(\d+)$/.exec(text) ?? [];
  const bareId = Number(digits);
  if (!(bareId >= 1 && bareId <= maxBareId)) return undefined;
  return { id: mark === "-" ? -bareId : channelId(bareId) };
}

function username(text: string): Sid | undefined {
  return /^[A-Za-z][A-Za-z0-9_]{3,31}$/.test(text) ? { username: text.toLowerCase() } : undefined;
}

/** Digits only would be a telephone number. */
function invite(hash: string): Sid | undefined {
  return /^[\w-]{8,64}$/.test(hash) && !/^\d+$/.test(hash) ? { invite: hash } : undefined;
}

const channelMark = 1_000_000_000_000;

/**
 * The number of a user, group or channel: users as they are, groups negated, channels with -100 before them
 * (core.telegram.org/api/bots/ids).
 */
export function peerId(peer: tl.TypePeer): number {
  switch (peer._) {
    case "peerUser":
      return peer.userId;
    case "peerChat":
      return -peer.chatId;
    case "peerChannel":
      return channelId(peer.channelId);
  }
}

/** The number of a channel, from its bare id. */
export function channelId(bareId: number): number {
  return -channelMark - bareId;
}

/** The number of a chat as the network describes it. */
export function chatId(chat: tl.TypeChat): number {
  return chat._ === "channel" || chat._ === "channelForbidden" ? channelId(chat.id) : -chat.id;
}

/** The bare id of a channel; undefined for anything else. */
export function bareChannelId(id: number): number | undefined {
  return id < -channelMark ? -channelMark - id : undefined;
}
