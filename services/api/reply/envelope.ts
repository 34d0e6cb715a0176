import type { PublicError } from "./public-error.ts";

/** The one body of every error: it holds both forms that the interface shows, `{status, error}` and `{code, message}`. */
export function envelope(
  { code, sentence, extras }: PublicError,
  requestId: string,
): Record<string, unknown> {
  const { allow: _allow, ...shown } = extras;
  return { status: "error", code, error: sentence, message: sentence, request_id: requestId, ...shown };
}
