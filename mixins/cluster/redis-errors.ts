import { fail } from "../../services/contracts/errors.ts";

/** ioredis names its own errors by messages only, node-redis by messages or classes. */
const clientMessages =
  /^(Connection is closed|Command timed out|Reached the max retries|Stream isn't writeable|Command aborted due to connection close|Socket timeout|connect ETIMEDOUT|Connection timeout|Disconnects client|Socket closed unexpectedly|The client is (closed|offline)|The command was aborted)/;
const clientClasses = /^(NoAnswer|TimeoutError)$/;
const socketCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
/** Replies of a server that has just started, has just been replaced, or is busy with a script. */
const serverUnable = /^(LOADING|READONLY|MASTERDOWN|BUSY) /;
/** Replies of a server without space in memory or on disk, or with too few replicas. Redis 6.2 prefixes them in a script. */
const outOfSpace = /^(OOM|MISCONF|NOREPLICAS) |-OOM /;

/** The reply of either client. Rejects with `overloaded` where Redis cannot be reached or takes no commands, else as it is. */
export async function mapRedisErrors<Reply>(reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply;
  } catch (error) {
    dropCommand(error);
    throw isUnavailable(error) ? overloaded(error) : error;
  }
}

/** Whether Redis takes no writes until an operator gives it space. */
export function isOutOfSpace(error: unknown): boolean {
  return error instanceof Error && outOfSpace.test(error.message);
}

/** Whether the server cannot be reached, or takes no commands now. */
export function isUnavailable(error: unknown): boolean {
  const { message = "", code = "", syscall } = Object(error) as Partial<NodeJS.ErrnoException>;
  return (
    clientMessages.test(message) ||
    clientClasses.test(Object(error).constructor.name) ||
    syscall !== undefined ||
    socketCodes.test(code) ||
    serverUnable.test(message) ||
    isOutOfSpace(error)
  );
}

/** A reply that takes too long, on a connection that is there. */
export class NoAnswer extends Error {
  constructor() {
    super("Redis does not answer in time");
  }
}

function overloaded(cause: unknown): Error {
  const message = "The service cannot take this request right now. Try again shortly.";
  return fail("overloaded", message, {}, cause);
}

const repeatAfterMs = 10_000;

/** Passes the same error on only once in a while: every connection notices a dead Redis again and again. */
export function throttleErrors(onError: (error: unknown) => void): (error: unknown) => void {
  let last = "";
  let passedAt = 0;
  return error => {
    dropCommand(error);
    const isNews = String(error) !== last || performance.now() - passedAt > repeatAfterMs;
    if (!isNews) return;
    last = String(error);
    passedAt = performance.now();
    onError(error);
  };
}

/** ioredis puts the failed command on the error; its arguments hold what users sent, which no log may show. */
function dropCommand(error: unknown): void {
  if (error instanceof Error) Reflect.deleteProperty(error, "command");
}
