import { statfs } from "node:fs/promises";
import type { Middleware, ServiceBroker } from "moleculer";
import type { Config } from "../config/config.ts";
import { logEvent } from "../log/log-events.ts";
import { onDiskChange } from "./disk-trouble.ts";
import { addGauge } from "./metrics.ts";

/** What every node says of itself: its version, and the disk of its data folder, also in the log when that is in trouble. */
export function nodeGauges({ dataDir }: Pick<Config, "dataDir">, version: string): Middleware {
  const disk = (value: (found: { bsize: number; bavail: number; blocks: number }) => number) => async () => [
    { value: value(await statfs(dataDir)) },
  ];
  const gauges = [
    {
      name: "magpie_build_info",
      description: "1, with the version of this node",
      read: () => [{ labels: { version }, value: 1 }],
    },
    {
      name: "magpie_disk_free_bytes",
      description: "Free space on the disk of DATA_DIR",
      read: disk(({ bsize, bavail }) => bsize * bavail),
    },
    {
      name: "magpie_disk_size_bytes",
      description: "Size of the disk of DATA_DIR",
      read: disk(({ bsize, blocks }) => bsize * blocks),
    },
  ];
  let endListening = () => undefined as unknown;
  return {
    name: "NodeGauges",
    async starting(broker: ServiceBroker) {
      for (const gauge of gauges) addGauge(broker, gauge);
      endListening = onDiskChange(({ is, ...fields }) =>
        logEvent(broker.getLogger("node"), is === "failed" ? "disk.failed" : "disk.recovered", fields),
      );
    },
    async stopped() {
      endListening();
    },
  };
}
