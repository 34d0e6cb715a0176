import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { Agent } from "undici";
import { findOnPath } from "../../support/debian-binary.ts";
import { freePort } from "../../support/server.ts";
import { type OutpostServers, startOutpostServers } from "./outpost-servers.ts";
import { untilItAnswers } from "./until-it-answers.ts";

export interface Outpost {
  /** Its own process, and those of the servers that it works with. */
  pid: number;
  serverPids: number[];
  /** A tenant with one endpoint. */
  register(tenant: string, url: string): Promise<void>;
  /** Resolves when the event is accepted. */
  publish(tenant: string, id: string, data: object): Promise<void>;
  stop(): Promise<void>;
}

const apiKey = "bench";
const topic = "rss.item.created";
const migrateMs = 120_000;

/**
 * Outpost with all its services in one process, signing by Standard Webhooks as Magpie does. Its programs `outpost` and
 * `outpost-server` are looked for on the PATH, the servers among Debian's packages; throws where one is missing.
 */
export async function startOutpost(deliveriesAtATime: number): Promise<Outpost> {
  const [server, tool] = [findOnPath("outpost-server"), findOnPath("outpost")];
  if (server === undefined || tool === undefined)
    throw new Error(
      "outpost and outpost-server are not on the PATH; its releases are at github.com/hookdeck/outpost",
    );
  const servers = await startOutpostServers();
  try {
    const port = await freePort();
    const env = settings(port, servers, deliveriesAtATime);
    await promisify(execFile)(tool, ["migrate", "apply", "--yes"], { env, timeout: migrateMs });
    const child = spawn(server, { env, stdio: ["ignore", "ignore", "inherit"] });
    process.once("exit", () => child.kill("SIGKILL"));
    const agent = new Agent({ connections: 64 });
    const ask = (method: "PUT" | "POST", path: string, body: object) =>
      send(agent, `http://127.0.0.1:${port}/api/v1`, method, path, body);
    await untilItAnswers(() => ask("PUT", "/tenants/first", {}));
    return {
      pid: child.pid ?? 0,
      serverPids: servers.pids,
      register: async (tenant, url) => {
        await ask("PUT", `/tenants/${tenant}`, {});
        const endpoint = { type: "webhook", topics: [topic], config: { url } };
        await ask("POST", `/tenants/${tenant}/destinations`, endpoint);
      },
      publish: (tenant, id, data) => ask("POST", "/publish", { id, tenant_id: tenant, topic, data }),
      stop: async () => {
        await agent.destroy();
        const gone = once(child, "exit");
        child.kill("SIGKILL");
        await gone;
        await servers.stop();
      },
    };
  } catch (error) {
    await servers.stop();
    throw error;
  }
}

function settings(port: number, { rabbit, redis, postgres }: OutpostServers, concurrency: number) {
  return {
    PATH: process.env.PATH,
    API_PORT: String(port),
    API_KEY: apiKey,
    API_JWT_SECRET: apiKey,
    AES_ENCRYPTION_SECRET: "0123456789abcdef0123456789abcdef",
    TOPICS: topic,
    REDIS_HOST: "127.0.0.1",
    REDIS_PORT: String(redis.port),
    POSTGRES_URL: `postgres://outpost@127.0.0.1:${postgres.port}/postgres?sslmode=disable`,
    RABBITMQ_SERVER_URL: `amqp://guest:guest@127.0.0.1:${rabbit.port}`,
    DELIVERY_MAX_CONCURRENCY: String(concurrency),
    LOG_MAX_CONCURRENCY: String(concurrency),
    LOG_BATCH_THRESHOLD_SECONDS: "1",
    LOG_LEVEL: "warn",
    DESTINATIONS_WEBHOOK_MODE: "standard",
    DISABLE_TELEMETRY: "true",
  };
}

async function send(
  agent: Agent,
  base: string,
  method: "PUT" | "POST",
  path: string,
  body: object,
): Promise<void> {
  const { origin, pathname } = new URL(base);
  const answer = await agent.request({
    origin,
    path: pathname + path,
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: HTTP ${answer.statusCode} ${text}`);
}
