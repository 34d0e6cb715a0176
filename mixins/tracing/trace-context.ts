import { createHash, randomBytes } from "node:crypto";

/** The position of a caller in its trace, as the header `traceparent` has it (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** The caller's span: 16 hexadecimal digits. */
  spanId: string;
  isSampled: boolean;
}

const zeros = /^0+$/;

/** Undefined for a header that is missing or not of this form: the trace then begins here. */
export function parseTraceparent(header: unknown): TraceContext | undefined {
  if (typeof header !== "string") return undefined;
  const [, version = "ff", traceId = "", spanId = "", flags = "", more] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(header) ?? [];
  // A later version may append fields; version ff is forbidden, and so are ids of zeros.
  if (version === "ff" || (version === "00" && more) || zeros.test(traceId) || zeros.test(spanId))
    return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** A trace that begins here. */
export function newTrace(): TraceContext {
  return {
    traceId: randomBytes(16).toString("hex"),
    spanId: randomBytes(8).toString("hex"),
    isSampled: true,
  };
}

/** The id of a trace that is known by a request id: the same on every node. */
export function traceIdOf(requestId: string): string {
  return hexOf(requestId, 32);
}

/** The id of a span that Moleculer numbers by a UUID. */
export function spanIdOf(id: string): string {
  return hexOf(id, 16);
}

function hexOf(id: string, digits: number): string {
  const hex = id.replaceAll("-", "").toLowerCase();
  const isHex = hex.length === 32 && /^[\da-f]+$/.test(hex) && !zeros.test(hex);
  return (isHex ? hex : createHash("sha256").update(id).digest("hex")).slice(0, digits);
}
