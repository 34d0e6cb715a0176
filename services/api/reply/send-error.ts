import type { Gateway, Request, Response } from "../gateway.ts";
import { envelope } from "./envelope.ts";
import { publicError } from "./public-error.ts";
import { write } from "./write.ts";

/** Answers with the error's envelope; the cause of what is our fault goes to the log. */
export function sendError(gateway: Gateway, req: Request, res: Response, error: unknown): void {
  const shown = publicError(error, req.match?.route, req.query);
  if (shown.status >= 500) report(gateway, req, shown.status, error);
  if (res.headersSent) {
    // Half an answer must not look like a whole one.
    res.destroy();
    return;
  }
  const { retry_after, allow } = shown.extras;
  if (retry_after !== undefined) res.setHeader("retry-after", retry_after);
  if (allow) res.setHeader("allow", allow.join(", "));
  if (shown.status === 401) res.setHeader("www-authenticate", 'ApiKey realm="magpie"');
  write(req, res, shown.status, envelope(shown, req.requestId));
}

function report(gateway: Gateway, req: Request, status: number, error: unknown): void {
  const route = req.match?.route.path;
  const fields = { requestId: req.requestId, method: req.method, route, status, error };
  if (status === 500) gateway.logger.error("request.failed", fields);
  else gateway.logger.warn("request.refused", fields);
}
