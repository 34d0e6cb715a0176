import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

const acceptable = /^[A-Za-z0-9._-]{1,64}$/;

/** The client's own request id when it is safe to log and to send back, else a new one. */
export function requestId(headers: IncomingHttpHeaders): string {
  const own = headers["x-request-id"];
  return typeof own === "string" && acceptable.test(own) ? own : randomUUID();
}
