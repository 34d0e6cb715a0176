/** Works lanes of some shards in a thread of its own, with its own connections to the databases and to receivers. */
import { join } from "node:path";
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { KeyQuotas } from "../../../mixins/clients/quotas.ts";
import { TaggedSources } from "../../../mixins/clients/tagged-sources.ts";
import type { Lease } from "../../../mixins/coordination/leases/lease.ts";
import { createEgress } from "../../../mixins/egress/egress.ts";
import { logPath, openEmbeddedLog } from "../../../mixins/event-log/embedded.log.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { openBlobs } from "../../../mixins/store/blobs/open-blobs.ts";
import { openSqliteStore } from "../../../mixins/store/sqlite/sqlite-store.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { Destinations } from "../destinations/destinations.ts";
import { openVault } from "../endpoints/vault.ts";
import { Journal } from "../journal/journal.ts";
import { AttemptSums, EventAges } from "../lanes/attempt-sums.ts";
import type { DispatcherOptions } from "../lanes/context.ts";
import { Dispatcher } from "../lanes/dispatcher.ts";
import { LaneMaintenance } from "../lanes/lane-maintenance.ts";
import { eventsWaiting, laneLag } from "../lanes/waiting-events.ts";
import { wantedEvents } from "../lanes/wanted-events.ts";
import { sendPaced } from "../sending/send.ts";
import {
  deliveriesCollection,
  lanesCollection,
  type StoredAttempts,
  type StoredEndpoint,
  type StoredLane,
  storeOptions,
} from "../webhooks.store.ts";
import { mailOfMain } from "./mail-of-main.ts";
import type {
  FromThread,
  LaneThreadCalls,
  MainThread,
  PassedShards,
  ThreadSettings,
  ToThread,
} from "./messages.ts";
import { plainLine } from "./plain-error.ts";
import { type Channel, Port } from "./port.ts";

/** Milliseconds in which attempts are counted together: a message costs as much as several of them. */
const tellEveryMs = 20;

const {
  config,
  masterSecret,
  egress: guard,
  gate,
  backoffMs,
  proxyUrl,
  folder,
  threads,
  hasMail,
  isDebug,
} = workerData as ThreadSettings;
const main = new Port<FromThread, MainThread>(parentPort as Channel);

const logger: DispatcherOptions["logger"] = {
  debug: (...line) => {
    if (isDebug) main.post({ is: "logged", level: "debug", line: plainLine(line) });
  },
  info: (...line) => main.post({ is: "logged", level: "info", line: plainLine(line) }),
  error: (...line) => main.post({ is: "logged", level: "error", line: plainLine(line) }),
};

const egress = createEgress({ ...guard, onRefusal: refused => main.post({ is: "refused", refused }) });
const { collection, indexes = [], extraCollections = {} } = storeOptions;
const declared = Object.entries({ [collection]: indexes, ...extraCollections });
const opened = await openSqliteStore(join(config.dataDir, `${storeOptions.file}.db`), declared);
const store = opened.store as unknown as Store<StoredEndpoint>;
const blobs = await openBlobs({ dataDir: config.dataDir, s3: config.s3 });
const log = openEmbeddedLog({
  path: logPath(config.dataDir),
  gate,
  notify: () => undefined,
  onEntries: () => undefined,
  keeping: { retentionMs: config.eventRetentionMs, blobs: blobs.blobs, readers: threads },
});
const journal = new Journal(store, logger);
const tagged = new TaggedSources((keyId, tags) => main.ask("tagged", keyId, tags));
const quotas = new KeyQuotas({
  withQuotas: () => main.ask("withQuotas"),
  charge: (keyId, charges) => main.ask("charge", keyId, charges),
  settle: (keyId, ids, isDone) => main.ask("settle", keyId, ids, isDone),
  uses: keyId => main.ask("uses", keyId),
});
const [sums, ages] = [new AttemptSums(), new EventAges()];
const agent = egress.agent({ proxyUrl });
const sendHere = sendPaced(agent, clientCertificate => egress.agent({ proxyUrl, clientCertificate }));
const vault = openVault(masterSecret);
const destinations = new Destinations({ agent, egress, folder }, vault);
let telling: NodeJS.Timeout | undefined;
let requests = 0;

const expressions = {
  match: (...asked: Parameters<MainThread["match"]>) => main.ask("match", ...asked),
  transform: (...asked: Parameters<MainThread["transform"]>) => main.ask("transform", ...asked),
};

const dispatcher = new Dispatcher({
  journal,
  log,
  send: (request, within) => {
    requests += 1;
    return sendHere(request, within);
  },
  mail: hasMail ? mailOfMain(main) : undefined,
  destinations,
  vault,
  wanted: wantedEvents(tagged, expressions, ({ _id }, problem) => {
    main.ask("noteProblem", _id, problem).catch(() => undefined);
  }),
  expressions,
  quotas,
  schedule: backoffMs,
  threads,
  // Requests change endpoints and lanes, and those come to the main thread.
  notifyOtherNodes: () => undefined,
  onAttempted: (attempt, timestamp) => {
    sums.add(attempt, ages.of(attempt, timestamp));
    if (!telling) telling = setTimeout(tellSums, tellEveryMs).unref();
  },
  onExpired: events => main.post({ is: "expired", events }),
  logger,
});

const maintenance = new LaneMaintenance({
  lanes: store.collection<StoredLane>(lanesCollection),
  deliveries: store.collection<StoredAttempts>(deliveriesCollection),
  keptMs: config.deliveryRetentionMs,
  log,
  wake: keyIds => dispatcher.wake(keyIds),
  passedTo: lane => dispatcher.passedTo(lane),
  shards: () => dispatcher.shards,
  finishOpen: () => journal.finishOpen(),
  // The main thread tells of each change.
  reread: () => undefined,
  onError: error => logEvent(logger, "lane_maintenance.failed", { error }),
});

const calls: LaneThreadCalls = {
  beat: async () => undefined,
  waiting: async () => {
    const lanes = { dispatcher, journal, log };
    return { lag: await laneLag(lanes), waiting: await eventsWaiting(lanes) };
  },
  writeError: async () => {
    const error = await journal.writeError();
    return error === undefined ? undefined : String(error);
  },
};

function tellSums(): void {
  telling = undefined;
  main.post({ is: "attempted", sums: sums.take(), requests });
  requests = 0;
}

function gain({ shards, keyIds, withheld }: PassedShards): void {
  for (const shard of shards) dispatcher.gain(shard, leaseOf(shard), withheld);
  dispatcher.wake(keyIds);
  for (const shard of shards) maintenance.checkShard(shard);
}

/** The main thread has the lease, for as long as the process lives. */
function leaseOf(shard: number): Lease {
  const { signal } = new AbortController();
  return { name: `lanes/${shard}`, fence: 1, signal, isHeld: () => true, release: async () => undefined };
}

function pass(): void {
  const { shards } = dispatcher;
  const { keyIds, leaving } = dispatcher.pass(shards);
  main.post({ is: "passed", shards, keyIds, withheld: [...leaving.keys()] });
  for (const [laneId, left] of leaving) void left.then(() => main.post({ is: "admit", laneIds: [laneId] }));
}

async function stop(): Promise<void> {
  await maintenance.close();
  await dispatcher.stop();
  tellSums();
  await destinations.close();
  await log.close();
  await blobs.close();
  await opened.close();
  await egress.close();
  main.flush();
  process.exit();
}

function take(message: ToThread): void {
  if (main.take(message, calls)) return;
  if (message.is === "gain") gain(message);
  else if (message.is === "admit") dispatcher.admit(message.laneIds);
  else if (message.is === "wake") dispatcher.wake([...new Set(message.keyIds)]);
  else if (message.is === "reread") dispatcher.reread(message.keyIds);
  else if (message.is === "quotas") changeQuotas(message.keyIds);
  else if (message.is === "retagged") for (const keyId of message.keyIds) tagged.forget(keyId);
  else if (message.is === "erased") dispatcher.erased();
  else if (message.is === "pass") pass();
  else if (message.is === "stop") void stop();
}

function changeQuotas(keyIds: readonly string[]): void {
  quotas.forget();
  for (const keyId of keyIds) dispatcher.quotasChanged(keyId);
}

parentPort?.on("message", (messages: ToThread[]) => {
  for (const message of messages) take(message);
});
main.post({ is: "ready" });
