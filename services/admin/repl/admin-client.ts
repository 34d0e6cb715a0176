import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ServiceBroker } from "moleculer";
import { request } from "undici";
import type { Config } from "../../../mixins/config/config.ts";
import { type Credentials, credentialsPath } from "../../../mixins/config/credentials.ts";
import { readGatewayAddress } from "../../../mixins/config/gateway-address.ts";
import { isFolderInUse } from "../../../mixins/store/sqlite/folder-lock.ts";
import { type GatewayMetadata, gatewayService } from "../../contracts/health.contract.ts";

/** Longer than the gateway waits for a backfill. */
const requestTimeoutMs = 130_000;

export interface Answer<Body> {
  body: Body;
  headers: Record<string, string | string[] | undefined>;
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Calls an admin endpoint. Rejects with a message for the user of the console. */
export type Ask = <Body>(method: Method, path: string, body?: unknown) => Promise<Answer<Body>>;

/** Whether any process, this one included, works on the data folder. */
export function isRunning(config: Pick<Config, "dataDir">): boolean {
  return isFolderInUse(resolve(config.dataDir));
}

/** A client of the admin endpoints. It looks the gateway up before each call, since the gateway may have restarted. */
export function adminClient(config: Config, findGateway: () => Promise<string>): Ask {
  return async <Body>(method: Method, path: string, body?: unknown) => {
    const url = await findGateway();
    const answer = await send(url, path, { method, key: adminKeyOf(config, url), body });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(messageIn(text, answer.statusCode));
    return { body: (text === "" ? null : JSON.parse(text)) as Body, headers: answer.headers };
  };
}

function adminKeyOf(config: Config, url: string): string {
  const path = credentialsPath(config);
  const kept: Partial<Credentials> = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const key = config.adminKey ?? kept.adminKey;
  if (key === undefined) throw new Error(`Set ADMIN_KEY to the admin key of ${url}; ${path} holds none.`);
  return key;
}

async function send(
  url: string,
  path: string,
  { method, key, body }: { method: Method; key: string; body: unknown },
) {
  try {
    return await request(url + path, {
      method,
      signal: AbortSignal.timeout(requestTimeoutMs),
      headers: { "x-admin-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new Error(`${url} cannot be reached (${(cause as Error).message}).`, { cause });
  }
}

function messageIn(text: string, status: number): string {
  try {
    const { code, message } = JSON.parse(text) as { code: string; message: string };
    return `${code}: ${message}`;
  } catch {
    // An answer that is not an envelope comes from a proxy in between.
    return `The answer was ${status}.`;
  }
}

/** How long to wait until the nodes of a cluster have announced themselves. */
const discoveryMs = 5000;

/** The URL of a gateway: `server` if given, else the one announced on the cluster's bus or kept in the data folder. */
export async function findGateway(broker: ServiceBroker, config: Config, server?: string): Promise<string> {
  const url = server ?? (config.cluster ? await announcedOnBus(broker) : readGatewayAddress(config));
  if (url !== undefined) return url;
  const where = config.cluster ? "on the bus of this cluster" : `for the data folder ${config.dataDir}`;
  throw new Error(`No gateway listens ${where}. Start one, or name one with --server.`);
}

async function announcedOnBus(broker: ServiceBroker): Promise<string | undefined> {
  await broker.waitForServices(gatewayService, discoveryMs).catch(() => undefined);
  for (const { name, nodeID, metadata } of broker.registry.getServiceList({ onlyAvailable: true })) {
    const { address } = metadata as GatewayMetadata;
    if (name === gatewayService && address !== undefined)
      return reachable(address, broker, nodeID ?? broker.nodeID);
  }
  return undefined;
}

/** Replaces a wildcard address (0.0.0.0, ::) by an address of the gateway's node. */
function reachable(address: string, { registry }: ServiceBroker, nodeId: string): string {
  const [ip = "127.0.0.1"] = registry.nodes.get(nodeId)?.ipList ?? [];
  return address.replace(/\/\/(0\.0\.0\.0|\[::\]):/, `//${ip.includes(":") ? `[${ip}]` : ip}:`);
}
