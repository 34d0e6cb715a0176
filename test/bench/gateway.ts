/**
 * CPU time per request of the gateway on an authenticated route, against a bare moleculer-web route with its default
 * settings; both call an action that does nothing. Prints both and their ratio.
 */
import { Agent, request } from "node:http";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import ApiService from "moleculer-web";
import type { Route } from "../../services/api/route.ts";
import { action, actions, handle } from "../../services/contracts/action.ts";
import { startMagpie } from "../support/magpie.ts";

const requests = 4000;
const rounds = 5;
const lanes = 64;

const hello = action<Record<string, never>, { hello: string }>("greeter.hello", {});
const greeter: () => ServiceSchema = () => ({
  name: "greeter",
  actions: actions(handle(hello, "published", () => ({ hello: "world" }))),
});
const route: Route = {
  method: "GET",
  path: "/hello",
  action: hello,
  auth: "key",
  status: 200,
  responses: { 200: { description: "Hello" } },
  tag: "",
  summary: "",
};

if (isMainThread) await compare();
else await load(workerData as { url: string; key: string });

async function compare(): Promise<void> {
  const magpie = await startMagpie({}, undefined, { routes: [route] });
  magpie.broker.createService(greeter());
  const keys = await magpie.broker.call<{ data: { key: string } }, object>("keys.create", {
    owner: "bench",
    name: "bench",
    limits: { requestsPerMinute: 1_000_000 },
  });
  const bare = new ServiceBroker({ logger: false });
  bare.createService(greeter());
  const web = bare.createService({
    name: "web",
    mixins: [ApiService as unknown as ServiceSchema],
    settings: {
      port: 0,
      ip: "127.0.0.1",
      routes: [{ path: "/", aliases: { "GET /hello": "greeter.hello" } }],
    },
  }) as unknown as { server: { address(): { port: number } } };
  await bare.start();
  const bareUrl = `http://127.0.0.1:${web.server.address().port}/hello`;
  const costs: Record<"bare" | "magpie", number[]> = { bare: [], magpie: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const one = await cost(bareUrl, keys.data.key);
    const other = await cost(`${magpie.url}/hello`, keys.data.key);
    // The first round only warms up.
    if (round > 0) {
      costs.bare.push(one);
      costs.magpie.push(other);
    }
  }
  const [bareCost, magpieCost] = [median(costs.bare), median(costs.magpie)];
  console.log(
    `bare moleculer-web ${bareCost.toFixed(1)} us, magpie ${magpieCost.toFixed(1)} us a request: ` +
      `ratio ${(magpieCost / bareCost).toFixed(2)} (median of ${rounds} rounds of ${requests}, ${availableParallelism()} cores)`,
  );
  await Promise.all([magpie.stop(), bare.stop()]);
}

/** Microseconds of this thread's CPU a request; the client works in a thread of its own. */
async function cost(url: string, key: string): Promise<number> {
  const client = new Worker(fileURLToPath(import.meta.url), { workerData: { url, key } });
  await new Promise(resolve => client.once("message", resolve));
  const before = process.threadCpuUsage();
  const done = new Promise((resolve, reject) => client.once("message", resolve).once("error", reject));
  client.postMessage("go");
  await done;
  const { user, system } = process.threadCpuUsage(before);
  await client.terminate();
  return (user + system) / requests;
}

async function load({ url, key }: { url: string; key: string }): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: lanes });
  const get = () =>
    new Promise<void>((resolve, reject) => {
      request(url, { agent, headers: { "x-api-key": key } }, res => {
        if (res.statusCode !== 200) reject(new Error(`HTTP ${res.statusCode}`));
        res.resume().once("end", resolve);
      })
        .once("error", reject)
        .end();
    });
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
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
