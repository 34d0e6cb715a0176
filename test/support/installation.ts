import type { ServiceBroker } from "moleculer";
import type { WatchTracker } from "../suites/watches.suite.ts";
import type { Magpie } from "./magpie.ts";

/** An installation that a suite asks: in one process, or the nodes of a cluster. */
export interface Installation {
  magpie: Pick<Magpie, "request" | "url">;
  /** The nodes of its services, all of which are in this process. */
  brokers: ServiceBroker[];
}

/** A service, on the first of its nodes. */
export function localService<Service>({ brokers }: Installation, name: string): Service {
  const found = brokers.map(broker => broker.getLocalService(name)).find(Boolean);
  if (!found) throw new Error(`No node has the service ${name}.`);
  return found as unknown as Service;
}

export const trackerOf = (installation: Installation) => localService<WatchTracker>(installation, "tracker");

/** A key of an owner of its own, which may ask as often as its test waits. */
export async function freshKey({ magpie }: Installation, owner: string): Promise<string> {
  const body = { owner, name: "n", limits: { requestsPerMinute: 1_000_000 } };
  const reply = await magpie.request("POST", "/internal/keys", { admin: true, body });
  return reply.json<{ data: { key: string } }>().data.key;
}
