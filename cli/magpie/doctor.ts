import { statSync } from "node:fs";
import { Command } from "commander";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { misspelt, readEnv } from "../../mixins/config/env.ts";
import { type Checked, checked } from "./doctor/checked.ts";
import { gateway } from "./doctor/gateway.ts";
import { browser, folder } from "./doctor/machine.ts";
import { servers } from "./doctor/servers.ts";
import { exitCodes } from "./failure.ts";
import { examples, type Given } from "./options.ts";
import { oneLine, printJson, printLine } from "./screen.ts";

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
