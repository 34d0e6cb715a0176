/** A bare moleculer-web route that sends the headers and the body of `GET /webhook`; says its URL. */
import type { ServerResponse } from "node:http";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import ApiService from "moleculer-web";

const [url = ""] = process.argv.slice(2);
const headers = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "ratelimit-policy": '"default";q=1000000;w=60',
  ratelimit: '"default";r=999999;t=60',
};
const broker = new ServiceBroker({ logger: false });
broker.createService({ name: "greeter", actions: { webhook: () => ({ data: url }) } });
const web = broker.createService({
  name: "web",
  mixins: [ApiService as unknown as ServiceSchema],
  settings: {
    ...{ port: 0, ip: "127.0.0.1" },
    routes: [
      {
        path: "/",
        aliases: { "GET /webhook": "greeter.webhook" },
        onBeforeCall: (_ctx: unknown, _route: unknown, _req: unknown, res: ServerResponse) => {
          for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
        },
      },
    ],
  },
}) as unknown as { server: { address(): { port: number } } };
await broker.start();
process.on("disconnect", () => process.exit());
process.send?.(`http://127.0.0.1:${web.server.address().port}/webhook`);
