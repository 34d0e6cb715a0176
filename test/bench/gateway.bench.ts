import { Worker } from "node:worker_threads";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import ApiService from "moleculer-web";
import type { Route } from "../../services/api/routes/route.ts";
import { action, actions, handle } from "../../services/contracts/action.ts";
import { object, text } from "../../services/contracts/schema.ts";
import { startMagpie } from "../support/magpie.ts";
import { type Bench, interleave, median, ratioOf, verdict } from "./compare.ts";

const requests = 4000;
const rounds = 7;

const hello = action("greeter.hello", { params: {}, result: object({ hello: text }) });
const greeter: () => ServiceSchema = () => ({
  name: "greeter",
  actions: actions(handle(hello, "published", () => ({ hello: "world" }))),
});
const route: Route = {
  method: "GET",
  name: "hello",
  path: "/hello",
  action: hello,
  auth: "key",
  status: 200,
  responses: { 200: { description: "Hello" } },
  tag: "",
  summary: "",
};

/**
 * CPU time per request of the gateway on an authenticated route, against a bare moleculer-web route with its default
 * settings; both call an action that does nothing.
 */
export const gateway: Bench = async () => {
  const magpie = await startMagpie({}, undefined, { routes: [route] });
  magpie.broker.createService(greeter());
  const keys = await magpie.broker.call<{ data: { key: string } }, object>("keys.create", {
    owner: "bench",
    name: "bench",
    limits: { requestsPerMinute: 1_000_000 },
  });
  const bare = await startBare();
  try {
    const costs = await interleave(rounds, {
      magpie: () => cost(`${magpie.url}/hello`, keys.data.key),
      bare: () => cost(bare.url, keys.data.key),
    });
    const ratio = ratioOf(costs.magpie, costs.bare);
    const text = `gateway: magpie ${median(costs.magpie).toFixed(1)}, bare moleculer-web ${median(costs.bare).toFixed(1)} us of CPU a request, ratio ${ratio.toFixed(2)}`;
    return [verdict(text, ratio, "<=", 1.25)];
  } finally {
    await Promise.all([magpie.stop(), bare.broker.stop()]);
  }
};

async function startBare(): Promise<{ broker: ServiceBroker; url: string }> {
  const broker = new ServiceBroker({ logger: false });
  broker.createService(greeter());
  const web = broker.createService({
    name: "web",
    mixins: [ApiService as unknown as ServiceSchema],
    settings: {
      port: 0,
      ip: "127.0.0.1",
      routes: [{ path: "/", aliases: { "GET /hello": "greeter.hello" } }],
    },
  }) as unknown as { server: { address(): { port: number } } };
  await broker.start();
  return { broker, url: `http://127.0.0.1:${web.server.address().port}/hello` };
}

/** Microseconds of this thread's CPU a request; the client works in a thread of its own. */
async function cost(url: string, key: string): Promise<number> {
  const client = new Worker(new URL("gateway-client.worker.ts", import.meta.url), {
    workerData: { url, key, requests },
  });
  await new Promise((resolve, reject) => client.once("message", resolve).once("error", reject));
  const before = process.threadCpuUsage();
  const done = new Promise((resolve, reject) => client.once("message", resolve).once("error", reject));
  client.postMessage("go");
  await done;
  const { user, system } = process.threadCpuUsage(before);
  await client.terminate();
  return (user + system) / requests;
}
