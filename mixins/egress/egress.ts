import type { Dispatcher } from "undici";
import { fail } from "../../services/contracts/errors.ts";
import { type AllowList, parseAllowList } from "../../services/domain/url/address-policy.ts";
import { admitUrl, maxUrlLength, portOf } from "../../services/domain/url/admit-url.ts";
import { type RefusalRule, type RefusedSubject, refusalMessage } from "../../services/domain/url/refusals.ts";
import type { BotIdentity } from "../config/config.ts";
import { type AgentOptions, createAgent, forJob, vetOfJob } from "./agent.ts";
import { signing } from "./bot-identity.ts";
import { watchConnections } from "./connections.ts";
import { DnsLookups, type JobLookups, shareLookups } from "./dns-lookups.ts";
import type { DnsSources } from "./dns-settings.ts";
import { createVet, type LookupAll, type Refused, ruleOf, type Vet } from "./guard.ts";
import type { TenantProxy } from "./tenant-proxy.ts";

export { errorsIn, isRefusal, type LookupAll, type Refused } from "./guard.ts";
export type { TrafficReport } from "./proxy-traffic.ts";
export type { TenantProxy } from "./tenant-proxy.ts";

/** The one way out: the guard vets every connection for a user at the moment it is made. */
export interface Egress {
  /** Checks a URL without DNS. Throws `invalid_url`, or `url_not_allowed` with the rules that refuse it. */
  admit(url: string, options?: AdmitOptions): URL;
  /**
   * A dispatcher for undici that vets and pins every connection. With a `tenant` it serves one job, which resolves a name
   * once; without, each connection is a job of its own. Dispatchers with the same options share connections, which close with
   * the egress; those without a tenant share none with the others. A refused connection rejects with an error that `isRefusal` recognises.
   */
  agent(options?: AgentOptions & Tenancy): Dispatcher;
  /**
   * Resolves a host once, and answers the addresses to which a client library may connect for a user, with the name as that of
   * the certificate. Rejects as connections of `agent` do.
   */
  vet: Vet;
  /** What a thread needs to make an egress with the same guard. */
  readonly settings: EgressSettings;
  /** Reports what that guard refuses, as if this one had. */
  report(refused: Refused): void;
  /** A forward proxy on 127.0.0.1 for one browser context. */
  openTenantProxy(options: { upstreamProxyUrl?: string } & Tenancy): Promise<TenantProxy>;
  close(): Promise<void>;
}

export interface AdmitOptions {
  /** What the message calls it; a URL that the client gave unless named. */
  subject?: RefusedSubject;
  /** Takes https only. */
  onlyHttps?: boolean;
  /** Does not report a refusal, since nobody asked for this URL: one of a page's many links. */
  isLink?: boolean;
}

export interface Tenancy {
  /** Who has name lookups counted: an API key, or the host of a poll. Without a tenant each name counts by itself. */
  tenant?: string;
}

export interface EgressSettings {
  /** CIDRs, addresses and `host:port` pairs that are allowed although they are not public. */
  allow: string[];
  /** The name servers and hosts file, the system's by default, and which names the system resolves itself. */
  names?: DnsSources;
}

export interface EgressOptions extends EgressSettings {
  /** Replaces all of these names. */
  lookup?: LookupAll;
  /** Signs the requests that name Magpie. */
  identity?: BotIdentity;
  /** Gets everything that is refused, for the log. */
  onRefusal?: (refused: Refused) => void;
}

/** Agents with a client certificate at a time: each has connections of its own. */
const mostCertified = 200;

/** Throws when an entry of the allow list does not parse. */
export function createEgress(options: EgressOptions): Egress {
  const allow = parseAllowList(options.allow);
  const { onRefusal = () => undefined, identity } = options;
  const { names, leave } = namesOf(options, allow);
  const settings = { allow: options.allow, ...(options.names && { names: options.names }) };
  const vetFor = ({ lookup }: JobLookups) => createVet(allow, lookup, onRefusal);
  const named = (agent: Dispatcher) => (identity ? agent.compose(signing(identity)) : agent);
  const agents = new Map<string, Dispatcher>();
  const certified = new LastUsed(mostCertified, key => {
    void agents.get(key)?.close();
    agents.delete(key);
  });
  const endWatch = watchConnections();
  const proxies = new Set<TenantProxy>();
  return {
    admit: (text, { subject = "url", onlyHttps = false, isLink = false } = {}) => {
      const admission = admitUrl(text, allow, { onlyHttps });
      if (admission.admitted) return admission.url;
      if (admission.code === "invalid_url") throw notAUrl(text);
      const { url, rules } = admission;
      if (!isLink) onRefusal({ host: url.hostname, port: portOf(url), rules });
      throw refusedBy(rules, subject);
    },
    agent: ({ skipTlsVerification = false, proxyUrl, tenant, clientCertificate } = {}) => {
      const isOfJobs = tenant !== undefined;
      const key = JSON.stringify([skipTlsVerification, proxyUrl, isOfJobs, clientCertificate?.fingerprint]);
      const vet: Vet = isOfJobs ? vetOfJob : (host, port) => vetFor(names.job())(host, port);
      const agent =
        agents.get(key) ?? named(createAgent({ skipTlsVerification, proxyUrl, clientCertificate }, vet));
      agents.set(key, agent);
      if (clientCertificate) certified.used(key);
      return isOfJobs ? forJob(agent, vetFor(names.job(tenant))) : agent;
    },
    vet: (host, port) => vetFor(names.job())(host, port),
    settings,
    report: onRefusal,
    openTenantProxy: async ({ tenant, upstreamProxyUrl }) => {
      const { openTenantProxy } = await import("./tenant-proxy.ts");
      const proxy = await openTenantProxy({
        upstreamProxyUrl,
        newJob: (ofJob = tenant) => names.job(ofJob),
        vetFor,
      });
      proxies.add(proxy);
      return { ...proxy, close: () => (proxies.delete(proxy) ? proxy.close() : Promise.resolve()) };
    },
    close: async () => {
      const open = [
        ...[...proxies].map(each => each.close()),
        ...[...agents.values()].map(each => each.destroy()),
      ];
      proxies.clear();
      agents.clear();
      await Promise.all(open);
      endWatch();
      leave();
    },
  };
}

/** The operator's names are the system's, unless other name servers are named. */
function namesOf(
  { names = {}, lookup }: EgressOptions,
  { hosts }: AllowList,
): ReturnType<typeof shareLookups> {
  const system = names.servers ? [] : [...hosts, ...(names.system ?? [])];
  if (!lookup) return shareLookups({ ...names, system });
  const own = new DnsLookups(async name => ({ addresses: await lookup(name), ttlMs: 0 }));
  return { names: own, leave: () => own.close() };
}

/** Browsers and curl take an address without a scheme, so people send one. */
function notAUrl(text: string): Error {
  const rule = `Give an absolute http or https URL of at most ${maxUrlLength} characters.`;
  const isAddress = text.length < 256 && /^[\w-]+(\.[\w-]+)+([/?#]\S*)?$/.test(text);
  return fail("invalid_url", isAddress ? `Did you mean https://${text}? ${rule}` : rule);
}

/** The error that a client gets for a URL that Magpie does not request. */
export function refusedBy(rules: RefusalRule[], subject: RefusedSubject, cause?: unknown): Error {
  return fail("url_not_allowed", refusalMessage(rules, subject), { rules }, cause);
}

/** The client's error for a connection that the guard refused; undefined for other failures. */
export function refusalOf(error: unknown, subject: RefusedSubject = "url"): Error | undefined {
  const rule = ruleOf(error);
  return rule && refusedBy([rule], subject, error);
}

/** Keeps the names that were used last; calls `drop` with each that has to go. */
class LastUsed {
  readonly #names = new Set<string>();
  readonly #most: number;
  readonly #drop: (name: string) => void;

  constructor(most: number, drop: (name: string) => void) {
    this.#most = most;
    this.#drop = drop;
  }

  used(name: string): void {
    this.#names.delete(name);
    this.#names.add(name);
    const [oldest] = this.#names;
    if (oldest === undefined || this.#names.size <= this.#most) return;
    this.#names.delete(oldest);
    this.#drop(oldest);
  }
}
