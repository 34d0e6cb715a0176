import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "moleculer";
import type { CallMeta } from "../../contracts/caller.ts";
import { invalid } from "../../contracts/errors.ts";
import type { Admission } from "../http/admission.ts";
import type { RouteMatch } from "../http/router.ts";
import type { Untaken } from "../http/untaken.ts";
import type { Upload, Uploads } from "./uploads.ts";

/** An HTTP request with what the gateway knows about it. moleculer-web adds `$ctx`. */
export interface Request extends IncomingMessage {
  $ctx?: Context<unknown, CallMeta>;
  query?: URLSearchParams;
  /** The target as it was sent; moleculer-web keeps it here. */
  originalUrl?: string;
  /** Set once the route is known. */
  match?: RouteMatch;
  /** Set once the request is authenticated. */
  admission?: Admission;
  /** Set once they are read. */
  params?: Record<string, unknown>;
  /** Whether the audit log was asked to keep it: an error behind that is none of the act. */
  isRecorded?: boolean;
  requestId: string;
  /** Where the bytes of its answer are counted while nobody takes them. */
  untaken?: Untaken;
  /** Where the bytes of files that clients send are counted. */
  uploads?: Uploads;
  /** The file that came with it, and what is called when the request has ended. */
  upload?: Upload | undefined;
  endUpload?: (() => void) | undefined;
  /** Header lines for the answer to an upgrade, `name: value`. */
  upgradeHeaders?: string[];
  /** Milliseconds of `performance.now()`. */
  startedAt: number;
}

export type Response = ServerResponse<Request>;

const acceptableId = /^[A-Za-z0-9._-]{1,64}$/;

/** The client's request id when it is safe to log and to send back, otherwise a new one. */
export function requestId(headers: IncomingHttpHeaders): string {
  const own = headers["x-request-id"];
  return typeof own === "string" && acceptableId.test(own) ? own : randomUUID();
}

/** 1 to 255 visible ASCII characters. Node joins a repeated header with a blank, which this refuses. */
const acceptableKey = /^[!-~]{1,255}$/;

/** The request's `Idempotency-Key`; undefined without one. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && acceptableKey.test(key)) return key;
  throw invalid(
    "idempotency-key",
    "malformed",
    "The header Idempotency-Key takes 1 to 255 visible ASCII characters, without blanks.",
  );
}
