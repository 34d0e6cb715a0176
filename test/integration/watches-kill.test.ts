import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedLog } from "../../mixins/event-log/embedded.log.ts";
import { removeFolder } from "../support/folders.ts";

const keyIds = ["k1", "k2", "k3"];

/**
 * A tracker of one feed, which each key tracks in a view of its own. All views are due together, at once and again, and
 * each look finds an item more. It kills itself when it is about to append for the n-th time.
 */
const program = `
  import { ServiceBroker } from "moleculer";
  import { actions, call, handle } from "./services/contracts/action.ts";
  import { defaultLimits } from "./services/contracts/caller.ts";
  import { pollViews, pollSource, resolveSource } from "./services/contracts/connectors.contract.ts";
  import { track } from "./services/contracts/tracker.contract.ts";
  import { trackerService } from "./services/tracker/tracker.service.ts";
  import { retention } from "./test/support/retention.ts";
  const [dataDir, killAt] = process.argv.slice(1);
  const look = ({ state }) => {
    const n = Number(state.seen) + 1;
    const post = { postId: String(n), revision: "1", type: "rss.item.created", data: { item: { n } } };
    return { ok: true, posts: [post], state: { seen: n }, nextInMs: 1 };
  };
  const broker = new ServiceBroker({ logger: false });
  broker.createService({
    name: "connectors",
    actions: actions(
      handle(resolveSource, "public", ({ params: { kind, sid } }) => ({
        ...{ kind, externalId: sid, username: sid, name: sid }, state: { seen: 0 },
      })),
      handle(pollSource, "public", ({ params }) => look(params)),
      handle(pollViews, "public", ({ params: { views } }) => {
        process.stdout.write(views.length + " ");
        return { results: views.map(look) };
      }),
    ),
  });
  const tracker = broker.createService(trackerService({ dataDir, pollMinIntervalMs: 1, ...retention }));
  await broker.start();
  for (const keyId of ${JSON.stringify(keyIds)})
    await call(broker, track, { source: "rss", sid: "https://host.example/feed", options: { ignore: [keyId] } },
      { meta: { caller: { keyId, owner: "ann", limits: defaultLimits } } });
  const { log } = tracker.context;
  let appends = 0;
  tracker.context.log = {
    drop: id => log.drop(id),
    append: (...asked) => {
      appends += 1;
      if (appends === Number(killAt)) process.kill(process.pid, "SIGKILL");
      return log.append(...asked);
    },
  };`;

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-watches-kill-"));
});
afterAll(() => removeFolder(dataDir));

/** Runs until it has killed itself; returns how many views each look served. */
async function run(killAt: number): Promise<number[]> {
  const args = ["--no-warnings", "--input-type=module", "-e", program, dataDir, String(killAt)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", text => {
    said += text;
  });
  const [, signal] = await once(child, "close");
  expect(signal).toBe("SIGKILL");
  return said.trim().split(" ").map(Number);
}

test("killed between the appends of views that one look served: no item lost, doubled or out of order", async () => {
  const looks: number[] = [];
  for (const killAt of [10, 11, 12, 13, 14]) looks.push(...(await run(killAt)));
  expect(looks.filter(views => views > 1).length).toBeGreaterThan(0);
  const log = openEmbeddedLog({
    path: join(dataDir, "magpie.db"),
    notify: () => undefined,
    onEntries: () => undefined,
  });
  for (const keyId of keyIds) {
    const events = await log.read(keyId, 0, 1_000_000);
    const numbers = events.map(({ data }) => Number(Object(data.item).n));
    expect(numbers.length).toBeGreaterThan(5);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  }
  log.close();
});
