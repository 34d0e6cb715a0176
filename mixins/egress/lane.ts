import { isIPv6 } from "node:net";
import { type PrepareRequestFunctionOpts, RequestError, Server } from "proxy-chain";
import { bareHost, proxyPort } from "./agent.ts";
import { type Address, isRefusal, pinned, type Vet } from "./guard.ts";
import { createLaneRecord, type LaneRecord, type LaneReport } from "./lane-record.ts";
import { createLaneTargets, type LaneTargets } from "./lane-targets.ts";

export interface Lane {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /**
   * Begins the record of a new job and cuts the connections of the one before. Once the targets have sent more than
   * `maxBytes`, every connection is cut and no more are made.
   */
  begin(options: { maxBytes: number }): void;
  /** What the guard saw since `begin`. */
  record(): LaneReport;
  close(): Promise<void>;
}

/**
 * A forward proxy on a free port of 127.0.0.1 for one browser context: CONNECT (https, wss, and ws as browsers send
 * it) and plain HTTP. Every target is vetted and pinned, and so is the upstream proxy. Through an upstream the target
 * is vetted as this machine resolves it and then named to the proxy, which resolves it again on its side: what a name
 * means there is beyond the guard's reach.
 */
export async function openLane(vet: Vet, options: { upstreamProxyUrl?: string }): Promise<Lane> {
  const upstream = options.upstreamProxyUrl === undefined ? undefined : new URL(options.upstreamProxyUrl);
  const record = createLaneRecord();
  const targets = createLaneTargets(record, () => cut());
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
    begin: ({ maxBytes }) => {
      cut();
      record.reset(maxBytes);
    },
    record: record.report,
    close: async () => {
      cut();
      await server.close(true);
    },
  };
}

interface LaneParts {
  vet: Vet;
  upstream: URL | undefined;
  record: LaneRecord;
  targets: LaneTargets;
}

async function prepare({ request, hostname, port, isHttp }: PrepareRequestFunctionOpts, lane: LaneParts) {
  const { socket } = request;
  const addresses = await vetted(lane, hostname, port);
  const route = lane.upstream ? await upstreamRoute(lane, lane.upstream) : { dnsLookup: lookupOf(addresses) };
  // The job, or its budget, may have ended while the name was resolved.
  if (socket.destroyed || lane.record.isSpent()) throw new RequestError("The connection was cut", 502);
  if (!isHttp) socket.once("pipe", target => lane.targets.watch(target, hostname));
  return { ...lane.targets.agents, ...route };
}

async function vetted({ vet, record }: LaneParts, host: string, port: number): Promise<Address[]> {
  try {
    return await vet(host, port);
  } catch (error) {
    if (isRefusal(error)) {
      record.refuse(`${host}:${port}`);
      throw new RequestError("The address is not allowed", 403);
    }
    record.miss(host, "dns");
    throw new RequestError("The name does not resolve", 502);
  }
}

// proxy-chain's SOCKS clients ignore `dnsLookup`, so their URL carries the pinned address; the others keep the name,
// which the certificate of an https proxy is checked against.
async function upstreamRoute(lane: LaneParts, upstream: URL) {
  const addresses = await vetted(lane, bareHost(upstream), proxyPort(upstream));
  const url = new URL(upstream);
  if (upstream.protocol.startsWith("socks")) {
    const address = addresses[0]?.address ?? "";
    url.hostname = isIPv6(address) ? `[${address}]` : address;
    url.port = String(proxyPort(upstream));
  }
  return { upstreamProxyUrl: url.href, dnsLookup: lookupOf(addresses) };
}

// Typed by proxy-chain as the overloaded `dns.lookup`; only the form with options is ever called.
function lookupOf(addresses: Address[]) {
  return pinned(addresses) as typeof import("node:dns").lookup;
}
