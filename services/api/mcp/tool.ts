/** What a client may assume of a tool, as in the specification of the protocol (`ToolAnnotations`). */
interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  /** Whether it reaches beyond this service. */
  openWorldHint: boolean;
}

/** An answer in words. */
export interface ToolText {
  /** What this service itself says: no text of pages, feeds or messages. */
  facts: string;
  /** What comes from outside. Readers see it fenced, a part at a time. */
  content?: string;
  /** Arguments that read the rest, in place of those of this call. By default the same arguments. */
  rest?: Record<string, string>;
  /** `next_cursor` of the answer. */
  next?: string | null;
}

/**
 * How a row of the route table is offered to language models (Model Context Protocol). Rows that share a name are one tool:
 * a call runs the row whose path the arguments fill.
 */
export interface Tool {
  name: string;
  title: string;
  /** One or two sentences for a model that chooses among tools. */
  description: string;
  hints: ToolHints;
  /**
   * The fields that models are shown, with a dot for a field of an object; by default all. The row takes the others, too:
   * each one shown costs every conversation some tokens.
   */
  shows?: readonly string[];
  /** The answer of the row in words. */
  text(answer: never): ToolText;
}

/** Reads here or elsewhere, and changes nothing. */
export const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;
/** Adds something that a second call adds again. */
export const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false } as const;
