/** Loaded into every thread of the service by the memory bench: on SIGUSR2 all of them collect their garbage. */
import { BroadcastChannel, isMainThread } from "node:worker_threads";

const { gc } = globalThis as { gc?: () => void };
const channel = new BroadcastChannel("collect");
channel.onmessage = () => gc?.();
(channel as unknown as { unref(): void }).unref();
if (isMainThread)
  process.on("SIGUSR2", () => {
    gc?.();
    channel.postMessage("collect");
  });
