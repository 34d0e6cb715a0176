import { codeOf, type ErrorCode, type ErrorExtras, fail } from "../../services/contracts/errors.ts";

/** What comes back from a thread: errors lose their fields on the way, so they travel as data. */
export type Answer<T> =
  | { ok: true; value: T }
  | { ok: false; code: ErrorCode; message: string; extras: ErrorExtras };

/** The thread's side: turns expected errors into answers; others end the task as they are. */
export async function answerOf<T>(work: () => T | Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const { message, data } = error as Error & { data?: ErrorExtras };
    return { ok: false, code, message, extras: data ?? {} };
  }
}

/** The caller's side: the value, or the error thrown again. */
export function unwrap<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  throw fail(answer.code, answer.message, answer.extras);
}
