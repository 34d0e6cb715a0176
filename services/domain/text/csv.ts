export type CsvValue = string | number | boolean | null;

/** A line of CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

function cell(value: CsvValue): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = value ?? "";
  const safe = /^[\s\0]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
