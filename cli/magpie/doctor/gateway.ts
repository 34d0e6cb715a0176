import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { request } from "undici";
import type { Config } from "../../../mixins/config/config.ts";
import { readEnv, readSetting } from "../../../mixins/config/env.ts";
import { readGatewayAddress } from "../../../mixins/config/gateway-address.ts";
import { isFolderInUse } from "../../../mixins/store/sqlite/folder-lock.ts";
import { serverOf } from "../server.ts";
import { type Checked, checked } from "./checked.ts";

const askMs = 5_000;

/** Whether the gateway is ready and takes the key; where none runs here, whether its port is free. */
export async function gateway(config: Config, server: string | undefined): Promise<Checked[]> {
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
