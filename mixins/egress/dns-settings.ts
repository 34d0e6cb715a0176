import { getServers } from "node:dns";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { isPublicAddress } from "../../services/domain/url/address-policy.ts";

/** Where the settings come from; the system's files by default. */
export interface DnsSources {
  /** Addresses of name servers, `address`, `address:port` or `[IPv6]:port`, in place of resolv.conf. */
  servers?: string[];
  hostsFile?: string;
  resolvConfFile?: string;
  /** The port of the servers in resolv.conf; 53 by default. */
  port?: number;
  /** How often to check the files. */
  checkEveryMs?: number;
  /** Names that the operator gives. The system resolves them, so search domains apply to them. */
  system?: string[];
}

/** How this machine resolves names: hosts(5) and resolv.conf(5). */
export interface DnsSettings {
  /** Lower-case name -> addresses. */
  hosts: Map<string, string[]>;
  servers: string[];
  /** The longest wait before asking the next server. */
  timeoutMs: number;
  /** This machine has an address that the IPv6 internet can answer to. */
  hasIpv6: boolean;
}

/** Reads the settings, and again when a file has changed. Synchronous: two small local files, some 10 µs a check. */
export function watchDnsSettings(sources: DnsSources = {}): () => DnsSettings {
  const { hostsFile = "/etc/hosts", resolvConfFile = "/etc/resolv.conf", checkEveryMs = 1000 } = sources;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let version = "";
  let settings: DnsSettings | undefined;
  return () => {
    if (settings && performance.now() - checkedAt < checkEveryMs) return settings;
    checkedAt = performance.now();
    const hasIpv6 = speaksIpv6();
    const found = `${versionOf(hostsFile)} ${versionOf(resolvConfFile)}`;
    if (settings && found === version) return Object.assign(settings, { hasIpv6 });
    version = found;
    settings = { ...serversOf(sources, resolvConfFile), hosts: parseHosts(read(hostsFile)), hasIpv6 };
    return settings;
  };
}

type ServerSettings = Omit<DnsSettings, "hosts" | "hasIpv6">;

function serversOf({ servers, port }: DnsSources, resolvConfFile: string): ServerSettings {
  if (servers) return { ...parseResolvConf(""), servers };
  const conf = parseResolvConf(read(resolvConfFile));
  const named = port === undefined ? conf.servers : conf.servers.map(server => `[${server}]:${port}`);
  return { ...conf, servers: named.length > 0 ? named : getServers() };
}

const maxServers = 3;

/**
 * The servers and `timeout` of resolv.conf(5). Ignores `search`, `domain` and `ndots`: the host of a URL is a whole name.
 * Ignores `rotate`: the server that answered last is asked first. Ignores `attempts`: a lookup has a deadline.
 */
export function parseResolvConf(text: string): ServerSettings {
  const lines = text.split("\n").map(line =>
    line
      .replace(/[#;].*$/, "")
      .trim()
      .split(/\s+/),
  );
  const valuesOf = (keyword: string) =>
    lines.filter(([first]) => first === keyword).flatMap(([, ...values]) => values);
  const [, timeout = "5"] =
    valuesOf("options")
      .findLast(option => /^timeout:\d+$/.test(option))
      ?.split(":") ?? [];
  return {
    servers: valuesOf("nameserver")
      .filter(server => isIP(server) !== 0)
      .slice(0, maxServers),
    timeoutMs: Math.max(1, Number(timeout)) * 1000,
  };
}

/** Names of hosts(5), each with its addresses in the order of the file. */
export function parseHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*$/, "").trim().split(/\s+/);
    if (!isIP(address)) continue;
    for (const name of names.map(each => each.toLowerCase().replace(/\.$/, "")))
      hosts.set(name, [...(hosts.get(name) ?? []), address]);
  }
  return hosts;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}

function versionOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.ino}:${stat.mtimeMs}:${stat.size}` : "none";
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

function speaksIpv6(): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  return addresses.some(({ family, address }) => family === "IPv6" && isPublicAddress(address));
}
