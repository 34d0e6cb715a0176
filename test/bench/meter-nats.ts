import { connect } from "nats";
import { natsOptions } from "../../mixins/bus/nats-client.ts";
import type { Server } from "../support/server.ts";

/** Hears everything that is published at a NATS. */
export interface NatsMeter {
  /** Messages since the last time, by what Moleculer calls them (`REQ`, `RES`, `EVENT`, `HEARTBEAT`…), else `other`. */
  take(): Record<string, number>;
  close(): Promise<void>;
}

export async function meterNats({ url }: Server): Promise<NatsMeter> {
  const nats = await connect({ ...natsOptions(url), name: "meter" });
  let counts: Record<string, number> = {};
  nats.subscribe(">", {
    callback: (_error, { subject }) => {
      const kind = /^MOL-[^.]+\.([A-Z]+)/.exec(subject)?.[1] ?? "other";
      counts[kind] = (counts[kind] ?? 0) + 1;
    },
  });
  await nats.flush();
  return {
    take: () => {
      const taken = counts;
      counts = {};
      return taken;
    },
    close: () => nats.close(),
  };
}
