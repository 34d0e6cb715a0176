type Read = { address: string } | { problem: string };

/** RFC 5321, 4.5.3.1: of the local part and of an address in a path. */
const [longestLocal, longestAddress] = [64, 254];
/**
 * A dot-string (RFC 5321, 4.1.2): a quoted one is legal and in nobody's use. Without % and !, by which old servers send a
 * mail on to another host.
 */
const dotString = /^[a-z0-9#$&'*+/=?^_`{|}~-]+(\.[a-z0-9#$&'*+/=?^_`{|}~-]+)*$/i;
const hostName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** An address of mail in ASCII, with its domain in small letters; or what is wrong with it, beginning with a verb. */
export function readAddress(text: string): Read {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  if (at < 1) return { problem: "must hold one address, such as mailto:person@example.com" };
  if (local.length > longestLocal || !dotString.test(local))
    return {
      problem: "must hold one address whose part before the @ is letters, digits and signs, without blanks",
    };
  const domain = hostOf(text.slice(at + 1));
  if (!hostName.test(domain) || /\.\d+$/.test(domain))
    return { problem: "must hold an address with the name of a domain after the @" };
  const address = `${local}@${domain}`;
  return address.length > longestAddress ? { problem: "holds an address that is too long" } : { address };
}

/** The name of a host in ASCII, as URLs have it; empty for anything else. */
function hostOf(name: string): string {
  return /[\s/\\?#@:[\]%<>]/.test(name) ? "" : (URL.parse(`https://${name}`)?.hostname ?? "");
}

/** Whether this is meant as an address of mail. */
export function isMailUrl(url: string): boolean {
  return /^mailto:/i.test(url);
}

/** The one address of a `mailto:` URL (RFC 6068). Header fields are refused: they are the service's. */
export function readMailUrl(url: string): Read {
  const rest = url.slice("mailto:".length);
  if (/[?#]/.test(rest))
    return { problem: "must end with the address: fields such as ?subject= are not taken" };
  try {
    return readAddress(decodeURIComponent(rest));
  } catch {
    return { problem: "has a broken percent-encoding" };
  }
}

/** The address as the URL that is stored and shown. */
export function mailUrl(address: string): string {
  return `mailto:${address.replace(/[%?#]/g, found => encodeURIComponent(found))}`;
}

/** The address of a stored `mailto:` URL. */
export function addressOf(url: string): string {
  return decodeURIComponent(url.slice("mailto:".length));
}

/** Whether it is an address whose owner has not agreed yet; `confirmed` is the URL whose owner has. */
export function awaitsConfirmation({ url, confirmed }: { url: string; confirmed?: string | null }): boolean {
  return isMailUrl(url) && confirmed !== url;
}

/** Names of one mailbox at providers that leave out dots. */
const withoutDots = /^(gmail|googlemail)\.com$/;

/** The mailbox of an address, for counting: what is before a plus is the same one at most providers. */
export function mailboxOf(address: string): string {
  const [, local = "", domain = ""] = /^([^+@]*)[^@]*@(.*)$/.exec(address.toLowerCase()) ?? [];
  return withoutDots.test(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}
