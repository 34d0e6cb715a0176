import { existsSync } from "node:fs";
import { join } from "node:path";
import { findOnPath } from "../../support/debian-binary.ts";
import { freePort, type ServerProgram, startServer, type TestServer } from "../../support/server.ts";
import { postgresProgram } from "./postgres.ts";

/** What Outpost works with, each on free ports of 127.0.0.1 and a folder of its own. */
export interface OutpostServers {
  rabbit: TestServer;
  redis: TestServer;
  postgres: TestServer;
  pids: number[];
  stop(): Promise<void>;
}

const rabbitServer = "/usr/lib/rabbitmq/bin/rabbitmq-server";

/** RabbitMQ, Redis and PostgreSQL of Debian's packages; throws where one of them is missing. */
export async function startOutpostServers(): Promise<OutpostServers> {
  const started: TestServer[] = [];
  const start = async (each: ServerProgram) => {
    const server = await startServer(each);
    started.unshift(server);
    return server;
  };
  const stop = async () => {
    for (const server of started) await server.stop();
  };
  try {
    const nodes = await start(program("epmd", epmdArgs, "epmd running"));
    const distribution = await freePort();
    const rabbit = await start(rabbitProgram(nodes.port, distribution));
    const redis = await start(program("redis-server", redisArgs, "Ready to accept connections"));
    const postgres = await start(postgresProgram("outpost"));
    const pids = [rabbit, redis, postgres].map(({ pid }) => pid ?? 0);
    return { rabbit, redis, postgres, pids, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function program(name: string, args: ServerProgram["args"], ready: string): ServerProgram {
  const path = findOnPath(name);
  if (path === undefined) throw new Error(`there is no ${name} on this machine`);
  return { name, binary: { path, env: {} }, scheme: "tcp", args, ready, isOrdinary: true };
}

/** Tells Erlang's nodes of one another; RabbitMQ would start one that outlives it. */
function epmdArgs(port: number): string[] {
  return ["-port", String(port), "-address", "127.0.0.1", "-d"];
}

/** On disk within a second, as Redis has it when it is told to append. */
function redisArgs(port: number, folder: string): string[] {
  return [
    "--bind",
    "127.0.0.1",
    "--port",
    String(port),
    "--dir",
    folder,
    "--save",
    "",
    "--appendonly",
    "yes",
  ];
}

function rabbitProgram(epmdPort: number, distributionPort: number): ServerProgram {
  if (!existsSync(rabbitServer)) throw new Error("there is no rabbitmq-server on this machine");
  const settings = (port: number, folder: string) => ({
    HOME: folder,
    // Erlang then takes the place of the script, and ends with it.
    RUNNING_UNDER_SYSTEMD: "true",
    RABBITMQ_NODENAME: "bench@localhost",
    RABBITMQ_NODE_IP_ADDRESS: "127.0.0.1",
    RABBITMQ_NODE_PORT: port,
    RABBITMQ_DIST_PORT: distributionPort,
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "-kernel inet_dist_use_interface {127,0,0,1}",
    ERL_EPMD_PORT: epmdPort,
    ERL_EPMD_ADDRESS: "127.0.0.1",
    RABBITMQ_CONF_ENV_FILE: "/dev/null",
    RABBITMQ_CONFIG_FILE: join(folder, "none"),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, "plugins"),
    RABBITMQ_MNESIA_BASE: folder,
    RABBITMQ_LOG_BASE: folder,
    RABBITMQ_LOGS: "-",
  });
  const args = (port: number, folder: string) => [
    ...Object.entries(settings(port, folder)).map(([name, value]) => `${name}=${value}`),
    rabbitServer,
  ];
  return { ...program("env", args, "Server startup complete"), name: "rabbitmq" };
}
