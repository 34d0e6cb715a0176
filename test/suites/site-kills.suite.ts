import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterConfig } from "../../mixins/config/config.ts";
import { type Expected, together } from "../support/edited-site/edits.ts";
import { judgeEvents, type SiteEvent } from "../support/edited-site/judge-events.ts";
import { linkAll } from "../support/edited-site/link-all.ts";
import { type EditedSite, startEditedSite } from "../support/edited-site.ts";
import { removeFolder } from "../support/folders.ts";
import { request } from "../support/magpie.ts";
import type { KillAt, RoundAsked, SiteNodeTask } from "../support/site-node.process.ts";

const [pages, edits] = [40, { edits: 2, added: 2, gone: 0, moves: 3 }];

/** Where processes die, one after the other, in the first visits of all pages and in two rounds after them. */
const deaths: KillAt[][] = [
  [
    { moment: "offer", n: 1 },
    { moment: "settle", n: 2 },
  ],
  [
    { moment: "offer", n: 1 },
    { moment: "settle", n: 1 },
    { moment: "posts", n: 1 },
    { moment: "append", n: 1 },
  ],
  // What the round before has told is acknowledged at the begin of this one.
  [
    { moment: "acknowledge", n: 1 },
    { moment: "append", n: 1 },
    { moment: "settle", n: 1 },
  ],
];

interface Place {
  dataDir: string;
  cluster?: ClusterConfig;
}

/** A site with pages that change, come and move is read by a process that is killed at a moment of its steps. */
export function siteKillsSuite(name: string, cluster?: () => ClusterConfig): void {
  describe(`kill -9 amid a step through a site: ${name}`, () => {
    let site: EditedSite;
    let dataDir: string;
    beforeEach(async () => {
      site = await startEditedSite({ seed: 11, pages });
      dataDir = mkdtempSync(join(tmpdir(), "magpie-site-kills-"));
    });
    afterEach(async () => {
      await site.close();
      await removeFolder(dataDir);
    });

    test("what became of each page is told once, and nothing else, wherever it dies", async () => {
      const place: Place = { dataDir, ...(cluster && { cluster: cluster() }) };
      const source = await track(place, site.url);
      const [due, died] = [[] as Expected[], [] as KillAt[][]];
      for (const [round, planned] of deaths.entries()) {
        if (round > 0) due.push(site.edit(round, edits));
        linkAll(site);
        died.push(await dieIn(place, planned, { source, isFirst: round === 0 }));
      }
      // A round may end before a process gets where it would die; each moment is met in one of them.
      const moments = (rounds: KillAt[][]) => new Set(rounds.flat().map(({ moment }) => moment));
      expect(moments(died)).toEqual(moments(deaths));
      expect(judgeEvents(site, await eventsOf(place), together(...due))).toEqual([]);
    }, 900_000);
  });
}

/** A process that lives, or one that kills itself. */
async function start(place: Place, killAt?: KillAt) {
  const file = new URL("../support/site-node.process.ts", import.meta.url);
  const child = fork(file, { execArgv: ["--no-warnings"] });
  await once(child, "message");
  child.send({ ...place, ...(killAt && { killAt }) } satisfies SiteNodeTask);
  const [url] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [string];
  return { child, url, gone: once(child, "exit") };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

async function track(place: Place, sid: string): Promise<string> {
  const { child, url } = await start(place);
  const reply = await request(url, "POST", "/track/site", { body: { sid } });
  await end(child);
  expect([reply.status, reply.text]).toEqual([201, reply.text]);
  return reply.json<{ data: { id: string } }>().data.id;
}

/** A round, by processes that die in it one after the other, and one that lives; answers where they did. */
async function dieIn(place: Place, planned: KillAt[], asked: RoundAsked): Promise<KillAt[]> {
  const died: KillAt[] = [];
  for (const killAt of [...planned, undefined]) {
    const { child, gone } = await start(place, killAt);
    child.send(asked);
    await Promise.race([once(child, "message"), gone]);
    if (killAt && child.signalCode === "SIGKILL") died.push(killAt);
    await end(child);
  }
  return died;
}

async function eventsOf(place: Place): Promise<SiteEvent[]> {
  const { child, url } = await start(place);
  const reply = await request(url, "GET", "/events?limit=100");
  await end(child);
  return reply.json<{ data: SiteEvent[] }>().data;
}
