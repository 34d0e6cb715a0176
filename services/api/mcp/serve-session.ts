import { setTimeout as sleep } from "node:timers/promises";
import { fail, invalid } from "../../contracts/errors.ts";
import type { Gateway } from "../context.ts";
import { requireScope } from "../http/standing.ts";
import type { Request, Response } from "../request/request.ts";
import { beginSse } from "../streams/sse.ts";
import { aheadOfLog, mostTargets, resourceScopes, type Target } from "./resource-uris.ts";
import type { Wire } from "./sessions.ts";
import { paramsOf } from "./watch-resources.ts";

/*
 * Sessions of the revisions of 2025: `initialize` begins one, GET is its stream of notifications, DELETE ends it.
 */

const header = "mcp-session-id";
/** A comment this often keeps a stream open where a proxy would end a silent one. */
const beatMs = 15_000;

/** Begins a session with the answer to `initialize`. */
export function beginSession(gateway: Gateway, req: Request, res: Response): void {
  res.setHeader(header, gateway.mcpSessions.begin(keyOf(req)));
}

/** Serves GET and DELETE. */
export async function serveSession(gateway: Gateway, req: Request, res: Response): Promise<void> {
  const id = req.headers[header];
  if (typeof id !== "string")
    throw fail("method_not_allowed", "Only a session has a stream: `initialize` begins one.", {
      allow: ["POST"],
    });
  const keyId = keyOf(req);
  await requireSession(gateway, keyId, id);
  if (req.method === "DELETE") {
    gateway.mcpSessions.finish(keyId, id);
    res.writeHead(204).end();
    return;
  }
  requireScope(req.admission?.caller, resourceScopes);
  if (beginSse(req, res)) await stream(gateway, res, keyId, id);
}

async function stream({ mcpSessions }: Gateway, res: Response, keyId: string, id: string): Promise<void> {
  const beat = setInterval(() => res.writableNeedDrain || res.write(": still here\n\n"), beatMs);
  const wire: Wire = {
    tell: update => {
      const message = {
        jsonrpc: "2.0",
        method: "notifications/resources/updated",
        params: paramsOf(update),
      };
      res.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    },
    end: () => res.end(),
  };
  res.once("close", () => {
    clearInterval(beat);
    mcpSessions.left(keyId, id, wire);
  });
  // What a client waits for before it takes the stream as open.
  res.write(": here\n\n");
  if (!(await mcpSessions.open(keyId, id, wire))) res.end();
}

/** Subscribes to a resource, and answers with the position after which its changes are told. Throws where the session is unknown, or has as many as it may. */
export async function subscribeInSession(gateway: Gateway, req: Request, target: Target): Promise<number> {
  const { mcpSessions } = gateway;
  const [keyId, id] = [keyOf(req), idOf(req)];
  requireScope(req.admission?.caller, resourceScopes);
  await requireSession(gateway, keyId, id);
  if (mcpSessions.targets(keyId, id) >= mostTargets)
    throw invalid("uri", "too_many", `Subscribe to at most ${mostTargets} resources.`);
  const seq = await mcpSessions.subscribe(keyId, id, target);
  if (seq === undefined) throw aheadOfLog("uri");
  return seq;
}

export function unsubscribeInSession({ mcpSessions }: Gateway, req: Request, { uri }: Target): void {
  mcpSessions.unsubscribe(keyOf(req), idOf(req), uri);
}

/** Another gateway may have begun it just now. */
const hearingMs = 500;

/** A session that this gateway does not know: the client begins another, as the protocol says of a 404. */
async function requireSession({ mcpSessions }: Gateway, keyId: string, id: string): Promise<void> {
  if (!mcpSessions.has(keyId, id)) await sleep(hearingMs);
  if (!mcpSessions.has(keyId, id))
    throw fail("not_found", "There is no such session. Begin one with `initialize`.");
}

function idOf({ headers }: Request): string {
  const id = headers[header];
  return typeof id === "string" ? id : "";
}

function keyOf({ admission }: Request): string {
  const { keyId } = admission?.caller ?? {};
  if (keyId === undefined) throw new TypeError("a session belongs to a key");
  return keyId;
}
