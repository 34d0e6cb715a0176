import type { ServerEventBus } from "@modelcontextprotocol/server";
import type { Bounds } from "../../../mixins/event-log/event-log.ts";
import { invalid } from "../../contracts/errors.ts";
import type { Gateway } from "../context.ts";
import { requireScope } from "../http/standing.ts";
import type { Request } from "../request/request.ts";
import {
  aheadOfLog,
  mostTargets,
  resourceScopes,
  startOf,
  type Target,
  targetOf,
  unknownResource,
} from "./resource-uris.ts";
import { paramsOf, type Update } from "./watch-resources.ts";

/** What a client of 2026-07-28 is told while its request `subscriptions/listen` is open. */
interface Subscription {
  /** Where the SDK takes changes from. */
  bus: ServerEventBus;
  /** Calls this when the service ends it. */
  onEnd(end: () => void): void;
  close(): void;
}

/**
 * The subscription that a message asks for; undefined for other messages, and where it names no resource. Throws 400 for an
 * address that is none, or whose position is ahead of the log.
 */
export async function subscriptionOf(
  gateway: Gateway,
  req: Request,
  message: unknown,
): Promise<Subscription | undefined> {
  const uris = urisIn(message);
  if (uris.length === 0) return undefined;
  const { caller } = req.admission ?? {};
  requireScope(caller, resourceScopes);
  if (!caller) throw new TypeError("a subscription belongs to a key");
  if (uris.length > mostTargets)
    throw invalid("resourceSubscriptions", "too_many", `Subscribe to at most ${mostTargets} resources.`);
  const bounds = await gateway.streams.context.log.bounds(caller.keyId);
  const targets = uris.map(uri => targetFor(uri, bounds));
  let tell: (update: Update) => void = () => undefined;
  let end: () => void = () => undefined;
  const watch = gateway.mcpSessions.watch(caller.keyId, { tell: update => tell(update), end: () => end() });
  const bus: ServerEventBus = {
    publish: () => undefined,
    subscribe(listener) {
      tell = update => listener({ kind: "resource_updated", uri: update.uri, params: paramsOf(update) });
      // Only now the client is told: what the log has after its positions comes first.
      for (const target of targets) void watch.add(target).catch(() => watch.end());
      return () => watch.close();
    },
  };
  const onEnd = (call: () => void) => {
    end = call;
  };
  return { bus, onEnd, close: () => watch.close() };
}

function targetFor(uri: string, bounds: Bounds): Target {
  const target = targetOf(uri);
  if (!target) throw invalid("resourceSubscriptions", "malformed", unknownResource(uri));
  if (startOf(target, bounds) === undefined) throw aheadOfLog("resourceSubscriptions");
  return target;
}

interface Listen {
  method?: unknown;
  params?: { notifications?: { resourceSubscriptions?: unknown } };
}

function urisIn(message: unknown): string[] {
  const { method, params } = Object(message) as Listen;
  const uris = params?.notifications?.resourceSubscriptions;
  if (method !== "subscriptions/listen" || !Array.isArray(uris)) return [];
  return uris.filter(uri => typeof uri === "string");
}
