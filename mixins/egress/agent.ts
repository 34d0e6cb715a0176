import { isIP } from "node:net";
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from "undici";
import { portOf } from "../../services/domain/url/admit-url.ts";
import { pinned, type Vet } from "./guard.ts";

export interface AgentOptions {
  skipTlsVerification?: boolean;
  /** http, https or socks5 URL of a forward proxy, credentials included. */
  proxyUrl?: string;
}

const connectTimeoutMs = 10_000;
// A server that drips its header, or falls silent in the body, is ended by the caller's signal, not by these.
const silenceTimeoutMs = 120_000;

/** A dispatcher whose every connection goes to an address that `vet` returned. HTTP/1.1 with keep-alive. */
export function createAgent(vet: Vet, options: AgentOptions): Dispatcher {
  const tls = { allowH2: false, rejectUnauthorized: options.skipTlsVerification !== true };
  const timeouts = { headersTimeout: silenceTimeoutMs, bodyTimeout: silenceTimeoutMs };
  if (options.proxyUrl === undefined) return new Agent({ ...timeouts, connect: vettedConnector(vet, tls) });
  return proxied(vet, new URL(options.proxyUrl), tls, timeouts);
}

type TlsOptions = { allowH2: boolean; rejectUnauthorized: boolean };

function vettedConnector(vet: Vet, tls: TlsOptions): buildConnector.connector {
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === "https:" ? 443 : 80);
    vet(options.hostname, port).then(
      addresses => {
        const lookup = pinned(addresses);
        const connect = buildConnector({ ...tls, timeout: connectTimeoutMs, lookup, autoSelectFamily: true });
        connect({ ...options, hostname: literalOr(options.hostname, addresses) }, callback);
      },
      (error: Error) => callback(error, null),
    );
  };
}

// A literal address reaches the socket as it was vetted, not as the URL spelt it.
function literalOr(hostname: string, [first]: { address: string }[]): string {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) && first ? first.address : hostname;
}

/**
 * Through a proxy: its own address is vetted and pinned. The target is vetted as this machine resolves it and then
 * named to the proxy, which resolves it again on its side: what a name means there is beyond the guard's reach.
 */
function proxied(vet: Vet, proxy: URL, tls: TlsOptions, timeouts: object): Dispatcher {
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
    // Literal proxy addresses never come to `lookup`, hence the proxy is vetted here as well.
    Promise.all([
      vet(target.hostname, portOf(target)),
      isIP(bareHost(proxy)) && vet(proxy.hostname, port),
    ]).then(
      () => dispatch(options, handler),
      (error: Error) => handler.onResponseError?.(idleController, error),
    );
    return true;
  });
}

// Stands for the request that was never dispatched.
const idleController: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

/** The port of a proxy URL; http 80, https 443 and SOCKS 1080 where it names none. */
export function proxyPort(proxy: URL): number {
  return proxy.port === "" && proxy.protocol.startsWith("socks") ? 1080 : portOf(proxy);
}

export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}
