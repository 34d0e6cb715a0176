/** Sends requests over kept connections once it is told to go. */
import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const lanes = 64;
const { url, key, requests } = workerData as { url: string; key: string; requests: number };
const agent = new Agent({ keepAlive: true, maxSockets: lanes });

await get();
parentPort?.postMessage("ready");
await new Promise(resolve => parentPort?.once("message", resolve));
let left = requests;
await Promise.all(
  Array.from({ length: lanes }, async () => {
    while (left-- > 0) await get();
  }),
);
parentPort?.postMessage("done");
agent.destroy();

function get(): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers: { "x-api-key": key } }, response => {
      if (response.statusCode !== 200) reject(new Error(`HTTP ${response.statusCode}`));
      response.resume().once("end", resolve);
    })
      .once("error", reject)
      .end();
  });
}
