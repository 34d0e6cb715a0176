// As JSON escapes them. A literal backslash in the text also matches; then nothing is removed.
const suspicious = /\\(?:u00[01]|u[dD]|[bfr])|[\u007f-\u009f\ufffe\uffff]/;
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

/**
 * A value as JSON whose texts contain no control characters except tab and newline, no unpaired surrogates and no U+FFFE or
 * U+FFFF: databases refuse some of them even escaped (PostgreSQL's `jsonb`), and XML all of them. Lines end with a newline
 * only.
 */
export function printableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return suspicious.test(json) ? JSON.stringify(printable(value)) : json;
}

function printable(value: unknown): unknown {
  if (typeof value === "string") return printableText(value);
  if (Array.isArray(value)) return value.map(printable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [printableText(name), printable(each)]),
  );
}

function printableText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(unprintable, "").toWellFormed();
}
