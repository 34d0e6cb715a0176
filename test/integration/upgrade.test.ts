import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, type Program, startProgram } from "../../tools/data-folder/program.ts";
import { type KeptSite, type Received, startSite } from "../../tools/data-folder/site.ts";
import type { KeptAnswers } from "../../tools/data-folder/write.ts";
import { removeFolder } from "../support/folders.ts";
import { until } from "../support/until.ts";

const archives = globSync("data-*.tar.gz", { cwd: join(import.meta.dirname, "../fixtures") });

/** What goes on by itself, or is of the process that answers. */
const volatile = new Set(
  "polled_at due_at interval_ms checks last_check bytes requests_today waiting failures next_attempt_at atom_url json_url expires_at".split(
    " ",
  ),
);

/** Where an answer lacks what it had, as paths. More than it had is no loss: a release may add fields. */
function lostOf(kept: unknown, found: unknown, path = ""): string[] {
  if (typeof kept !== "object" || kept === null)
    return Object.is(kept, found) ? [] : [`${path}: ${kept}, now ${found}`];
  if (Array.isArray(kept) && kept.length !== (found as unknown[] | undefined)?.length)
    return [`${path}: ${kept.length} entries, now ${(found as unknown[] | undefined)?.length}`];
  return Object.entries(kept)
    .filter(([key]) => !volatile.has(key))
    .flatMap(([key, value]) => lostOf(value, (found as Answer | undefined)?.[key], `${path}/${key}`));
}

/** As a receiver of then would check it. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return headers["webhook-signature"] === `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

test("the folder of the last release is kept", () => {
  expect(archives).toContain("data-0.2.0.tar.gz");
});

describe.each(archives)("%s, at a start of this version", archive => {
  let folder = "";
  let kept: KeptAnswers;
  let site: KeptSite;
  let program: Program;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magpie-upgrade-"));
    execFileSync("tar", ["-xzf", join(import.meta.dirname, "../fixtures", archive), "-C", folder]);
    kept = JSON.parse(readFileSync(join(folder, "answers.json"), "utf8"));
    site = await startSite(kept.edition);
    // Two minutes after it was written, however long ago that is: events wait for an endpoint for 72 hours.
    program = await startProgram(folder, Date.parse(kept.writtenAt) + 120_000 - Date.now());
  });

  afterAll(async () => {
    await program?.stop();
    await site?.stop();
    await removeFolder(folder);
  });

  const toAway = () => site.received.filter(({ path }) => path === "/hooks/away");
  const idsOf = (received: Received[]) => received.map(({ headers }) => headers["webhook-id"]);

  test("answers what it answered", async () => {
    const paths = Object.keys(kept.answers);
    expect(paths.length).toBeGreaterThan(15);
    for (const path of paths) {
      const answer = await program.ask("GET", path);
      expect([path, lostOf(kept.answers[path], answer)]).toEqual([path, []]);
    }
  });

  test("delivers what waited, each event once, signed with the secret of then", async () => {
    const { eventIds, secret } = kept.away;
    expect(eventIds).toHaveLength(4);
    site.isAway = false;
    // It may have been tried since the start, and would wait for its next attempt.
    for (const enabled of [false, true]) await program.ask("PATCH", `/webhooks/${kept.away.id}`, { enabled });
    await until("all that waited is there", () => toAway().length >= eventIds.length);
    expect(idsOf(toAway()).toSorted()).toEqual(eventIds.toSorted());
    expect(toAway().filter(each => !isSigned(each, secret))).toEqual([]);
    expect(site.received.filter(({ path }) => path === "/hooks/here")).toEqual([]);
  });

  test("goes on from there: the next change of a page is told after the version of then", async () => {
    const tracked = kept.answers["/track?limit=50"]?.data as Answer[];
    const page = tracked.find(({ source }) => source === "WEB")?.id;
    const versions = kept.answers[`/sources/${page}/versions`]?.data as Answer[];
    site.edition = kept.edition + 1;
    const told = () =>
      toAway()
        .map(({ body }) => JSON.parse(body))
        .find(
          ({ data, type }) =>
            type === "web.page.changed" &&
            data.version !== undefined &&
            !versions.some(({ id }) => id === data.version),
        );
    await until("the change is told", async () => {
      // A source is polled by hand every 30 s at most; until then this is refused.
      await program.ask("POST", "/track/web/poll", { iid: page }).catch(() => undefined);
      return told() !== undefined;
    });
    expect(versions.map(({ id }) => id)).toContain(told().data.previous_version);
  });
});
