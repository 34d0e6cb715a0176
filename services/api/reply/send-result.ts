import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CallMeta } from "../../contracts/action.ts";
import type { Request, Response } from "../gateway.ts";
import type { Route } from "../route.ts";
import { write } from "./write.ts";

/** Sends what an action gave. Only a status and headers that the route documents are taken from it: nested calls leak theirs. */
export async function sendResult(
  req: Request,
  res: Response,
  route: Route,
  result: unknown,
  { $statusCode, $responseHeaders = {} }: CallMeta = {},
): Promise<void> {
  const status = $statusCode && $statusCode in route.responses ? $statusCode : route.status;
  for (const name of Object.keys(route.responses[status]?.headers ?? {}))
    if (Object.hasOwn($responseHeaders, name)) res.setHeader(name, $responseHeaders[name] ?? "");
  const type = route.responses[status]?.type;
  if (!(result instanceof Readable)) return write(req, res, status, result, type);
  if (req.method === "HEAD" || res.destroyed) result.destroy();
  res.writeHead(status, { "content-type": type ?? "application/octet-stream" });
  if (req.method === "HEAD") res.end();
  else await pipeline(result, res).catch(unlessLeft);
}

/** A client that leaves in the middle is no fault of ours. */
function unlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
}
