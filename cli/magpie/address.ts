import { isIP } from "node:net";
import { isPublicAddress } from "../../services/domain/url/address-policy.ts";
import { note } from "./screen.ts";

/** A scheme, or what is written before a host without `//`: `mailto:a`, but not `localhost:8080`. */
const schemed = /^[a-z][a-z0-9+.-]*:(?!\d{1,5}(?:[/?#]|$))/i;
/** A host with a dot, `localhost` or an address of IPv6, with what may follow it. */
const hosted = /^(?:localhost|\[[0-9a-f:.]+\]|[^\s/?#@:[\]]+\.[^\s/?#@:[\]]+)(?::\d{1,5})?(?:[/?#]\S*)?$/i;

/**
 * The address that a person means who leaves the scheme out, as browsers and curl allow: https, or http for this machine and
 * for literals of private networks, which have no certificate. Standard error says so. What is no address stays as it is:
 * the service refuses it by name.
 */
export function addressOf(given: string): string {
  const address = withScheme(given);
  if (address !== given) note(`Without a scheme, ${given} is taken as ${address}`);
  return address;
}

export function withScheme(given: string): string {
  const text = given.trim();
  if (schemed.test(text) || !hosted.test(text)) return given;
  const host = URL.parse(`http://${text}`)?.hostname;
  if (host === undefined) return given;
  return `${isHere(host.replace(/^\[|\]$/g, "")) ? "http" : "https"}://${text}`;
}

function isHere(host: string): boolean {
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return host === "localhost" || host.endsWith(".localhost");
}
