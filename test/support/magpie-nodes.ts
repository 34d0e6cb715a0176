import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import type { ClusterConfig } from "../../mixins/config/cluster.ts";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { apiService } from "../../services/api/api.service.ts";
import { adminKey, apiKey, type Magpie, request } from "./magpie.ts";

export interface Nodes extends Magpie {
  /** The node of each room, in the order in which they were given. */
  rooms: ServiceBroker[];
}

const discoveryMs = 20_000;

/**
 * A cluster in this process: the gateway and every room on a node of its own, which meet over the servers of `cluster`
 * and nowhere else.
 */
export async function startNodes(
  cluster: ClusterConfig,
  overrides: Partial<Config>,
  rooms: ((config: Config) => ServiceSchema)[],
): Promise<Nodes> {
  const dataDir = await mkdtemp(join(tmpdir(), "magpie-nodes-"));
  const own = { adminKey, bootstrapApiKey: apiKey, masterSecret: "the master secret of the tests" };
  const config: Config = { ...toConfig({}), port: 0, dataDir, ...own, ...overrides, cluster };
  const node = () =>
    new ServiceBroker({ ...brokerOptions(config), logger: false, skipProcessEventRegistration: true });
  const [gateway, ...others] = [node(), ...rooms.map(node)] as [ServiceBroker, ...ServiceBroker[]];
  const all = [gateway, ...others];
  const stop = async () => {
    await Promise.all(all.map(broker => broker.stop()));
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const api = gateway.createService(apiService(config)) as unknown as { address: string };
    const names = rooms.map((room, n) => others[n]?.createService(room(config)).name ?? "");
    // One after another: a process that starts them all at once is too busy to hear its servers in time.
    for (const broker of all) await broker.start();
    await gateway.waitForServices(names, discoveryMs);
    const url = api.address;
    const asked: Magpie["request"] = (...args) => request(url, ...args);
    return { url, apiKey, adminKey, broker: gateway, rooms: others, stop, request: asked };
  } catch (error) {
    await stop();
    throw error;
  }
}
