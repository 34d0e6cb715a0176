import { setTimeout as sleep } from "node:timers/promises";
import { connect, ErrorCode, type NatsError } from "nats";
import { natsOptions } from "../bus/nats-options.ts";
import type { ClusterConfig } from "../config/cluster.ts";
import { ConfigError } from "../config/config-error.ts";

/** What a cluster that starts all at once may take until NATS is there. */
const patienceMs = 15_000;
const retryMs = 500;

const notLetIn = new Set<string>([
  ErrorCode.BadAuthentication,
  ErrorCode.AuthorizationViolation,
  ErrorCode.PermissionsViolation,
  ErrorCode.AuthenticationExpired,
]);
/** Of OpenSSL and of Node's TLS. */
const untrusted = /^(ERR_SSL|ERR_TLS|CERT_|UNABLE_TO_)|SELF_SIGNED/;

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
    const refusal = refusalOf(error.code);
    if (refusal !== undefined) throw refused(refusal, error);
    const reason = error.code || error.message;
    if (performance.now() > until)
      throw refused(
        `the server cannot be reached (${reason}). Check that it runs, and that host and port of the URL are right.`,
        error,
      );
    if (tries === 0) onWait(reason);
    await sleep(retryMs);
  }
}

/** What no waiting mends. */
function refusalOf(code: string): string | undefined {
  if (notLetIn.has(code)) return "the server does not take the user, the password or the token of the URL";
  if (code === ErrorCode.ServerOptionNotAvailable)
    return "the server speaks no TLS, for which the URL asks by tls://. Write nats://, or have the server speak it.";
  if (untrusted.test(code))
    return `no TLS connection could be made (${code}). Check the certificate, and that NODE_EXTRA_CA_CERTS names who signed it.`;
  return undefined;
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
