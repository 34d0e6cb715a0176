import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "undici";
import { freePort, startServer } from "../../support/server.ts";
import { rate } from "../compare.ts";
import { installWithGo } from "./install-with-go.ts";
import { postgresProgram } from "./postgres.ts";
import { untilItAnswers } from "./until-it-answers.ts";

export interface Miniflux {
  /** Its own, and PostgreSQL's. */
  pids: number[];
  /** Subscribes one user to feeds. */
  follow(urls: string[]): Promise<void>;
  /** Refreshes so many feeds, of which each comes up again after all others; answers how many a second. */
  refresh(count: number): Promise<number>;
  stop(): Promise<void>;
}

/** Feeds at a time: as many as it has workers by default. */
const workers = 16;
const user = { name: "bench", password: "bench-password" };

/** Miniflux with its defaults, but that it may reach loopback; with a PostgreSQL of its own. */
export async function startMiniflux(): Promise<Miniflux> {
  const program = await installWithGo("miniflux.app/v2@v2.3.5");
  const postgres = await startServer(postgresProgram("miniflux"));
  const port = await freePort();
  const child = spawn(program, {
    stdio: ["ignore", "ignore", "ignore"],
    env: {
      DATABASE_URL: `postgres://miniflux@127.0.0.1:${postgres.port}/postgres?sslmode=disable`,
      LISTEN_ADDR: `127.0.0.1:${port}`,
      RUN_MIGRATIONS: "1",
      CREATE_ADMIN: "1",
      ADMIN_USERNAME: user.name,
      ADMIN_PASSWORD: user.password,
      FETCHER_ALLOW_PRIVATE_NETWORKS: "1",
    },
  });
  const agent = new Agent({ connections: workers });
  const ask = asker(`http://127.0.0.1:${port}/v1`, agent);
  const stop = async () => {
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
    await Promise.all([agent.destroy(), postgres.stop()]);
  };
  let ids: number[] = [];
  let next = 0;
  try {
    await untilItAnswers(() => ask("GET", "/me"));
    return {
      pids: [child.pid ?? 0, postgres.pid ?? 0],
      follow: async urls => {
        await ask("POST", "/import", opml(urls));
        const feeds = (await ask("GET", "/feeds")) as { id: number }[];
        ids = feeds.map(({ id }) => id);
      },
      refresh: count => {
        const turn = Array.from({ length: count }, () => ids[next++ % ids.length]);
        return rate(turn, workers, id => ask("PUT", `/feeds/${id}/refresh`));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function asker(api: string, dispatcher: Agent) {
  const authorization = `Basic ${Buffer.from(`${user.name}:${user.password}`).toString("base64")}`;
  return async (method: "GET" | "POST" | "PUT", path: string, body?: string): Promise<unknown> => {
    const answer = await request(api + path, {
      method,
      dispatcher,
      headers: { authorization },
      body: body ?? null,
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`Miniflux: ${path}: HTTP ${answer.statusCode} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
}

function opml(urls: string[]): string {
  const outlines = urls.map(url => `<outline type="rss" text="${url}" title="${url}" xmlUrl="${url}" />`);
  return `<?xml version="1.0"?><opml version="2.0"><body>${outlines.join("")}</body></opml>`;
}
