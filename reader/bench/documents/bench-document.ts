/** A document, and what a person would look for in its Markdown. */
export interface BenchDocument {
  name: string;
  extension: string;
  make(): Promise<Uint8Array>;
  /** Each counts as one fact; a text may be broken over lines. */
  facts: (string | RegExp)[];
  /** What does not belong into it; each counts as a fact, too, where the document has text. */
  absent?: RegExp[];
}
