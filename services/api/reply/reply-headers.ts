import type { Response } from "../gateway.ts";
import type { Route } from "../route.ts";

/** On every answer, errors included. The strict policy for content suits everything but the pages of /docs. */
export function baseHeaders(res: Response, requestId: string): void {
  res.setHeader("x-request-id", requestId);
  res.setHeader("x-content-type-options", "nosniff");
  res.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
  res.setHeader("cache-control", "no-store");
}

/** Pages of other origins read only what is public: an API key does not belong into a browser. */
export function routeHeaders(res: Response, route: Route): void {
  if (route.anyOrigin) res.setHeader("access-control-allow-origin", "*");
}
