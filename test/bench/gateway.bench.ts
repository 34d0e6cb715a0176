import { startHelper } from "./child.ts";
import { type Bench, verdict } from "./compare.ts";
import type { Requests } from "./gateway-client.process.ts";
import { startProgram } from "./program.ts";
import { costsOf, ratioOfCosts, showCosts, type WholeSide } from "./whole-side.ts";

const requests = 20_000;
const rounds = 5;
const bar = 1.4;
/** The same body on both sides. */
const hook = "https://example.com/hook";

/**
 * CPU of whole processes for a request: `GET /webhook` with a key, and a health check without one, beside a bare route of
 * moleculer-web that sends as many headers and the same body and knows no keys, limits or usage. The client is a process of its own.
 */
export const gateway: Bench = async () => {
  const program = await startProgram();
  const bare = await startHelper<never, string>("gateway-bare.process.ts", [hook]);
  const client = await startHelper<Requests, number>("gateway-client.process.ts");
  const side = (pid: number, url: string): WholeSide => ({
    pids: [pid],
    run: async () => ({
      units: requests,
      perSecond: await client.ask({ url, key: program.key, count: requests }),
    }),
  });
  try {
    await program.ask("POST", "/webhook", { url: hook });
    const costs = await costsOf(rounds, {
      webhook: side(program.pid, `${program.address}/webhook`),
      bare: side(bare.pid, bare.first),
      live: side(program.pid, `${program.address}/health/live`),
    });
    return (["webhook", "live"] as const).map(name => {
      const ratio = ratioOfCosts(costs[name], costs.bare, "cpuMs");
      const asked = name === "webhook" ? "GET /webhook with a key" : "GET /health/live";
      const text =
        `gateway: ${asked} ${showCosts(costs[name], "request")}; ` +
        `bare moleculer-web with equal headers ${showCosts(costs.bare, "request")}; ratio ${ratio.toFixed(2)}`;
      return verdict(text, ratio, "<=", bar);
    });
  } finally {
    await Promise.all([client.stop(), bare.stop(), program.stop()]);
  }
};
