import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { postgresProgram } from "../../bench/peers/postgres.ts";
import { findOnPath } from "../../support/debian-binary.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { needs } from "../../support/needs.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { withoutBrowser } from "../../support/start-args.ts";
import { until } from "../../support/until.ts";
import { blocksOf, page, root } from "../pages.ts";
import { type Service, startService } from "../service.ts";
import { Tutorial } from "./tutorial.ts";

const hasPostgres =
  findOnPath("psql") !== undefined &&
  (findOnPath("postgres") !== undefined || globSync("/usr/lib/postgresql/*/bin/postgres").length > 0);
const python = pythonWithPsycopg();
const withPostgres = needs(
  hasPostgres && python !== undefined,
  "PostgreSQL (Debian: apt-get install postgresql) and Python with pip, for the tutorial about them",
  { isOptional: true },
);

/** An environment of Python with the one package of the program, made once beside the dependencies. */
function pythonWithPsycopg(): string | undefined {
  const folder = join(root, "node_modules/.cache/magpie/psycopg-3.3.9");
  const ready = () => spawnSync(join(folder, "bin/python3"), ["-c", "import psycopg"]).status === 0;
  if (existsSync(folder) && ready()) return join(folder, "bin");
  spawnSync("python3", ["-m", "venv", "--clear", folder]);
  spawnSync(join(folder, "bin/pip"), ["install", "-q", "psycopg[binary]==3.3.9"]);
  return ready() ? join(folder, "bin") : undefined;
}

const titles = ["An old song"];
const began = Date.now();
const feed =
  () => `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News of the nest</title>
  <id>tag:nest</id><updated>2026-01-01T00:00:00Z</updated>${titles
    .map(
      (title, n) => `<entry><id>tag:${n}</id><title>${title}</title><link href="https://news.example/${n}"/>
        <updated>${new Date(began + n).toISOString()}</updated><content>${title}.</content></entry>`,
    )
    .reverse()
    .join("")}</feed>`;

let service: Service;
let news: Site;
let database: TestServer;
let tutorial: Tutorial | undefined;

test("the program of the page is the one of the examples", () => {
  const shown = blocksOf(page("docs/tutorials/events-into-postgres.md"));
  const text = shown.find(({ info }) => info === "python events_into_postgres.py")?.text;
  expect(text).toBe(readFileSync(join(root, "examples/python/events_into_postgres.py"), "utf8"));
});

withPostgres.describe("a program that writes events into PostgreSQL", () => {
  beforeAll(async () => {
    [service, news, database] = await Promise.all([
      startService({ POLL_MIN_INTERVAL: "1s", ...withoutBrowser }),
      startSite((_request, response) => {
        response.writeHead(200, { "content-type": "application/atom+xml" }).end(feed());
      }),
      startServer(postgresProgram("magpie")),
    ]);
  });
  afterAll(async () => {
    await tutorial?.stop();
    await service?.stop();
    await Promise.all([news?.close(), database?.stop()]);
  });

  test("has each event once, also after a kill", async () => {
    const url = `postgresql://magpie@127.0.0.1:${database.port}/postgres`;
    tutorial = await Tutorial.open("events-into-postgres", {
      service,
      addresses: { "https://news.example": news.url },
      env: { DATABASE_URL: url, PATH: `${python}:${process.env.PATH}` },
    });
    await tutorial.next();
    const first = await tutorial.begin();
    await first.shows();
    titles.push("A nest is built", "An egg is laid");
    await until("both events are written", () => first.output().includes("up to 2"));
    await first.kill();
    titles.push("A chick hatches");
    const second = await tutorial.begin();
    await second.shows();
    await tutorial.next();
    await second.kill();
    await tutorial.close();
    const psql = (query: string) =>
      execFileSync("psql", [url, "-qAt", "-c", query], { encoding: "utf8" }).trim();
    // The order of the log, and no gap.
    expect(psql("select string_agg(seq::text, ',' order by seq) from magpie_events")).toBe("1,2,3");
    expect(psql("select count(*), count(distinct id) from magpie_events")).toBe("3|3");
  });
});
