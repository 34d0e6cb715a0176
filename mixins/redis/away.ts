import { fail } from "../../services/contracts/errors.ts";
import { forgetCommand } from "./forget-command.ts";

/** ioredis names its own troubles by sentences only. */
const sentences =
  /^(Connection is closed|Command timed out|Reached the max retries|Stream isn't writeable|Command aborted due to connection close|Socket timeout|connect ETIMEDOUT)/;
const codes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
/** How a server answers that has just started, has just been replaced by another, or is held up by a script. */
const answers = /^(LOADING|READONLY|MASTERDOWN|BUSY) /;
/** How one answers that has no room, in memory or on disk, or too few replicas. Redis 6.2 puts words before it in a script. */
const refusals = /^(OOM|MISCONF|NOREPLICAS) |-OOM /;

/** What Redis answers; rejects with `overloaded` when it cannot be reached, and otherwise as it would without this. */
export async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    forgetCommand(error);
    throw isAway(error) ? overloaded(error) : error;
  }
}

/** Whether Redis takes no writes, until an operator looks after it. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && refusals.test(error.message);
}

function isAway(error: unknown): boolean {
  const { message = "", code = "" } = error as { message?: string; code?: unknown };
  return sentences.test(message) || codes.test(String(code)) || answers.test(message) || isFull(error);
}

function overloaded(cause: unknown): Error {
  const sentence = "The service cannot take this request right now. Try again shortly.";
  return fail("overloaded", sentence, {}, cause);
}
