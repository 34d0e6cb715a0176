/** Milliseconds of the machine's steady clock, the same in all its processes. */
export function streamClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The time, as part of a message's text. */
export function stampedNow(): string {
  return `sent=${streamClock().toFixed(3)};`;
}

/** When a message was sent; undefined for one without a stamp. */
export function sentAt(text: string): number | undefined {
  const at = text.indexOf("sent=");
  return at < 0 ? undefined : Number(text.slice(at + "sent=".length, text.indexOf(";", at)));
}
