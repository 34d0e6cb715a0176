import { type Config, toConfig } from "../../mixins/config/config.ts";

/** Of a cluster whose nodes speak to one another and to nothing else. */
export function busConfig(natsUrl: string): Config {
  return toConfig({
    NATS_URL: natsUrl,
    REDIS_URL: "redis://127.0.0.1:1",
    MONGO_URL: "mongodb://127.0.0.1:1",
    CLUSTER_NAMESPACE: "bus-test",
  });
}
