import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { removeFolder } from "../../support/folders.ts";
import { installWithPip } from "./install-with-pip.ts";

const startMs = 120_000;

/** changedetection.io as it is installed, with its defaults, driven by its API. */
export async function startChangedetection() {
  const bin = await installWithPip("changedetection", "changedetection.io==0.60.10");
  const folder = await mkdtemp(join(tmpdir(), "changedetection-"));
  const port = await freePort();
  const child = spawn(
    join(bin, "changedetection.io"),
    ["-d", folder, "-h", "127.0.0.1", "-p", String(port)],
    {
      stdio: "ignore",
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        ALLOW_IANA_RESTRICTED_ADDRESSES: "true",
        DISABLE_VERSION_CHECK: "true",
        MINIMUM_SECONDS_RECHECK_TIME: "0",
      },
    },
  );
  const stop = async () => {
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
    await removeFolder(folder);
  };
  const api = `http://127.0.0.1:${port}/api/v1`;
  try {
    const key = await untilReady(folder, api);
    const list = async (query = "") =>
      (await ask(`${api}/watch${query}`, key)) as Record<string, { url: string; last_changed: number }>;
    // It begins with some watches of its own.
    for (const id of Object.keys(await list())) await ask(`${api}/watch/${id}`, key, "DELETE");
    return {
      pids: [child.pid ?? 0],
      watch: async (urls: string[]) => {
        for (const url of urls) await ask(`${api}/watch`, key, "POST", { url });
      },
      recheck: async () => {
        // Its queue keeps no order: pages that are asked for again would pass those that wait, for ever.
        const { queue_size } = (await ask(`${api}/systeminfo`, key)) as { queue_size: number };
        if (queue_size === 0) await list("?recheck_all=1");
      },
      told: async () =>
        new Set(
          Object.values(await list())
            .filter(({ last_changed }) => last_changed > 0)
            .map(({ url }) => url),
        ),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Its API key, once it answers. */
async function untilReady(folder: string, api: string): Promise<string> {
  const end = Date.now() + startMs;
  for (let cause: unknown; ; ) {
    if (Date.now() > end) throw new Error("changedetection.io did not start", { cause });
    await delay(500);
    try {
      const key = await keyIn(folder);
      await ask(`${api}/systeminfo`, key);
      return key;
    } catch (error) {
      cause = error;
    }
  }
}

async function keyIn(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter(name => name.endsWith(".json"));
  const texts = await Promise.all(names.map(name => readFile(join(folder, name), "utf8")));
  const [, key] = /"api_access_token":\s*"([^"]+)"/.exec(texts.join("\n")) ?? [];
  if (key === undefined) throw new Error("there is no key yet");
  return key;
}

async function ask(url: string, key: string, method: "GET" | "POST" | "DELETE" = "GET", body?: object) {
  const answer = await request(url, {
    method,
    headers: { "x-api-key": key, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${url}: HTTP ${answer.statusCode} ${text.slice(0, 300)}`);
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return Object(address).port as number;
}
