import { setTimeout as sleep } from "node:timers/promises";
import { connect, ErrorCode, type NatsError } from "nats";
import { natsOptions } from "../bus/nats-options.ts";
import type { ClusterConfig } from "../config/cluster.ts";
import { ConfigError } from "../config/config-error.ts";

/** What a cluster that starts all at once may take until NATS is there. */
const patienceMs = 15_000;
const retryMs = 500;

const refusals = new Set<string>([
  ErrorCode.BadAuthentication,
  ErrorCode.AuthorizationViolation,
  ErrorCode.PermissionsViolation,
  ErrorCode.AuthenticationExpired,
]);

/**
 * Waits for NATS, which later on may come and go as it likes. Rejects with a sentence that names NATS_URL, without the
 * URL, which may hold a password; at once when it refuses this node. `onWait` is told once that there is none yet.
 */
export async function reachNats(
  { natsUrl }: Pick<ClusterConfig, "natsUrl">,
  onWait: (reason: string) => void,
  patience = patienceMs,
): Promise<void> {
  const until = performance.now() + patience;
  for (let tries = 0; ; tries += 1) {
    const error = await tryOnce(natsUrl);
    if (error === undefined) return;
    const reason = error.code || error.message;
    if (refusals.has(error.code))
      throw refused("the server does not take the user, the password or the token of the URL", error);
    if (performance.now() > until)
      throw refused(
        `the server cannot be reached (${reason}). Check that it runs, and that host and port of the URL are right.`,
        error,
      );
    if (tries === 0) onWait(reason);
    await sleep(retryMs);
  }
}

async function tryOnce(natsUrl: string): Promise<NatsError | undefined> {
  try {
    const nats = await connect({ ...natsOptions(natsUrl), reconnect: false });
    await nats.close();
    return undefined;
  } catch (error) {
    return error as NatsError;
  }
}

function refused(sentence: string, cause: unknown): ConfigError {
  return Object.assign(new ConfigError("NATS_URL", sentence), { cause });
}
