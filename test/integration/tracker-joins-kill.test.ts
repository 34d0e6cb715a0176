import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../mixins/store/sqlite/database.ts";
import { removeFolder } from "../support/folders.ts";

/**
 * A tracker that wants into a gated channel for two keys, and out of an open one. It dies of SIGKILL after its n-th step
 * that outlives it: a write, or a question to the platform. It says "done" when nothing is left to do.
 */
const program = `
  import { ServiceBroker } from "moleculer";
  import { call } from "./services/contracts/action.ts";
  import { defaultLimits } from "./services/contracts/caller.ts";
  import { trackStatus } from "./services/contracts/tracker.contract.ts";
  import { track, untrack } from "./services/contracts/tracker.contract.ts";
  import { trackerService } from "./services/tracker/tracker.service.ts";
  import { retention } from "./test/support/retention.ts";
  import { SocialUpstream, socialUpstreamService } from "./test/fakes/social-upstream.ts";
  import { until } from "./test/support/until.ts";
  const [dataDir, fatal] = [process.argv[1], Number(process.argv[2])];
  let steps = 0;
  const step = () => {
    steps += 1;
    if (steps === fatal) process.kill(process.pid, "SIGKILL");
  };
  const upstream = new SocialUpstream(dataDir + "/upstream");
  upstream.decided.set("+gate", { state: "in" });
  const lasting = work => async (...args) => {
    const result = await work(...args);
    step();
    return result;
  };
  for (const operation of ["follow", "letGo", "requestJoin", "checkJoin"])
    upstream[operation] = lasting(upstream[operation].bind(upstream));
  const broker = new ServiceBroker({ logger: false });
  broker.createService(socialUpstreamService(upstream));
  const service = broker.createService(trackerService({ dataDir, pollMinIntervalMs: 60_000, ...retention }));
  await broker.start();
  const { context } = service;
  for (const store of [context.sources, context.states, context.subscriptions, context.tallies,
                       context.jobs, context.joins, context.pendingUnfollows])
    for (const write of ["insert", "change", "update", "upsert", "remove", "removeMany", "updateMany"])
      store[write] = lasting(store[write]);
  const as = (keyId, action, params) =>
    call(broker, action, params, { meta: { caller: { keyId, owner: "ann", limits: defaultLimits } } });
  // Whether or not a client comes back.
  await until("nothing is followed that is not tracked", async () => {
    const followed = upstream.followed();
    const tracked = new Set((await context.sources.find()).map(({ externalId }) => externalId));
    return followed.every(id => tracked.has(id));
  });
  await Promise.all(["k1", "k2"].map(async keyId => {
    const wish = await as(keyId, track, { source: "messenger", sid: "+gate" });
    if ("jobId" in wish)
      await until("completed", async () =>
        (await as(keyId, trackStatus, { source: "messenger", id: wish.jobId })).state === "completed");
  }));
  await as("k1", track, { source: "messenger", sid: "open" });
  await as("k1", untrack, { source: "messenger", eid: "id-open" });
  await until("nothing is left", async () => {
    const left = [context.joins, context.pendingUnfollows].map(store => store.count());
    return (await Promise.all(left)).every(count => count === 0);
  });
  await broker.stop();
  process.stdout.write("done " + steps);`;

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-tracker-joins-kill-"));
});
afterEach(() => removeFolder(dataDir));

/** Runs until the step, or to the end; tells how many steps it took, null when it was killed. */
async function run(fatal: number): Promise<number | null> {
  const args = ["--no-warnings", "--input-type=module", "-e", program, dataDir, String(fatal)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", chunk => {
    said += String(chunk);
  });
  const [code, signal] = await once(child, "close");
  if (signal === "SIGKILL") return null;
  expect([code, said]).toEqual([0, expect.stringMatching(/^done \d+$/)]);
  return Number(said.slice("done ".length));
}

/** What the platform was asked, and what the store holds now. */
function outcome() {
  const calls = readFileSync(join(dataDir, "upstream"), "utf8").split("\n").slice(0, -1);
  const path = join(dataDir, "magpie.db");
  const database = openDatabase(path);
  const column = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map(row => String(row.found));
  const found = {
    requests: calls.filter(call => call === "requestJoin +gate").length,
    lastOfOpen: calls.findLast(call => / id-open$/.test(call) && !call.startsWith("poll")),
    lastOfGate: calls.findLast(call => / id-\+gate$/.test(call) && !call.startsWith("poll")),
    sources: column("SELECT doc ->> '$.externalId' AS found FROM sources"),
    subscribers: column("SELECT doc ->> '$.keyId' AS found FROM subscriptions ORDER BY 1"),
    unfinished: column("SELECT doc ->> '$.state' AS found FROM track_jobs WHERE doc ->> '$.joinId' <> ''"),
    failed: column("SELECT doc ->> '$.state' AS found FROM track_jobs WHERE doc ->> '$.state' = 'failed'"),
  };
  closeDatabase(path);
  return found;
}

const expected = {
  requests: 1,
  lastOfOpen: "letGo id-open",
  lastOfGate: "follow id-+gate",
  sources: ["id-+gate"],
  subscribers: ["k1", "k2"],
  unfinished: [],
  failed: [],
};

test("killed after every step: let in after asking exactly once, and nothing stays followed that is not tracked", async () => {
  const steps = Number(await run(0));
  expect(outcome()).toEqual(expected);
  expect(steps).toBeGreaterThan(15);
  for (let fatal = 1; fatal <= steps; fatal += 1) {
    await removeFolder(dataDir);
    dataDir = mkdtempSync(join(tmpdir(), "magpie-tracker-joins-kill-"));
    // Two keys at once may share a step, so that one life has fewer of them than another.
    expect((await run(fatal)) ?? 0).toBeLessThan(fatal);
    await run(0);
    expect({ fatal, ...outcome() }).toEqual({ fatal, ...expected });
  }
}, 600_000);
