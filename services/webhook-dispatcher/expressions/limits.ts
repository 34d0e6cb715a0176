/** What one evaluation of an expression may take. */
export const limits = {
  /** Milliseconds of the processor. */
  cpuMs: 250,
  /** Milliseconds on the clock, for one turn of several events: then its process is killed. */
  wallMs: 2_000,
  /** Nested evaluations. */
  depth: 500,
  /** Entries of an array that it makes. */
  entries: 100_000,
  /** Characters of a text that it makes. */
  text: 1_000_000,
  /** Bytes of a result. */
  bytes: 256 * 1024,
} as const;
