/** The identity of the mark that a source is followed. */
export function followId(kind: string, externalId: string): string {
  return `${kind} ${externalId}`;
}
