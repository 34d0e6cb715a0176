import { ServiceBroker } from "moleculer";
import type { CallMeta } from "../../services/contracts/caller.ts";
import keysService from "../../services/keys/keys.service.ts";

/** A request of the driver: an action and its parameters, answered under the same number. */
export interface Request {
  number: number;
  action: string;
  params: unknown;
  meta?: CallMeta;
}

export type Answer = { ready: true } | { number: number; result?: unknown; error?: string };

const broker = new ServiceBroker({ logger: false });
broker.createService(keysService());
await broker.start();
process.on("message", async ({ number, action, params, meta = {} }: Request) => {
  try {
    answer({ number, result: await broker.call(action, params, { meta }) });
  } catch (error) {
    answer({ number, error: String(error) });
  }
});
process.on("disconnect", () => broker.stop());
answer({ ready: true });

function answer(message: Answer): void {
  // The driver may be gone; then nobody waits for the answer.
  if (process.connected) process.send?.(message);
}
