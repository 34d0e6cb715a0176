import Negotiator from "negotiator";
import { invalid } from "../../contracts/errors.ts";
import type { AllowList } from "../../domain/url/address-policy.ts";
import type { Request } from "./request.ts";

/** Whether the client is a browser rather than a program: it asks for HTML, and not for JSON before it (RFC 9110, 12.5.1). */
export function prefersHtml({ headers }: Pick<Request, "headers">): boolean {
  return new Negotiator({ headers }).mediaType(["application/json", "text/html"]) === "text/html";
}

/** Whether the client names server-sent events among what it takes, as browsers do for them. */
export function asksForEvents({ headers }: Pick<Request, "headers">): boolean {
  return new Negotiator({ headers }).mediaTypes().includes("text/event-stream");
}

export interface Reachable {
  /** The address that the operator gave the gateway. */
  publicUrl: string | undefined;
  trustedProxies: Pick<AllowList, "hasAddress">;
}

/**
 * The origin under which the client reaches the gateway: `PUBLIC_URL`, else the Host of the request, with https where a
 * trusted proxy says so. Throws 400 for a Host that is none, since it would become part of links.
 */
export function originOf(
  { publicUrl, trustedProxies }: Reachable,
  { headers, socket }: Pick<Request, "headers" | "socket">,
): string {
  if (publicUrl !== undefined) return publicUrl;
  const isBehindProxy = trustedProxies.hasAddress((socket.remoteAddress ?? "").replace(/^::ffff:/, ""));
  const scheme = isBehindProxy && headers["x-forwarded-proto"] === "https" ? "https" : "http";
  const { host = "" } = headers;
  const url = /^[\w.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i.test(host)
    ? URL.parse(`${scheme}://${host}`)
    : null;
  if (!url) throw invalid("host", "malformed", "The Host header is not the name or address of a host.");
  return url.origin;
}
