import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionOptions, connect, ErrorCode, type NatsError } from "nats";
import { NodeTransport } from "nats/lib/src/node_transport.js";
import type { ClusterConfig } from "../config/config.ts";
import { ConfigError } from "../config/env.ts";

const connectTimeoutMs = 3000;

/**
 * Connection options from `NATS_URL`: one URL, or several with commas between them. The first URL with a user and
 * password, or with a token in the user's place, gives the credentials for all; `tls://` asks for TLS.
 */
export function natsOptions(natsUrl: string): ConnectionOptions {
  const urls = natsUrl.split(",").map(part => new URL(part.trim()));
  const { username, password } = urls.find(url => url.username !== "") ?? { username: "", password: "" };
  return {
    servers: urls.map(({ host }) => host),
    timeout: connectTimeoutMs,
    ...(urls.some(({ protocol }) => protocol === "tls:") && { tls: {} }),
    ...credentials(decodeURIComponent(username), decodeURIComponent(password)),
  };
}

function credentials(user: string, pass: string): ConnectionOptions {
  if (user === "") return {};
  return pass === "" ? { token: user } : { user, pass };
}

/** How long NATS may take to start, in a cluster that starts all at once. */
const maxWaitMs = 15_000;
const retryMs = 500;

const notAuthorized = new Set<string>([
  ErrorCode.BadAuthentication,
  ErrorCode.AuthorizationViolation,
  ErrorCode.PermissionsViolation,
  ErrorCode.AuthenticationExpired,
]);
/** Error codes of OpenSSL and of Node's TLS. */
const untrusted = /^(ERR_SSL|ERR_TLS|CERT_|UNABLE_TO_)|SELF_SIGNED/;

/**
 * Waits until NATS takes a connection; once the node runs, NATS may go away and come back. Rejects with a message that
 * names NATS_URL, but not the URL, which may hold a password; at once when NATS refuses this node. Calls `onWait` once
 * when it has to wait.
 */
export async function waitForNats(
  { natsUrl }: Pick<ClusterConfig, "natsUrl">,
  onWait: (reason: string) => void,
  waitMs = maxWaitMs,
): Promise<void> {
  const until = performance.now() + waitMs;
  for (let tries = 0; ; tries += 1) {
    const error = await tryOnce(natsUrl);
    if (error === undefined) return;
    const refusal = refusalOf(error.code);
    if (refusal !== undefined) throw configError(refusal, error);
    const reason = error.code || error.message;
    if (performance.now() > until)
      throw configError(
        `the server cannot be reached (${reason}). Check that it runs, and that host and port of the URL are right.`,
        error,
      );
    if (tries === 0) onWait(reason);
    await sleep(retryMs);
  }
}

/** The message for an error that waiting does not cure. */
function refusalOf(code: string): string | undefined {
  if (notAuthorized.has(code))
    return "the server does not take the user, the password or the token of the URL";
  if (code === ErrorCode.ServerOptionNotAvailable)
    return "the server does not use TLS, which the URL asks for with tls://. Write nats://, or enable TLS on the server.";
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

function configError(message: string, cause: unknown): ConfigError {
  return Object.assign(new ConfigError("NATS_URL", message), { cause });
}

const { setupHandlers } = NodeTransport.prototype;

/**
 * nats 2.29 gives up a connection attempt that takes too long, but does not close it. A server that was held up may accept
 * that attempt later, and close it minutes after that because nothing arrives on it. The client takes this for the end of
 * its own link, opens a second one beside it, and receives every message twice from then on. With this change an attempt
 * ends when the next one begins, at the latest.
 */
export function endPreviousAttempts(): void {
  Object.assign(NodeTransport.prototype, {
    discard(this: NodeTransport) {
      this.done = true;
      this.socket?.destroy();
    },
    setupHandlers(this: NodeTransport) {
      if (this.done) throw new Error("Another attempt has begun");
      setupHandlers.call(this);
    },
    /** The client's own version first writes on the silent link, and waits for that. */
    disconnect(this: NodeTransport) {
      void this.close(new Error("The link is silent"));
    },
  });
}
