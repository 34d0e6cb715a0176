import { execFile } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { Command } from "commander";
import { request } from "undici";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { misspelt, readEnv, readSetting } from "../../mixins/config/env.ts";
import { readGatewayAddress } from "../../mixins/config/gateway-address.ts";
import { isFolderInUse } from "../../mixins/store/sqlite/folder-lock.ts";
import { exitCodes } from "./failure.ts";
import { examples, type Given } from "./options.ts";
import { oneLine, printJson, printLine } from "./screen.ts";
import { serverOf } from "./server.ts";

type State = "ok" | "warn" | "fail";

/** What was looked at, how it is, and what to do about it. */
interface Checked {
  check: string;
  state: State;
  said: string;
}

/** `magpie doctor`. */
export const doctor = new Command("doctor")
  .description("Check this machine and the installation, and say what to do about what is wrong.")
  .addHelpText("after", examples(["magpie doctor", "a line for each thing; exit code 1 if one fails"]))
  .action(async (_: unknown, command: Command) => {
    const { json, server } = command.optsWithGlobals() as Given;
    let failed = false;
    for await (const each of checks(server)) {
      failed ||= each.state === "fail";
      if (json) printJson(each);
      else
        printLine(
          `${each.state.padEnd(4)}  ${each.check.padEnd(11)}  ${oneLine(each.said)}`,
          each.state === "ok" ? "green" : each.state === "fail" ? "red" : undefined,
        );
    }
    if (failed) process.exitCode = exitCodes.failed;
  });

async function* checks(server: string | undefined): AsyncGenerator<Checked> {
  yield node();
  yield clock();
  yield* misspelled();
  let config: Config;
  try {
    config = toConfig(readEnv());
  } catch (error) {
    return yield checked("settings", "fail", (error as Error).message);
  }
  yield checked("settings", "ok", "all that are set can be read");
  yield* outside(config);
  if (config.cluster) yield* servers(config.cluster);
  else yield* folder(config.dataDir);
  yield await browser(config);
  yield* await gateway(config, server);
}

function checked(check: string, state: State, said: string): Checked {
  return { check, state, said };
}

/** The launcher has refused older ones. */
function node(): Checked {
  return checked("node", "ok", `${process.versions.node}, at ${process.execPath}`);
}

function clock(): Checked {
  const now = new Date();
  const installed = statSync(import.meta.filename).mtimeMs;
  return now.getTime() >= installed
    ? checked("clock", "ok", now.toISOString())
    : checked("clock", "fail", `${now.toISOString()} is before these files were written. Set the clock.`);
}

function* misspelled(): Generator<Checked> {
  for (const { name, meant } of misspelt())
    yield checked("settings", "warn", `${name} is no setting. Did you mean ${meant}?`);
}

/** How clients reach the gateway. */
function* outside({ host, publicUrl, trustedProxies }: Config): Generator<Checked> {
  const isLocal = /^(?:127\.|::1$|localhost$)/.test(host);
  if (publicUrl === undefined && !isLocal)
    yield checked(
      "PUBLIC_URL",
      "warn",
      `the gateway listens on ${host}, and PUBLIC_URL is not set: clients that use a name may get 421.`,
    );
  else if (publicUrl?.startsWith("http:") && !/^http:\/\/(?:localhost|127\.)/.test(publicUrl))
    yield checked(
      "PUBLIC_URL",
      "warn",
      `${publicUrl} has no TLS: keys travel readably. Put a proxy with a certificate before it.`,
    );
  else yield checked("PUBLIC_URL", "ok", publicUrl ?? "not set: only this machine asks");
  if (publicUrl?.startsWith("https:") && trustedProxies.length === 0)
    yield checked(
      "proxies",
      "warn",
      "TRUSTED_PROXIES is not set: all clients behind your proxy share one limit on wrong keys.",
    );
}

const enoughMb = 1024;
const leastMb = 100;

function* folder(dataDir: string): Generator<Checked> {
  const path = resolve(dataDir);
  const there = existingAbove(path);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch {
    return yield checked(
      "data folder",
      "fail",
      `${there} cannot be written by this user. Change its owner, or DATA_DIR.`,
    );
  }
  const { bavail, bsize } = statfsSync(there);
  const mb = Math.floor((bavail * bsize) / 1024 ** 2);
  const state = mb < leastMb ? "fail" : mb < enoughMb ? "warn" : "ok";
  const advice = state === "ok" ? "" : ". Make room: a full disk stops all writes";
  const use = isFolderInUse(path)
    ? "a service works on it"
    : there === path
      ? "no service works on it"
      : "not there yet";
  yield checked("data folder", state, `${path}: ${use}, ${mb} MB are free${advice}`);
}

function existingAbove(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingAbove(dirname(path));
}

const run = promisify(execFile);
const browserMs = 20_000;

/** A program that tells its version has found its libraries. */
async function browser({ browser: { path }, searchPath, dataDir }: Config): Promise<Checked> {
  const { browserHint, findBrowser } = await import("../../mixins/browser/find-browser.ts");
  try {
    const found = await findBrowser(path, { searchPath, dataDir });
    if (!found) return checked("browser", "warn", browserHint);
    const { stdout } = await run(found.executablePath, ["--version"], {
      timeout: browserMs,
      env: { ...found.env },
    });
    const said = `${stdout.trim() || "it starts"}, at ${found.executablePath}`;
    const hasFonts = found.env.FONTCONFIG_PATH !== undefined || process.platform !== "linux" || fontsThere();
    if (hasFonts) return checked("browser", "ok", said);
    return checked(
      "browser",
      "warn",
      `${said}; no fonts, so pictures show boxes (Debian: apt-get install fonts-noto-core)`,
    );
  } catch (error) {
    const [line = ""] = (error as Error).message.split("\n");
    return checked(
      "browser",
      "fail",
      `${line.replace(/\.$/, "")}. Pages with scripts cannot be read until it starts.`,
    );
  }
}

function fontsThere(): boolean {
  return ["/usr/share/fonts", "/usr/local/share/fonts"].some(
    path => existsSync(path) && readdirSync(path).length > 0,
  );
}

async function* servers(cluster: NonNullable<Config["cluster"]>): AsyncGenerator<Checked> {
  yield await looked("NATS", async () => {
    const [{ connect }, { natsOptions }] = await Promise.all([
      import("nats"),
      import("../../mixins/bus/nats-client.ts"),
    ]);
    const connection = await connect({ ...natsOptions(cluster.natsUrl), reconnect: false });
    const version = connection.info?.version;
    await connection.close();
    return checked("NATS", "ok", `answers, version ${version}`);
  });
  yield await looked("Redis", async () => {
    const { checkRedis } = await import("../../mixins/cluster/check-redis.ts");
    const warnings = await checkRedis(cluster);
    if (warnings.length > 0) return checked("Redis", "warn", warnings.join(" "));
    return checked("Redis", "ok", "answers, keeps what it takes, forgets nothing, and its clock is ours");
  });
  yield await looked("MongoDB", async () => {
    const { closeMongo, openMongo } = await import("../../mixins/cluster/mongo.ts");
    const { db } = await openMongo(cluster);
    const hello = await db.admin().command({ hello: 1 });
    const { version } = await db.admin().command({ buildInfo: 1 });
    await closeMongo(cluster);
    if (hello.setName || hello.msg === "isdbgrid")
      return checked("MongoDB", "ok", `answers, version ${version}, replicated`);
    return checked(
      "MongoDB",
      "warn",
      `version ${version} without a replica set: the cluster stops and ends with this server.`,
    );
  });
}

async function looked(check: string, look: () => Promise<Checked>): Promise<Checked> {
  try {
    return await look();
  } catch (error) {
    return checked(check, "fail", (error as Error).message);
  }
}

const askMs = 5_000;

async function gateway(config: Config, server: string | undefined): Promise<Checked[]> {
  const isNamed = server !== undefined || readSetting("MAGPIE_URL", readEnv()) !== undefined;
  const isHere = !config.cluster && isFolderInUse(resolve(config.dataDir));
  if (!isNamed && !isHere && readGatewayAddress(config) === undefined) return [await port(config)];
  let asked: ReturnType<typeof serverOf>;
  try {
    asked = serverOf({ server });
  } catch (error) {
    return [checked("key", "warn", (error as Error).message)];
  }
  const { url, key } = asked;
  try {
    const ready = await ask(`${url}/health/ready`);
    const { status, message } = (await ready.body.json()) as { status?: string; message?: string };
    const isReady = ready.statusCode === 200;
    const state = !isReady ? "fail" : status === "degraded" ? "warn" : "ok";
    const said = checked("gateway", state, `${url} is ${isReady ? status : `not ready: ${message}`}`);
    const me = await ask(`${url}/users/me`, { "x-api-key": key });
    await me.body.dump();
    if (me.statusCode === 401)
      return [said, checked("key", "fail", "the gateway refuses the API key. Set MAGPIE_API_KEY.")];
    return [said, checked("key", "ok", "the gateway takes the API key")];
  } catch (error) {
    if (!isNamed && !isHere) return [await port(config)];
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    return [checked("gateway", "fail", `${url} does not answer (${why}). Start it, or mend MAGPIE_URL.`)];
  }
}

function ask(url: string, headers: Record<string, string> = {}) {
  return request(url, { headers, signal: AbortSignal.timeout(askMs) });
}

async function port({ host, port: wanted }: Config): Promise<Checked> {
  const probe = createServer();
  try {
    await once(probe.listen(wanted, host), "listening");
    return checked("port", "ok", `${host}:${wanted} is free; no service runs here. Start one: magpie serve`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return checked(
      "port",
      "fail",
      `${host}:${wanted} cannot be used (${code}). Set PORT or HOST to another.`,
    );
  } finally {
    probe.close();
  }
}
