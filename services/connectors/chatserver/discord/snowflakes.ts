/** The first second of 2015, in Unix milliseconds (Discord, "Snowflakes"). */
const epochMs = 1_420_070_400_000;

/** Before every message. */
export const beginning = "0";

/** Which id is older; they order by time, as numbers. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

export function newestOf(ids: string[]): string {
  return ids.reduce((newest, id) => (compareIds(id, newest) > 0 ? id : newest), beginning);
}

/** The least id of a moment in Unix milliseconds. */
export function idAt(ms: number): string {
  return String(BigInt(Math.max(0, ms - epochMs)) << 22n);
}
