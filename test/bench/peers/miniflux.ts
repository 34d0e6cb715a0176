import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { freePort, startServer } from "../../support/server.ts";
import { installWithGo } from "./install-with-go.ts";
import { openPsql, postgresProgram } from "./postgres.ts";
import { untilItAnswers } from "./until-it-answers.ts";

export interface Miniflux {
  /** Its own, and PostgreSQL's. */
  pids: number[];
  /** Subscribes one user to feeds. */
  follow(urls: string[]): Promise<void>;
  /** Has its workers refresh so many feeds, of which each comes up again after all others; answers how many a second. */
  refresh(count: number): Promise<number>;
  stop(): Promise<void>;
}

const lookEveryMs = 50;
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
  const agent = new Agent();
  const ask = asker(`http://127.0.0.1:${port}/v1`, agent);
  const database = openPsql("miniflux", postgres.port);
  const stop = async () => {
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
    await database.close();
    await Promise.all([agent.destroy(), postgres.stop()]);
  };
  const due = async () =>
    Number(await database.ask("SELECT count(*) FROM feeds WHERE next_check_at <= now()"));
  try {
    await untilItAnswers(() => ask("GET", "/me"));
    return {
      pids: [child.pid ?? 0, postgres.pid ?? 0],
      follow: async urls => {
        await ask("POST", "/import", opml(urls));
        // Refreshed once: a feed that is new is due.
        await ask("PUT", "/feeds/refresh");
        while ((await due()) > 0) await delay(lookEveryMs);
      },
      refresh: async count => {
        // Those that were refreshed the longest ago. A user's refresh takes what is due, all of it.
        const oldest = `SELECT id FROM feeds ORDER BY checked_at LIMIT ${count}`;
        const update = `UPDATE feeds SET next_check_at = now() WHERE id IN (${oldest}) RETURNING 1`;
        await database.ask(`WITH changed AS (${update}) SELECT count(*) FROM changed`);
        const started = performance.now();
        await ask("PUT", "/feeds/refresh");
        while ((await due()) > 0) await delay(lookEveryMs);
        return count / ((performance.now() - started) / 1000);
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
