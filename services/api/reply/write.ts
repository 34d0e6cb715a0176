import type { Request, Response } from "../gateway.ts";

const jsonType = "application/json; charset=utf-8";

/** Sends a whole body: a string or bytes as they are, anything else as JSON, nothing for null. */
export function write(req: Request, res: Response, status: number, body: unknown, type?: string): void {
  if (res.destroyed) return;
  res.statusCode = status;
  if (body === null || body === undefined || status === 204) {
    if (status !== 204) res.setHeader("content-length", 0);
    res.end();
    return;
  }
  const isRaw = type !== undefined && (typeof body === "string" || Buffer.isBuffer(body));
  const payload = isRaw ? body : JSON.stringify(body);
  res.setHeader("content-type", type ?? jsonType);
  res.setHeader("content-length", Buffer.byteLength(payload));
  res.end(req.method === "HEAD" ? undefined : payload);
}
