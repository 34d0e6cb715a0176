import type { Dispatcher as Agent } from "undici";
import { periodic } from "../../mixins/async/periodic.ts";
import type { Quotas } from "../../mixins/clients/quotas.ts";
import type { TaggedSources } from "../../mixins/clients/tagged-sources.ts";
import type { Config } from "../../mixins/config/config.ts";
import type { WithLeases } from "../../mixins/coordination/leases/lease.mixin.ts";
import type { WithEgress } from "../../mixins/egress/egress.mixin.ts";
import type { Egress } from "../../mixins/egress/egress.ts";
import type { EventLog } from "../../mixins/event-log/event-log.ts";
import { logEvent } from "../../mixins/log/log-events.ts";
import type { StoredClaim } from "../../mixins/store/idempotency.ts";
import type { WithStore } from "../../mixins/store/store.mixin.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { Delivery } from "../contracts/deliveries.contract.ts";
import { laneShards } from "../domain/delivery/lane.ts";
import { Destinations } from "./destinations/destinations.ts";
import { FirstWebhooks } from "./endpoints/first-webhooks.ts";
import { openVault, type Vault } from "./endpoints/vault.ts";
import { type Expressions, openExpressions } from "./expressions/expressions.ts";
import { filterProblems } from "./expressions/filter-problems.ts";
import { Journal } from "./journal/journal.ts";
import type { DispatcherOptions } from "./lanes/context.ts";
import { Dispatcher } from "./lanes/dispatcher.ts";
import { LaneMaintenance } from "./lanes/lane-maintenance.ts";
import { tellHealth } from "./lanes/tell-health.ts";
import { type WantedEvents, wantedEvents } from "./lanes/wanted-events.ts";
import type { Confirmations } from "./mail/confirmations.ts";
import type { MailWay } from "./mail/mail-way.ts";
import { type Certified, type Send, sendBy } from "./sending/send.ts";
import { ThreadedLanes, type Threading } from "./threads/threaded-lanes.ts";
import {
  claimsCollection,
  deliveriesCollection,
  lanesCollection,
  type StoredAttempts,
  type StoredEndpoint,
  type StoredLane,
} from "./webhooks.store.ts";

/** What the operations on webhooks work with. */
export interface WebhookContext {
  endpoints: Store<StoredEndpoint>;
  firstWebhooks: FirstWebhooks;
  lanes: Store<StoredLane>;
  deliveries: Store<StoredAttempts>;
  claims: Store<StoredClaim>;
  journal: Journal;
  /** The lanes of this node, in this thread or in others. */
  dispatcher: ThreadedLanes;
  log: EventLog;
  egress: Pick<Egress, "admit">;
  agent: Agent;
  certified: Certified;
  /** Undefined where the operator has set no mail server. */
  mail: MailWay | undefined;
  confirmations: Confirmations | undefined;
  destinations: Destinations;
  /** The operator's folder for destinations of files. */
  folder: string | undefined;
  vault: Vault;
  wanted: WantedEvents;
  expressions: Expressions;
  quotas: Quotas;
  logger: Pick<DispatcherOptions["logger"], "error">;
  allowHttp: boolean;
  /** Called for each event of an attempt, with the time (ISO 8601) of one from the log. */
  onAttempted(attempt: Pick<Delivery, "outcome" | "error">, timestamp?: string): void;
  /** Starts no more deliveries; resolves when those under way are recorded. */
  close(): Promise<void>;
}

interface ContextOptions extends WithStore<StoredEndpoint> {
  egress: Pick<WithEgress["egress"], "admit" | "agent" | "vet">;
  log: EventLog;
  leases: Pick<WithLeases["leases"], "share">;
  tagged: Pick<TaggedSources, "of">;
  quotas: Quotas;
  mail: MailWay | undefined;
  confirmations: Confirmations | undefined;
  logger: DispatcherOptions["logger"];
  onAttempted: WebhookContext["onAttempted"];
  onExpired: DispatcherOptions["onExpired"];
  /** Undefined where this thread works all lanes; made of what its threads ask for. */
  threading: ((asked: AskedByLanes) => Threading) | undefined;
  /** Makes spans of an agent's requests. */
  trace(agent: Agent): Agent;
}

/** How soon the owner of an endpoint learns that it fails. */
const tellingEveryMs = 5_000;

/** What the threads of lanes ask this one for. */
export interface AskedByLanes {
  expressions: Pick<Expressions, "match" | "transform">;
  noteProblem(laneId: string, problem: string): void;
}

/**
 * Opens the context and starts the deliveries; `notifyOtherNodes` notifies other nodes that a lane of a key has changed.
 */
export async function openContext(
  {
    store,
    egress,
    log,
    leases,
    tagged,
    quotas,
    mail,
    confirmations,
    logger,
    onAttempted,
    onExpired,
    threading,
    trace,
  }: ContextOptions,
  masterSecret: string,
  {
    webhooks: { allowHttp, backoffMs, proxyUrl, folder },
    deliveryRetentionMs,
  }: Pick<Config, "webhooks" | "deliveryRetentionMs">,
  notifyOtherNodes: (keyId: string) => void,
): Promise<WebhookContext> {
  const firstWebhooks = new FirstWebhooks(store);
  const journal = new Journal(firstWebhooks.store, logger);
  const vault = openVault(masterSecret);
  const expressions = openExpressions();
  const noteProblem = filterProblems(firstWebhooks.store, logger);
  const wanted = wantedEvents(tagged, expressions, ({ _id }, problem) => noteProblem(_id, problem));
  const agent = trace(egress.agent({ proxyUrl }));
  const destinations = new Destinations({ agent, egress, folder }, vault);
  const certified: Certified = clientCertificate => trace(egress.agent({ proxyUrl, clientCertificate }));
  const sendHere = sendBy(agent, certified);
  const send: Send = (request, within) => {
    lanes.noteRequest();
    return sendHere(request, within);
  };
  const dispatcher = new Dispatcher({
    journal,
    log,
    send,
    mail,
    destinations,
    vault,
    wanted,
    expressions,
    quotas,
    schedule: backoffMs,
    notifyOtherNodes: keyId => void (lanes.rereadInThread(keyId) || notifyOtherNodes(keyId)),
    onAttempted,
    onExpired,
    logger,
  });
  const storedLanes = store.collection<StoredLane>(lanesCollection);
  const deliveries = store.collection<StoredAttempts>(deliveriesCollection);
  const maintenance = new LaneMaintenance({
    lanes: storedLanes,
    deliveries,
    keptMs: deliveryRetentionMs,
    log,
    wake: keyIds => dispatcher.wake(keyIds),
    passedTo: lane => dispatcher.passedTo(lane),
    shards: () => dispatcher.shards,
    finishOpen: () => journal.finishOpen(),
    reread: () => store.isShared && dispatcher.reread(dispatcher.busy),
    onError: error => logEvent(logger, "lane_maintenance.failed", { error }),
  });
  const told = {
    lanes: storedLanes,
    endpoints: firstWebhooks.store,
    journal,
    log,
    changed: (endpoint: StoredEndpoint) => lanes.changed(endpoint),
  };
  const here = {
    dispatcher,
    waiting: { dispatcher, journal, log },
    checkShard: (shard: number) => maintenance.checkShard(shard),
    writeError: () => journal.writeError(),
  };
  const lanes = new ThreadedLanes(here, threading?.({ expressions, noteProblem }));
  const ending = new AbortController();
  const telling = periodic(
    async () => {
      if (lanes.leads) await tellHealth(told, ending.signal);
    },
    {
      everyMs: tellingEveryMs,
      reportsOnce: true,
      onError: error => ending.signal.aborted || logEvent(logger, "lane_maintenance.failed", { error }),
    },
  );
  await journal.finishOpen();
  const unsubscribe = log.onAppended(keyIds => lanes.wake(keyIds));
  const share = await leases.share("lanes", laneShards, {
    gained: (shard, lease) => lanes.gain(shard, lease),
    lost: shard => lanes.lose(shard),
  });
  const close = async () => {
    unsubscribe();
    ending.abort();
    await telling.stop();
    await maintenance.close();
    mail?.close();
    await confirmations?.close();
    await lanes.stop();
    await destinations.close();
    await share.close();
    await expressions.close();
  };
  return {
    endpoints: firstWebhooks.store,
    firstWebhooks,
    lanes: storedLanes,
    deliveries,
    claims: store.collection(claimsCollection),
    journal,
    dispatcher: lanes,
    log,
    egress,
    agent,
    certified,
    mail,
    confirmations,
    destinations,
    folder,
    vault,
    wanted,
    expressions,
    quotas,
    logger,
    allowHttp,
    onAttempted,
    close,
  };
}
