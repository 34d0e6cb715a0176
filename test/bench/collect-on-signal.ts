/** Loaded into the service by the memory bench, in each of its threads: collects garbage when told to. */
import { isMainThread } from "node:worker_threads";

const { gc } = globalThis as { gc?: () => void };
if (isMainThread) process.on("SIGUSR2", () => gc?.());
