/** Key values and webhook secrets by their form. */
const byForm = /\b(mk_|whsec_)[A-Za-z0-9+/=_-]{8,}/g;

/** What follows a scheme of `Authorization`. */
const byScheme = /\b(bearer|basic)\s+[A-Za-z0-9+/=._~-]{4,}/gi;

/** Credentials in front of the host of a URL. */
const inUrl = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"']+@/gi;

const headers = "authorization|cookies?|set-cookie";
const settings =
  "x-api-key|x-admin-key|password|secret|adminKey|masterSecret|bootstrapApiKey|apiKey|bootstrap_api_key|api_key|admin_key";

// A list; a JSON string; a string whose quotes are escaped or single. Bounded, so that a hostile line costs no time.
const enclosed = String.raw`\[[^\]]{0,8192}\]|"(?:[^"\\]|\\.)*"|(?<quote>\\+"|'|\\+').{0,8192}?(?<!\\)\k<quote>`;
const word = String.raw`[^\s,;{}[\]"'\\]+`;

/** `"name": value`, as JSON has it, at whatever depth of JSON inside JSON, and as objects are shown. */
const byQuotedName = pattern(`(?:${headers}|${settings})(?<nameQuote>\\\\*["'])\\s*:\\s*`, word);
/** `name: value` and `name=value`. The value of such a header may hold blanks. */
const byHeader = pattern(`(?:${headers})\\s*[:=]\\s*`, String.raw`[^"'\\\r\n{[\s][^"'\\\r\n]*`);
const bySetting = pattern(`(?:${settings})\\s*[:=]\\s*`, word);

function pattern(name: string, bare: string): RegExp {
  return new RegExp(`(?<name>${name})(?:${enclosed}|${bare})`, "gi");
}

/** Runs over the finished log line: whatever reached it, and on whichever way, a secret does not leave the process. */
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
