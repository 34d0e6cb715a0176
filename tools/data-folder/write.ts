/**
 * `node tools/data-folder/write.ts`, once a release: writes test/fixtures/data-<version>.tar.gz, a data folder of the program
 * as it is, with what it answers about what it has. A test starts later versions on it.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type Program, startProgram } from "./program.ts";
import { siteUrl, startSite } from "./site.ts";

/** What is asked of the folder, and what was answered. */
export interface KeptAnswers {
  writtenAt: string;
  edition: number;
  /** The secret of the endpoint that refuses, and what waits for it. */
  away: { id: string; secret: string; eventIds: string[] };
  /** Paths of requests as the first key or the administrator, with their answers. */
  answers: Record<string, Answer>;
}

const root = join(import.meta.dirname, "../..");
const patienceMs = 120_000;

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "magpie-data-folder-"));
const site = await startSite(1);
const program = await startProgram(folder);
try {
  const kept = await fill(program);
  await program.stop();
  writeFileSync(join(folder, "answers.json"), `${JSON.stringify(kept, null, 2)}\n`);
  rmSync(join(folder, "magpie.lock"), { force: true });
  const archive = join(root, `test/fixtures/data-${version}.tar.gz`);
  const owner = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"];
  execFileSync("tar", ["-czf", archive, ...owner, "--exclude=.cache", "--exclude=tmp", "-C", folder, "."]);
  console.log(archive);
} finally {
  await program.stop();
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function fill({ ask }: Program): Promise<KeptAnswers> {
  await ask("POST", "/internal/keys", { owner: "ada", name: "laptop", quotas: { day: { pages: 500 } } });
  const { data: webhook } = await ask("POST", "/webhooks", { url: `${siteUrl}/hooks/here`, name: "Here" });
  const { data: away } = await ask("POST", "/webhooks", {
    ...{ url: `${siteUrl}/hooks/away`, name: "Away", event_types: ["web.page.changed", "rss.item.created"] },
  });
  await ask("POST", "/feeds", { name: "Everything" });
  const sources: [kind: string, body: Answer][] = [
    ["rss", { sid: `${siteUrl}/feed.xml`, options: { tags: ["shop"] } }],
    [
      "web",
      { sid: `${siteUrl}/lamp`, options: { when: { value: { select: ".price", changed_by_percent: 0.1 } } } },
    ],
    ["site", { sid: `${siteUrl}/shop/`, options: { tags: ["shop"] } }],
    ["microblog", { sid: "quiet_wren" }],
    ["chatserver", { sid: "hush" }],
    ["messenger", { sid: "@still_pond" }],
  ];
  const ids: Record<string, string> = {};
  for (const [kind, body] of sources) ids[kind] = (await ask("POST", `/track/${kind}`, body)).data.id;
  const crawl = await ask("POST", "/web/crawl", { url: `${siteUrl}/shop/`, crawler: { limit: 5 } });
  const scrape = await ask("POST", "/web/scrape", { url: `${siteUrl}/lamp` });
  for (const edition of [2, 3]) {
    site.edition = edition;
    for (const kind of ["rss", "web"])
      await untilIs(async () => {
        // A source is polled by hand every 30 s at most; until then this is refused.
        await ask("POST", `/track/${kind}/poll`, { iid: ids[kind] }).catch(() => undefined);
        return (await eventsOf(ask, ids[kind])).length === edition - 1;
      });
  }
  await untilIs(async () => (await ask("GET", `/web/crawl/${crawl.crawl_id}`)).status === "completed");
  await untilIs(async () => site.received.length === 4);
  const events = (await ask("GET", "/events")).data as Answer[];
  const { data: versions } = await ask("GET", `/sources/${ids.web}/versions`);
  const paths = [
    ...["/users/me", "/internal/keys", "/track?limit=50", "/webhooks", "/feeds", "/events"],
    ...Object.values(ids).map(id => `/sources/${id}`),
    ...[`/sources/${ids.web}/versions`, `/sources/${ids.rss}/versions`, `/sources/${ids.web}/values`],
    ...[`/sources/${ids.web}/versions/${versions.at(-1).id}?as=text`, `/sources/${ids.site}/pages`],
    ...[`/web/crawl/${crawl.crawl_id}`, `/web/scrape/${scrape.scrape_id}`, "/search?q=lantern"],
    ...[`/webhooks/${webhook.id}/deliveries`],
  ];
  const answers: Record<string, Answer> = {};
  for (const path of paths) answers[path] = await ask("GET", path);
  return {
    ...{ writtenAt: new Date().toISOString(), edition: site.edition },
    away: { id: away.id, secret: away.secret, eventIds: events.map(({ id }) => id) },
    answers,
  };
}

async function eventsOf(ask: Program["ask"], source = ""): Promise<Answer[]> {
  return (await ask("GET", `/events?source=${source}`)).data as Answer[];
}

async function untilIs(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(1000)) if (await isSo()) return;
  throw new Error("What the folder is to have did not come about in time.");
}
