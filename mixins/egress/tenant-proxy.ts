import { isIPv6, type Socket } from "node:net";
import { type PrepareRequestFunctionOpts, RequestError, Server } from "proxy-chain";
import { bareHost, proxyPort } from "./agent.ts";
import type { JobLookups } from "./dns-lookups.ts";
import { type Address, pinned, ruleOf, type Vet } from "./guard.ts";
import {
  createProxyConnections,
  createTrafficRecord,
  type ProxyConnections,
  type TrafficRecord,
  type TrafficReport,
} from "./proxy-traffic.ts";

export interface TenantProxy {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /**
   * Starts the record of a new job and closes the connections of the one before. Once the targets have sent more than
   * `maxBytes`, it closes every connection and opens no more. Name lookups count against `tenant`, by default the proxy's
   * own.
   */
  begin(options: { maxBytes: number; tenant?: string }): void;
  /** What the guard saw since `begin`. */
  record(): TrafficReport;
  close(): Promise<void>;
}

export interface TenantProxyOptions {
  upstreamProxyUrl?: string;
  /** The lookups of the next job; by default for the proxy's own tenant. */
  newJob: (tenant?: string) => JobLookups;
  vetFor: (job: JobLookups) => Vet;
}

/**
 * A forward proxy on a free port of 127.0.0.1 for one browser context: CONNECT (https, wss, and ws as browsers send
 * it) and plain HTTP. The guard vets and pins every target, and the upstream proxy. Through an upstream proxy it vets the
 * target as this machine resolves it; the proxy gets the target's name and resolves it again on its side, where the guard
 * has no control.
 */
export async function openTenantProxy({
  upstreamProxyUrl,
  newJob,
  vetFor,
}: TenantProxyOptions): Promise<TenantProxy> {
  const upstream = upstreamProxyUrl === undefined ? undefined : new URL(upstreamProxyUrl);
  let job = newJob();
  let vet = vetFor(job);
  const record = createTrafficRecord();
  const targets = createProxyConnections(record, () => cut());
  const server = new Server({
    host: "127.0.0.1",
    port: 0,
    prepareRequestFunction: request => prepare(request, { vet, upstream, record, targets }),
  });
  const cut = () => {
    server.closeConnections();
    targets.cut();
  };
  await server.listen();
  return {
    url: `http://127.0.0.1:${server.port}`,
    begin: ({ maxBytes, tenant }) => {
      cut();
      job.end();
      job = newJob(tenant);
      vet = vetFor(job);
      record.reset(maxBytes);
    },
    record: record.report,
    close: async () => {
      cut();
      job.end();
      await server.close(true);
    },
  };
}

interface ProxyParts {
  vet: Vet;
  upstream: URL | undefined;
  record: TrafficRecord;
  targets: ProxyConnections;
}

async function prepare({ request, hostname, port, isHttp }: PrepareRequestFunctionOpts, parts: ProxyParts) {
  const { socket } = request;
  if (isHttp) checkCredentials(request.url ?? "");
  const addresses = await vetted(parts, hostname, port, socket);
  const route = parts.upstream
    ? await upstreamRoute(parts, parts.upstream, socket)
    : { dnsLookup: lookupOf(addresses) };
  // The budget may have run out while the name was resolved.
  if (parts.record.isSpent()) throw cutOff();
  if (!isHttp) socket.once("pipe", target => parts.targets.watch(target, hostname));
  return { ...parts.targets.agents, ...route };
}

/** proxy-chain decodes a target's user name and password where nothing handles what that throws. */
function checkCredentials(url: string): void {
  const { username, password } = new URL(url);
  try {
    decodeURIComponent(`${username}:${password}`);
  } catch {
    throw new RequestError("The user name or the password is badly encoded", 400);
  }
}

/** The job may end while a name is resolved; the result then must not enter the record of the next job. */
async function vetted(
  { vet, record }: ProxyParts,
  host: string,
  port: number,
  socket: Socket,
): Promise<Address[]> {
  try {
    const addresses = await vet(host, port);
    if (!socket.destroyed) return addresses;
  } catch (error) {
    if (!socket.destroyed) throw noted(error, record, host, port);
  }
  throw cutOff();
}

function noted(error: unknown, record: TrafficRecord, host: string, port: number): RequestError {
  const rule = ruleOf(error);
  if (rule) {
    record.refuse(`${host}:${port}`, rule);
    return new RequestError("The address is not allowed", 403);
  }
  record.miss(host, "dns");
  return new RequestError("The name does not resolve", 502);
}

function cutOff(): RequestError {
  return new RequestError("The connection was cut", 502);
}

// proxy-chain's SOCKS clients ignore `dnsLookup`, so their URL has the pinned address. The others keep the name, since
// the certificate of an https proxy is checked against it. Without the `h` or `a` in the protocol, the SOCKS clients would
// resolve a target here again, by getaddrinfo, and send the proxy the result.
async function upstreamRoute(parts: ProxyParts, upstream: URL, socket: Socket) {
  const addresses = await vetted(parts, bareHost(upstream), proxyPort(upstream), socket);
  const url = new URL(upstream);
  if (upstream.protocol.startsWith("socks")) {
    const address = addresses[0]?.address ?? "";
    url.hostname = isIPv6(address) ? `[${address}]` : address;
    url.port = String(proxyPort(upstream));
    url.protocol = upstream.protocol.startsWith("socks4") ? "socks4a" : "socks5h";
  }
  return { upstreamProxyUrl: url.href, dnsLookup: lookupOf(addresses) };
}

// proxy-chain types it as the overloaded `dns.lookup`, but calls only the form with options.
function lookupOf(addresses: Address[]) {
  return pinned(addresses) as typeof import("node:dns").lookup;
}
