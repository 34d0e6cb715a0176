import { fail } from "../../services/contracts/errors.ts";

/** Of the driver: no server, no connection, no answer. Names, since the driver's classes may be there twice. */
const unreached = new Set([
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoPoolClearedError",
  "PoolClearedOnNetworkError",
  "MongoServerSelectionError",
  "MongoWaitQueueTimeoutError",
  "MongoOperationTimeoutError",
  "MongoStalePrimaryError",
  "MongoNotConnectedError",
  "MongoTopologyClosedError",
  "MongoClientClosedError",
  "MongoServerClosedError",
]);

/** Of a server that is on its way out, is not the primary, or cannot get its writes to others in time. */
const unable = new Set<unknown>([
  6, 7, 50, 64, 89, 91, 100, 189, 262, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** Of a socket that the server has just closed; mongodb 7.9 passes these on as they are. */
const unsent = new Set<unknown>([
  "EPIPE",
  "ECONNRESET",
  "ERR_SOCKET_CLOSED",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
]);

/** What an operation answers; where the server could not be reached it rejects with the code `overloaded`. */
export async function reaching<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation;
  } catch (error) {
    throw isOutOfReach(error)
      ? fail("overloaded", "The service cannot take this request right now. Try again shortly.", {}, error)
      : error;
  }
}

function isOutOfReach(error: unknown): boolean {
  const { name, code, errorResponse } = Object(error) as {
    name?: string;
    code?: unknown;
    errorResponse?: unknown;
  };
  if (unreached.has(name ?? "") || unable.has(code) || unsent.has(code)) return true;
  // What kept a bulk from its server stands in an error of the bulk's own.
  return errorResponse instanceof Error && isOutOfReach(errorResponse);
}
