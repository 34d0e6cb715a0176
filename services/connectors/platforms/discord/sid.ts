/** What a `sid` means on Discord. */
type ChatSid = { invite: string } | { guildId: string } | { channelId: string };

/** Ids are snowflakes: at least 17 digits since the first day of Discord, and 64 bits at most. */
export const snowflake = /^\d{17,20}$/;
const inviteCode = /^[a-z0-9-]{2,64}$/i;
const mainHost = /^(?:www\.|ptb\.|canary\.)?discord(?:app)?\.com$/i;
const inviteHost = /^(?:www\.)?discord\.gg$/i;

export const channelPrefix = "channel:";

/**
 * Parses an invite's code or URL (`discord.gg/code`, `https://discord.com/invite/code`), a server's id or URL
 * (`https://discord.com/channels/id`), or `channel:` and a channel's id. Null for anything else. Nothing is fetched.
 */
export function parseSid(sid: string): ChatSid | null {
  const text = sid.trim();
  if (text.startsWith(channelPrefix)) return asChannel(text.slice(channelPrefix.length));
  if (snowflake.test(text)) return { guildId: text };
  return inviteCode.test(text) ? { invite: text } : readUrl(text);
}

function readUrl(text: string): ChatSid | null {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (!url) return null;
  const segments = url.pathname.split("/").filter(segment => segment !== "");
  if (inviteHost.test(url.hostname)) return asInvite(segments[0] === "invite" ? segments.slice(1) : segments);
  if (!mainHost.test(url.hostname)) return null;
  if (segments[0] === "invite") return asInvite(segments.slice(1));
  const [first, guildId = ""] = segments;
  return first === "channels" && snowflake.test(guildId) ? { guildId } : null;
}

function asInvite([code = "", ...rest]: string[]): ChatSid | null {
  return rest.length === 0 && inviteCode.test(code) ? { invite: code } : null;
}

function asChannel(id: string): ChatSid | null {
  return snowflake.test(id) ? { channelId: id } : null;
}

/** The first second of 2015, in Unix milliseconds (Discord, "Snowflakes"). */
const epochMs = 1_420_070_400_000;

/** Before every message. */
export const beginning = "0";

/** Compares ids, which order by time, as numbers. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

export function newestOf(ids: string[]): string {
  return ids.reduce((newest, id) => (compareIds(id, newest) > 0 ? id : newest), beginning);
}

/** The smallest id of a moment in Unix milliseconds. */
export function idAt(ms: number): string {
  return String(BigInt(Math.max(0, ms - epochMs)) << 22n);
}
