/** Key values and webhook secrets by their form. */
const byForm = /\b(mk_|whsec_)[A-Za-z0-9+/=_-]{8,}/g;

/** What headers and settings call secrets, as `name: "value"`, `name=value` or `"name":"value"`. */
const byName =
  /((?:x-api-key|x-admin-key|authorization|proxy-authorization|cookie|set-cookie|password|secret|adminKey|masterSecret|bootstrapApiKey|apiKey)["']?\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,;}"']+)/gi;

/** Credentials in front of the host of a URL. */
const inUrl = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi;

/** Runs over the finished log line: whatever reached it, and on whichever way, a secret does not leave the process. */
export function redactor(secrets: string[] = []): (line: string) => string {
  const known = secrets.filter(secret => secret.length >= 8);
  return line => {
    const withoutKnown = known.reduce((text, secret) => text.replaceAll(secret, "[redacted]"), line);
    return withoutKnown
      .replace(byForm, "$1[redacted]")
      .replace(byName, '$1"[redacted]"')
      .replace(inUrl, "$1[redacted]@");
  };
}
