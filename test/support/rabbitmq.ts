import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findBinary } from "./debian-binary.ts";
import { needs } from "./needs.ts";
import { freePort, givenServer, type Server, startServer } from "./server.ts";

export interface TestRabbitmq extends Server {
  /** False where no RabbitMQ can be had: what needs it is skipped, by `withRabbitmq`. */
  isThere: boolean;
  port: number;
}

export const rabbitmqUser = { user: "magpie", password: "a secret/of+tests" };

const erlang = [
  ...["asn1", "base", "crypto", "eldap", "inets", "mnesia", "os-mon", "parsetools"],
  ...["public-key", "runtime-tools", "ssl", "syntax-tools", "tools", "xmerl"],
].map(name => `erlang-${name}`);

const debian = {
  program: "rabbitmq-server",
  packages: ["rabbitmq-server", ...erlang],
  // It has no run that shows whether it works, but for one that starts it.
  check: null,
  advice: "Install RabbitMQ (Debian: apt-get install rabbitmq-server), then try again.",
};

interface Program {
  /** Erlang's folder of programs. */
  bin: string;
  /** RabbitMQ's own folder. */
  home: string;
  env: Record<string, string>;
}

/** A RabbitMQ server of its own on a free port of 127.0.0.1, without plugins. It ends with the test. */
export async function startRabbitmq(): Promise<TestRabbitmq> {
  const program = await found();
  if (program === null) return Object.assign(givenServer(""), { isThere: false, port: 0 });
  const { bin, home, env } = program;
  // Erlang would start this one by itself, and leave it behind.
  const names = await startServer({
    ...{ name: "epmd", scheme: "tcp", binary: { path: join(bin, "epmd"), env } },
    args: port => ["-d", "-address", "127.0.0.1", "-port", String(port)],
    ready: "epmd running",
  });
  const distribution = await freePort();
  const server = await startServer({
    ...{ name: "rabbitmq", scheme: "amqp", binary: { path: "/usr/bin/env", env } },
    args: (port, folder) => {
      prepare(folder);
      const settings = {
        ...{ BINDIR: bin, ROOTDIR: dirname(dirname(bin)), EMU: "beam", PROGNAME: "erl", HOME: folder },
        ...{ ERL_LIBS: join(home, "plugins"), ERL_EPMD_PORT: names.port, ERL_EPMD_ADDRESS: "127.0.0.1" },
        ...{ RABBITMQ_HOME: home, RABBITMQ_PLUGINS_DIR: join(home, "plugins"), RABBITMQ_LOGS: "-" },
        ...{ RABBITMQ_NODENAME: `magpie-${port}@localhost`, RABBITMQ_DIST_PORT: distribution },
        ...{ RABBITMQ_NODE_IP_ADDRESS: "127.0.0.1", RABBITMQ_NODE_PORT: port },
        ...{ RABBITMQ_MNESIA_BASE: join(folder, "mnesia"), RABBITMQ_LOG_BASE: join(folder, "log") },
        RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, "plugins"),
        RABBITMQ_CONFIG_FILE: join(folder, "rabbitmq"),
        RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, "advanced.config"),
        RABBITMQ_CONF_ENV_FILE: join(folder, "none.conf"),
      };
      return [
        ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
        ...[join(bin, "erlexec"), "-noinput", "-s", "rabbit", "boot", "-boot", "start_sasl", "+W", "w"],
        ...["-kernel", "inet_dist_use_interface", "{127,0,0,1}"],
        ...["-kernel", "prevent_overlapping_partitions", "false"],
        ...["-syslog", "logger", "[]", "-syslog", "syslog_error_logger", "false"],
      ];
    },
    ready: "Server startup complete",
  });
  const stop = async () => {
    await server.stop();
    await names.stop();
  };
  return { ...server, stop, isThere: true };
}

/** That of the machine, else that of Debian, unpacked: both have it in the same places. */
async function found(): Promise<Program | null> {
  const binary = await findBinary(debian).catch(() => null);
  const root = binary?.path.replace(/\/usr\/s?bin\/rabbitmq-server$/, "");
  if (!binary || root === undefined) return null;
  const [bin] = globSync(join(root, "usr/lib/erlang/erts-*/bin"));
  const [home] = globSync(join(root, "usr/lib/rabbitmq/lib/rabbitmq_server-*"));
  return bin && home ? { bin, home, env: binary.env } : null;
}

function prepare(folder: string): void {
  for (const name of ["mnesia", "log"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "plugins"), "[].");
  const { user, password } = rabbitmqUser;
  const lines = [`default_user = ${user}`, `default_pass = ${password}`, "loopback_users = none"];
  writeFileSync(join(folder, "rabbitmq.conf"), `${lines.join("\n")}\n`);
}

/** `describe` and `test` of what needs a RabbitMQ. */
export const withRabbitmq = ({ isThere }: TestRabbitmq) =>
  needs(isThere, "RabbitMQ: install it, or have Debian's packages", { isOptional: true });
