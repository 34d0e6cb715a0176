/**
 * A document that cannot be read. `unsupported`: its type, which `contentType` names, holds no text that is read here.
 * `broken`: it is damaged, locked, or too large.
 */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly code: "unsupported" | "broken";
  readonly contentType: string | undefined;

  constructor(
    code: DocumentError["code"],
    message: string,
    more: { contentType?: string; cause?: unknown } = {},
  ) {
    super(message, "cause" in more ? { cause: more.cause } : undefined);
    this.code = code;
    this.contentType = more.contentType;
  }
}

/**
 * Runs what reads a document. Libraries notice late that a document is broken, and say so by errors of any kind: each of
 * them becomes a `DocumentError`, with the error as its cause. After the signal, its reason is thrown in their place.
 */
export async function orBroken<Result>(
  read: () => Result | Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    signal?.throwIfAborted();
    throw new DocumentError("broken", "The document is broken or locked.", { cause });
  }
}
