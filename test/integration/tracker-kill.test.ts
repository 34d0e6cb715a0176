import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedLog } from "../../mixins/event-log/embedded.log.ts";
import { openEmbeddedHistory } from "../../mixins/history/embedded.history.ts";
import { closeDatabase, openDatabase } from "../../mixins/store/sqlite/database.ts";
import { seeded } from "../faults/random.ts";
import { removeFolder } from "../support/folders.ts";
import { until } from "../support/until.ts";

const sources = 5;
const keyIds = ["k1", "k2", "k3"];
const kills = 5;
const seed = 20_260_101;

const itemsPerPoll = 3;

/** A tracker of sources which every key tracks, and which have three new items at each poll, for which it prints a dot. */
const program = `
  import { ServiceBroker } from "moleculer";
  import { call } from "./services/contracts/action.ts";
  import { defaultLimits } from "./services/contracts/caller.ts";
  import { track } from "./services/contracts/tracker.contract.ts";
  import { trackerService } from "./services/tracker/tracker.service.ts";
  import { retention } from "./test/support/retention.ts";
  import { checkedVersion, Upstream, upstreamService } from "./test/fakes/upstream.ts";
  const upstream = new Upstream();
  Object.assign(upstream, { nextInMs: 1, pageSize: ${itemsPerPoll} });
  upstream.items.get = () => 1e9;
  const { poll, resolve } = upstream;
  upstream.poll = (...asked) => {
    process.stdout.write(".");
    const result = poll.apply(upstream, asked);
    const items = result.posts.map(({ postId }) => checkedVersion("Item " + postId, postId));
    const check = { outcome: "changed", reason: "Items are new.", tookMs: 1, items };
    return { ...result, more: false, check };
  };
  upstream.resolve = (...wanted) => ({ ...resolve.apply(upstream, wanted), state: { seen: 0 } });
  const broker = new ServiceBroker({ logger: false });
  broker.createService(upstreamService(upstream));
  broker.createService(trackerService({ dataDir: process.argv[1], pollMinIntervalMs: 1, ...retention }));
  await broker.start();
  for (const keyId of ${JSON.stringify(keyIds)})
    for (let n = 0; n < ${sources}; n += 1)
      await call(broker, track, { source: "rss", sid: "https://host-" + n + ".example/feed" },
        { meta: { caller: { keyId, owner: "ann", limits: defaultLimits } } });
  process.stdout.write("ready");`;

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-tracker-kill-"));
});
afterAll(() => removeFolder(dataDir));

function start(): ChildProcess {
  return spawn(process.execPath, ["--no-warnings", "--input-type=module", "-e", program, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

interface Kept {
  /** What the state of each source says has been taken in. */
  seen: Map<string, number>;
  /** Item numbers by key and source, in the order of the log. */
  told: Map<string, Map<string, number[]>>;
  /** Events whose version cannot be read, or says something else. */
  lost: string[];
  versions: number;
}

async function kept(): Promise<Kept> {
  const path = join(dataDir, "magpie.db");
  const database = openDatabase(path);
  const states = database
    .prepare(
      `SELECT _id, coalesce(sources.doc ->> '$.moved.seen', source_states.doc ->> '$.state.seen') AS seen
       FROM source_states JOIN sources USING (_id)`,
    )
    .all();
  const log = openEmbeddedLog({ path, notify: () => undefined, onEntries: () => undefined });
  const history = openEmbeddedHistory(path);
  const lost: string[] = [];
  let versions = 0;
  const told = new Map<string, Map<string, number[]>>();
  for (const keyId of keyIds) {
    const events = await log.read(keyId, 0, 1_000_000);
    for (const { id, data } of events) {
      const version = await history.version(data.source?.id ?? "", String(data.version));
      const said = version && String(await history.content(version.hash));
      versions += 1;
      if (said !== `Item ${Object(data.item).n}`) lost.push(`${id}: ${said}`);
    }
    told.set(
      keyId,
      new Map(
        Object.entries(Object.groupBy(events, ({ data }) => data.source?.id ?? "")).map(([id, of = []]) => [
          id,
          of.map(({ data }) => Number(Object(data.item).n)),
        ]),
      ),
    );
  }
  await history.close();
  log.close();
  closeDatabase(path);
  return { seen: new Map(states.map(row => [String(row._id), Number(row.seen)])), told, lost, versions };
}

test(`killed ${kills} times at random moments of polling: no post lost, doubled or out of order, and each event has its version (seed ${seed})`, async () => {
  const random = seeded(seed);
  let total = 0;
  for (let n = 0; n < kills; n += 1) {
    const child = start();
    let said = "";
    child.stdout?.on("data", text => {
      said += text;
    });
    await until("it is ready", () => said.includes("ready"));
    const enough = said.length + 10 + random() * 100;
    await until("it has polled some more", () => said.length >= enough);
    child.kill("SIGKILL");
    await once(child, "close");
  }
  const { seen, told, lost, versions } = await kept();
  expect(lost).toEqual([]);
  expect(versions).toBeGreaterThan(kills * sources);
  expect(seen.size).toBe(sources);
  for (const [id, count] of seen) {
    total += count;
    // The first key has every item; the others those since they came, without a hole. The log comes before the state: of a
    // poll that the kill has cut short it has the items, which the next poll finds again.
    for (const keyId of keyIds) {
      const numbers = told.get(keyId)?.get(id) ?? [];
      const first = keyId === "k1" ? 1 : (numbers[0] ?? count + 1);
      const last = Math.max(count, numbers.at(-1) ?? 0);
      expect(last - count).toBeLessThanOrEqual(itemsPerPoll);
      expect(numbers).toEqual(Array.from({ length: last - first + 1 }, (_, at) => first + at));
    }
  }
  expect(total).toBeGreaterThan(kills * sources);
});
