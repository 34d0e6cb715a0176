import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { removeFolder } from "../../support/folders.ts";
import { freePort } from "../../support/server.ts";
import type { StreamServer } from "../stream-load.ts";
import { installWithGo } from "./install-with-go.ts";
import { untilItAnswers } from "./until-it-answers.ts";

const apiKey = "bench";
/** Its clients say that they live with an empty object. */
const ping = "{}";

/**
 * Centrifugo with its defaults in one process, but that anybody may connect and subscribe, and that each channel keeps its
 * last messages for those who come back, as Magpie's streams do; in memory, not on disk.
 */
export async function startCentrifugo(): Promise<StreamServer & { stop(): Promise<void> }> {
  const program = await installWithGo("github.com/centrifugal/centrifugo/v6@v6.9.1");
  const folder = await mkdtemp(join(tmpdir(), "centrifugo-"));
  const port = await freePort();
  const file = join(folder, "config.json");
  await writeFile(file, JSON.stringify(settings(port)));
  const child = spawn(program, ["--config", file], { stdio: "ignore", env: { HOME: folder } });
  const agent = new Agent();
  const ask = asker(`http://127.0.0.1:${port}/api`, agent);
  const stop = async () => {
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await Promise.all([gone, agent.destroy()]);
    await removeFolder(folder);
  };
  try {
    await untilItAnswers(() => ask("info", {}));
  } catch (error) {
    await stop();
    throw error;
  }
  const command = (id: number, method: string, params: object) => JSON.stringify({ id, [method]: params });
  return {
    pids: [child.pid ?? 0],
    socketsOf: channel => ({
      url: `ws://127.0.0.1:${port}/connection/websocket`,
      first: [command(1, "connect", {}), command(2, "subscribe", { channel: nameOf(channel) })],
      echo: ping,
    }),
    publish: (channel, text) => ask("publish", { channel: nameOf(channel), data: eventWith(text) }),
    stop,
  };
}

function settings(port: number) {
  return {
    http_server: { address: "127.0.0.1", port: String(port) },
    http_api: { key: apiKey },
    client: { allow_anonymous_connect_without_token: true },
    channel: {
      without_namespace: {
        allow_subscribe_for_client: true,
        allow_subscribe_for_anonymous: true,
        history_size: 1000,
        history_ttl: "300s",
      },
    },
  };
}

function nameOf(channel: number): string {
  return `channel${channel}`;
}

/** About as long as what Magpie makes of such a text. */
function eventWith(text: string) {
  return {
    id: "evt_01M82FMDF1M82FMDF1M82FMDF1",
    type: "microblog.post.created",
    text,
    more: "x".repeat(400),
  };
}

function asker(api: string, dispatcher: Agent) {
  return async (method: string, body: object) => {
    const answer = await request(`${api}/${method}`, {
      method: "POST",
      dispatcher,
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const said = (await answer.body.json()) as { error?: object };
    if (answer.statusCode !== 200 || said.error !== undefined)
      throw new Error(`Centrifugo: ${method}: HTTP ${answer.statusCode} ${JSON.stringify(said)}`);
  };
}
