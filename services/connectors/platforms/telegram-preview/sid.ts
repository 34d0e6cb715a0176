/** What a `sid` means: a public channel by its user name, or a private one, which only members can read. */
export type PreviewSid = { username: string } | { isPrivate: true };

/** User names begin with a letter and ignore case. */
const name = /^[a-z][a-z0-9_]{3,31}$/i;
const host = /^(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)$/i;

/**
 * Parses `name`, `@name`, `t.me/name`, `https://t.me/s/name` or a message's URL. Invites (`t.me/+…`, `t.me/joinchat/…`)
 * and links into private channels (`t.me/c/…`) are private. Null for anything else. Nothing is fetched.
 */
export function parseSid(sid: string): PreviewSid | null {
  const text = sid.trim();
  if (!text.includes("/") && !text.startsWith("+")) return asName(text.replace(/^@/, ""));
  if (/^\+[\w-]+$/.test(text)) return { isPrivate: true };
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !host.test(url.hostname)) return null;
  const segments = url.pathname.split("/").filter(segment => segment !== "");
  const [first = "", second = ""] = segments;
  if (/^\+./.test(first) || (["joinchat", "c"].includes(first) && second !== "")) return { isPrivate: true };
  return asName(first === "s" ? second : first);
}

function asName(text: string): PreviewSid | null {
  return name.test(text) && text !== "joinchat" ? { username: text.toLowerCase() } : null;
}
