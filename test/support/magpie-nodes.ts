import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import { type ClusterConfig, type Config, toConfig } from "../../mixins/config/config.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { apiService } from "../../services/api/api.service.ts";
import { removeFolder } from "./folders.ts";
import { adminKey, apiKey, askWithoutEnd, type Magpie, request } from "./magpie.ts";

export interface Nodes extends Magpie {
  /** The node of each service, in the order in which they were given. */
  services: ServiceBroker[];
}

const discoveryMs = 90_000;

/**
 * A cluster in this process: the gateway and every service on a node of its own, which meet over the servers of `cluster`
 * and nowhere else.
 */
export async function startNodes(
  cluster: ClusterConfig,
  overrides: Partial<Config>,
  services: ((config: Config) => ServiceSchema)[],
): Promise<Nodes> {
  const dataDir = await mkdtemp(join(tmpdir(), "magpie-nodes-"));
  const own = { adminKey, bootstrapApiKey: apiKey, masterSecret: "the master secret of the tests" };
  const config: Config = { ...toConfig({}), port: 0, dataDir, ...own, ...overrides, cluster };
  const node = () =>
    new ServiceBroker({ ...brokerOptions(config), logger: false, skipProcessEventRegistration: true });
  const [gateway, ...others] = [node(), ...services.map(node)] as [ServiceBroker, ...ServiceBroker[]];
  const all = [gateway, ...others];
  const stop = async () => {
    await Promise.all(all.map(broker => broker.stop()));
    await removeFolder(dataDir);
  };
  try {
    const api = gateway.createService(apiService(config)) as unknown as { address: string };
    const names = services.map((service, n) => others[n]?.createService(service(config)).name ?? "");
    // One after another: a process that starts them all at once is too busy to hear its servers in time.
    for (const broker of all) await broker.start();
    await gateway.waitForServices(names, discoveryMs);
    const url = api.address;
    await askWithoutEnd(url);
    const asked: Magpie["request"] = (...args) => request(url, ...args);
    return { url, apiKey, adminKey, broker: gateway, services: others, stop, request: asked };
  } catch (error) {
    await stop();
    throw error;
  }
}
