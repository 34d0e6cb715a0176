import { randomBytes } from "node:crypto";
import { type Dispatcher, request } from "undici";
import { withTimeout } from "../../../mixins/async/timeout.ts";
import type { Config } from "../../../mixins/config/config.ts";
import { loadCredentials } from "../../../mixins/config/credentials.ts";
import type { HostQueues } from "../../../mixins/coordination/host-politeness/host-queues.ts";
import type { Egress } from "../../../mixins/egress/egress.ts";
import { programAgent } from "../../../mixins/egress/identity.ts";
import type { Store } from "../../../mixins/store/store.ts";
import type { SourceKind } from "../../contracts/source.ts";
import { generateKey } from "../../domain/key/generate-key.ts";
import { seal, sealingKey, unseal } from "../../domain/key/seal.ts";
import { inHostSlot } from "../host-slot.ts";
import { dayMs } from "../poll-interval.ts";
import type { StoredHubSubscription } from "./subscriptions.store.ts";

/** What the operations on hub subscriptions use. */
export interface WebsubContext {
  subscriptions: Store<StoredHubSubscription>;
  secrets: HubSecrets;
  /** The origin at which hubs reach the gateway. */
  publicUrl: string;
  /** Milliseconds: the shortest wait between two requests to a hub. */
  minIntervalMs: number;
  /** Posts a form to a hub and returns the status of the answer. */
  post(url: string, form: URLSearchParams): Promise<number>;
  /** Makes the source due at once; the result says whether anyone tracks it. */
  pollSoon(source: { kind: SourceKind; externalId: string }): Promise<{ isTracked: boolean }>;
  logger: { info(...line: unknown[]): void; warn(...line: unknown[]): void };
  /** Milliseconds since the epoch. */
  now(): number;
}

const askTimeoutMs = 10_000;
/** A subscription is deleted this long after its lease has ended and its hub was last asked. */
const keptMs = 2 * dayMs;

export interface WebsubPorts extends Pick<WebsubContext, "pollSoon" | "logger"> {
  store: Store<StoredHubSubscription>;
  egress: Egress;
  hosts: HostQueues;
  /** Fires when the service stops. */
  closing: AbortSignal;
}

/** Opens the subscriptions at hubs, and deletes the expired ones. */
export async function openWebsubContext(
  config: Config,
  publicUrl: string,
  ports: WebsubPorts,
): Promise<WebsubContext> {
  const { store: subscriptions, pollSoon, logger } = ports;
  const before = Date.now() - keptMs;
  await subscriptions.removeMany({ leaseUntil: { $lt: before }, askedAt: { $lt: before } });
  return {
    subscriptions,
    secrets: openHubSecrets(loadCredentials(config, generateKey).masterSecret),
    publicUrl,
    minIntervalMs: config.pollMinIntervalMs,
    post: (url, form) => post(url, form, ports),
    pollSoon,
    logger,
    now: Date.now,
  };
}

/** Does not follow redirects: the feeds of a hub that moves name its new address. */
async function post(
  url: string,
  form: URLSearchParams,
  { egress, hosts, closing }: WebsubPorts,
): Promise<number> {
  const target = egress.admit(url);
  const options: Parameters<typeof request>[1] = {
    method: "POST",
    dispatcher: egress.agent(),
    headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": programAgent },
    body: form.toString(),
  };
  return withTimeout(askTimeoutMs, closing, signal =>
    inHostSlot(hosts, target.href, signal, async () =>
      drained(await request(target, { ...options, signal }), signal),
    ),
  );
}

async function drained(
  { statusCode, body }: Pick<Dispatcher.ResponseData, "statusCode" | "body">,
  signal: AbortSignal,
): Promise<number> {
  await body.dump({ limit: 64 * 1024, signal });
  return statusCode;
}

/** The secrets that hubs sign with; the store holds them sealed. */
interface HubSecrets {
  /** A new secret, sealed for this subscription. */
  issue(token: string, topic: string): string;
  reveal(subscription: { _id: string; topic: string; sealed: string }): string;
}

function openHubSecrets(masterSecret: string): HubSecrets {
  const key = sealingKey(masterSecret, "websub/secret/v1");
  return {
    issue: (token, topic) =>
      seal(key, randomBytes(32).toString("base64url"), [token, topic], randomBytes(12)),
    reveal: ({ _id, topic, sealed }) => unseal(key, sealed, [_id, topic]),
  };
}
