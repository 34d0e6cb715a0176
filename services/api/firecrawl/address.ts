/** A name with a dot, or an address, with what may follow it. */
const hostFirst = /^[\p{L}\p{N}][\p{L}\p{N}.-]*\.[\p{L}\p{N}-]+(?::\d+)?(?:[/?#]|$)/u;

/** Clients may leave out the scheme, as people do; it is `http` then, as in Firecrawl. What does not begin with a host stays, and is refused later. */
export function withScheme(address: string): string {
  return hostFirst.test(address) ? `http://${address}` : address;
}
