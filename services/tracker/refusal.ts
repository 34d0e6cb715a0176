import { codeOf, errorStatus } from "../contracts/errors.ts";

/** The sentence of an error that no waiting mends, such as an unknown account or invite; null for any other. */
export function refusal(error: unknown): string | null {
  const code = codeOf(error);
  if (code === undefined) return null;
  const status = errorStatus[code];
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isFinal ? (error as Error).message : null;
}
