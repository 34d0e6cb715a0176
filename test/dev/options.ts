import { parseArgs } from "node:util";

export interface WantedCluster {
  /** How many nodes of which service. */
  nodes: Record<string, number>;
  replicaSet: boolean;
}

/** Of `--nodes scraper=2,webhook-dispatcher=2 --replica-set`. Throws a sentence that says what is wrong. */
export function wantedCluster(args: string[], services: string[]): WantedCluster {
  const options = {
    nodes: { type: "string", default: "" },
    "replica-set": { type: "boolean", default: false },
  } as const;
  const { nodes, "replica-set": replicaSet } = parseArgs({ args, options }).values;
  const entries = nodes.split(",").filter(entry => entry !== "");
  return { nodes: Object.fromEntries(entries.map(entry => serviceAndCount(entry, services))), replicaSet };
}

/** Of `--service scraper`: the service; undefined for none. Throws a message that says what is wrong. */
export function watchedService(args: string[], services: string[]): string | undefined {
  const { service } = parseArgs({ args, options: { service: { type: "string" } } }).values;
  if (service !== undefined && !services.includes(service))
    throw new Error(`--service: there is no service ${service}; there are ${services.join(", ")}`);
  return service;
}

function serviceAndCount(entry: string, services: string[]): [string, number] {
  const [, service = "", count] = /^([a-z-]+)=(\d{1,2})$/.exec(entry) ?? [];
  if (count === undefined) throw new Error(`--nodes: ${entry} is not of the form scraper=2`);
  if (!services.includes(service))
    throw new Error(`--nodes: there is no service ${service}; there are ${services.join(", ")}`);
  return [service, Number(count)];
}
