import { AsyncLocalStorage } from "node:async_hooks";
import { isIP } from "node:net";
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from "undici";
import { portOf } from "../../services/domain/url/admit-url.ts";
import { pinned, type Vet } from "./guard.ts";

export interface AgentOptions {
  skipTlsVerification?: boolean;
  /** http, https or socks5 URL of a forward proxy, credentials included. */
  proxyUrl?: string | undefined;
  /** What a server that asks for it is shown (mutual TLS). */
  clientCertificate?: ClientCertificate | undefined;
}

/** A certificate with its key, both as PEM. */
export interface ClientCertificate {
  /** SHA-256 of the certificate. */
  fingerprint: string;
  /** The certificate, and after it those of its issuers. */
  certificate: string;
  privateKey: string;
}

const connectTimeoutMs = 10_000;
// The caller's signal, not these, ends a server that drips its header or falls silent in the body.
const silenceTimeoutMs = 120_000;

// undici's connector does not know which request needs the connection.
const vets = new AsyncLocalStorage<Vet>();

/** Asks the vet of the job that the connection is for. */
export const vetOfJob: Vet = async (host, port) => {
  const ofJob = vets.getStore();
  if (!ofJob) throw new Error("a connection without a job");
  return await ofJob(host, port);
};

/** A dispatcher for one job, of an agent that was made with `vetOfJob`: its connections ask this vet. */
export function forJob(agent: Dispatcher, vet: Vet): Dispatcher {
  return agent.compose(dispatch => (request, handler) => vets.run(vet, () => dispatch(request, handler)));
}

/** A dispatcher that connects only to addresses that `vet` returned: HTTP/1.1 with keep-alive. */
export function createAgent(options: AgentOptions, vet: Vet): Dispatcher {
  const { certificate: cert, privateKey: key } = options.clientCertificate ?? {};
  const tls = {
    allowH2: false,
    rejectUnauthorized: options.skipTlsVerification !== true,
    ...(cert !== undefined && { cert, key }),
  };
  const timeouts = { headersTimeout: silenceTimeoutMs, bodyTimeout: silenceTimeoutMs };
  if (options.proxyUrl === undefined) return new Agent({ ...timeouts, connect: vettedConnector(tls, vet) });
  return proxied(new URL(options.proxyUrl), tls, timeouts, vet);
}

type TlsOptions = { allowH2: boolean; rejectUnauthorized: boolean; cert?: string; key?: string };

function vettedConnector(tls: TlsOptions, vet: Vet): buildConnector.connector {
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === "https:" ? 443 : 80);
    vet(options.hostname, port)
      .then(addresses => {
        const lookup = pinned(addresses);
        const connect = buildConnector({ ...tls, timeout: connectTimeoutMs, lookup, autoSelectFamily: true });
        connect({ ...options, hostname: literalOr(options.hostname, addresses) }, callback);
      })
      .catch((error: Error) => callback(error, null));
  };
}

// A literal address reaches the socket as it was vetted, not as the URL spells it.
function literalOr(hostname: string, [first]: { address: string }[]): string {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) && first ? first.address : hostname;
}

/**
 * Through a proxy: the guard vets and pins the proxy's own address. It vets the target as this machine resolves it. The
 * proxy gets the target's name and resolves it again on its side, where the guard has no control.
 */
function proxied(proxy: URL, tls: TlsOptions, timeouts: object, vet: Vet): Dispatcher {
  const port = proxyPort(proxy);
  const agent = new ProxyAgent({
    ...timeouts,
    uri: proxy.href,
    connectTimeout: connectTimeoutMs,
    requestTls: tls,
    proxyTls: {
      allowH2: false,
      lookup: (hostname, options, callback) => {
        vet(hostname, port).then(
          addresses => pinned(addresses)(hostname, options, callback),
          (error: Error) => callback(error, []),
        );
      },
    },
  });
  return agent.compose(dispatch => (options, handler) => {
    const target = new URL(String(options.origin));
    // Literal proxy addresses never reach `lookup`, so the proxy is vetted here as well.
    Promise.all([vet(target.hostname, portOf(target)), isIP(bareHost(proxy)) && vet(proxy.hostname, port)])
      .then(() => dispatch(options, handler))
      .catch((error: Error) => handler.onResponseError?.(idleController, error));
    return true;
  });
}

// For a request that was never dispatched.
const idleController: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

/** The port of a proxy URL; by default 80 for http, 443 for https and 1080 for SOCKS. */
export function proxyPort(proxy: URL): number {
  return proxy.port === "" && proxy.protocol.startsWith("socks") ? 1080 : portOf(proxy);
}

export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}
