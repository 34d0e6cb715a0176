import { fail } from "../../contracts/errors.ts";

/** The network refuses the credentials: operations are unavailable, and to listen is given up, since no waiting mends it. */
export function refusal(sentence: string, cause?: unknown): Error {
  return Object.assign(fail("connector_unavailable", sentence, {}, cause), { isRefusal: true });
}

export function isRefusal(error: unknown): boolean {
  return (error as { isRefusal?: unknown } | null)?.isRefusal === true;
}
