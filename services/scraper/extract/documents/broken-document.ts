import { codeOf, fail } from "../../../contracts/errors.ts";

/**
 * Runs what reads a document. Libraries notice late that a document is broken, and say so by errors of any kind: each of
 * them is an `upstream_error`, with the error as its cause. Errors with a code, and the signal's reason, stay as they are.
 */
export async function orBroken<Result>(
  read: () => Result | Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (codeOf(error) !== undefined || signal?.aborted) throw error;
    throw fail("upstream_error", "The document is broken or locked.", {}, error);
  }
}
