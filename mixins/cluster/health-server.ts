import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServiceBroker } from "moleculer";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/env.ts";
import { logEvent } from "../log/log-events.ts";
import { nodeHealth } from "../runtime/health.ts";
import { exposition, expositionType } from "../runtime/metrics.ts";

export interface HealthServer {
  /** Where it listens, as a URL. */
  address: string;
  close(): Promise<void>;
}

type Answer = (broker: ServiceBroker, res: ServerResponse) => Promise<void> | void;

const answers: Record<string, Answer> = {
  "/health/live": (_broker, res) => json(res, 200, { status: "live" }),
  "/health/ready": async (broker, res) => {
    const health = await nodeHealth(broker);
    json(res, health.status === "ready" || health.status === "degraded" ? 200 : 503, health);
  },
  "/metrics": async (broker, res) => {
    const text = await exposition(broker);
    res.writeHead(200, { "content-type": expositionType }).end(text);
  },
};

/** Answers health checks and metrics of this node. It needs no key, as it names no key, owner or address. */
export async function openHealthServer(
  broker: ServiceBroker,
  { host, healthPort }: Pick<Config, "host" | "healthPort">,
): Promise<HealthServer> {
  const server = createServer((req, res) => {
    const [path = ""] = (req.url ?? "").split("?");
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (!answer || (req.method !== "GET" && req.method !== "HEAD"))
      return json(res, 404, { status: "error", message: `There are ${Object.keys(answers).join(", ")}.` });
    Promise.resolve(answer(broker, res)).catch((error: unknown) => {
      logEvent(broker.logger, "health_answer.failed", { error });
      json(res, 500, { status: "error" });
    });
  });
  server.listen(healthPort, host);
  await once(server, "listening").catch((cause: NodeJS.ErrnoException) => {
    const message = `cannot listen on ${host}:${healthPort} (${cause.code}); set it to`;
    const isPort = cause.code === "EADDRINUSE" || cause.code === "EACCES";
    throw isPort
      ? new ConfigError("HEALTH_PORT", `${message} a free port, or to 0 for any`, { cause })
      : new ConfigError("HOST", `${message} an address of this machine, or to 0.0.0.0 for all`, { cause });
  });
  server.on("error", error => logEvent(broker.logger, "health_server.failed", { error }));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function json(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  res.end(JSON.stringify(body));
}
