/** Reads the embedded log of another thread. Takes keys; tells how many events each has, and its last position. */
import { parentPort, workerData } from "node:worker_threads";
import { openEmbeddedLog } from "../../mixins/event-log/embedded.log.ts";

const { path, gate } = workerData as { path: string; gate: SharedArrayBuffer };
const nothing = () => undefined;
const log = openEmbeddedLog({ path, gate, notify: nothing, onEntries: nothing });
parentPort?.on("message", async (keyId: string) => {
  const { events } = await log.readWithin(keyId, 0, { events: 9, bytes: 9_999 });
  const { latest } = await log.bounds(keyId);
  parentPort?.postMessage([keyId, events.length, latest]);
});
