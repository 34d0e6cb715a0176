/** Whether a URL is on one of these hosts: names, `*.` and a name for all below it, or `*` for any; in lower case. */
export function ownHosts(hosts: readonly string[]): (url: string) => boolean {
  const names = new Set(hosts);
  const ends = hosts.flatMap(name => (name.startsWith("*.") ? [name.slice(1)] : []));
  if (names.has("*")) return () => true;
  return url => {
    const name = URL.parse(url)?.hostname.replace(/\.$/, "") ?? "";
    return names.has(name) || ends.some(end => name.endsWith(end));
  };
}
