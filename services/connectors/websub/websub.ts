import { type Dispatcher, request } from "undici";
import type { Config } from "../../../mixins/config/config.ts";
import { loadCredentials } from "../../../mixins/config/credentials.ts";
import { within } from "../../../mixins/deadline/within.ts";
import type { Egress } from "../../../mixins/egress/egress.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { generateKey } from "../../domain/key/generate-key.ts";
import type { HostLanes } from "../host-lanes.ts";
import { dayMs } from "../pace.ts";
import { openHubSecrets } from "./hub-secrets.ts";
import type { StoredHubSubscription, WebsubRoom } from "./room.ts";

const askTimeoutMs = 10_000;
/** After the end of a lease, and the last question, a subscription is forgotten. */
const keptMs = 2 * dayMs;

export interface Outside extends Pick<WebsubRoom, "pollSoon" | "logger"> {
  store: Store<StoredHubSubscription>;
  egress: Egress;
  lanes: HostLanes;
  /** Fires when the room stops. */
  closing: AbortSignal;
}

/** Opens the subscriptions at hubs; those that were left behind are forgotten. */
export async function openWebsub(config: Config, publicUrl: string, outside: Outside): Promise<WebsubRoom> {
  const { store: subscriptions, pollSoon, logger } = outside;
  const before = Date.now() - keptMs;
  await subscriptions.removeMany({ leaseUntil: { $lt: before }, askedAt: { $lt: before } });
  return {
    subscriptions,
    secrets: openHubSecrets(loadCredentials(config, generateKey).masterSecret),
    publicUrl,
    minIntervalMs: config.pollMinIntervalMs,
    post: (url, form) => post(url, form, outside),
    pollSoon,
    logger,
    now: Date.now,
  };
}

/** Redirects are not followed: a hub that moves is named anew by its feeds. */
async function post(
  url: string,
  form: URLSearchParams,
  { egress, lanes, closing }: Outside,
): Promise<number> {
  const target = egress.admit(url);
  const options: Parameters<typeof request>[1] = {
    method: "POST",
    dispatcher: egress.agent(),
    headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": "Magpie/0.1 (WebSub)" },
    body: form.toString(),
  };
  return within(askTimeoutMs, closing, signal =>
    lanes.run(target.host, signal, async () =>
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
