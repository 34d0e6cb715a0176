import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";
import type { Dispatcher } from "undici";
import type { BotIdentity } from "../config/config.ts";
import { programAgent } from "./identity.ts";

/** The public part of a key (RFC 8037, 2), with its thumbprint. */
interface DirectoryKey {
  kty: "OKP";
  crv: "Ed25519";
  kid: string;
  x: string;
  use: "sig";
}

/** Seconds that a signature holds, which bounds how long somebody who saw it could repeat it. */
const requestSeconds = 300;
const directorySeconds = 24 * 60 * 60;
export const directoryType = "application/http-message-signatures-directory+json";

/**
 * Has the requests that name Magpie carry a signature, so that a site can tell them from those of others who use its name
 * (Web Bot Auth, draft-meunier-webbotauth-httpsig-protocol; RFC 9421). A redirect is a request of its own, with a signature
 * for the host that it leads to.
 */
export function signing(identity: BotIdentity): Dispatcher.DispatcherComposeInterceptor {
  return dispatch => (options, handler) => dispatch(signed(options, identity), handler);
}

function signed(options: Dispatcher.DispatchOptions, identity: BotIdentity): Dispatcher.DispatchOptions {
  const { headers, origin } = options;
  if (!namesMagpie(headers) || origin === undefined) return options;
  return { ...options, headers: { ...headers, ...signatureHeaders(new URL(origin).host, identity) } };
}

function namesMagpie(headers: Dispatcher.DispatchOptions["headers"]): headers is Record<string, string> {
  return Object(headers)["user-agent"] === programAgent;
}

interface Moment {
  /** Seconds since the epoch. */
  created: number;
  nonce: string;
}

/** The headers of a request to an authority: a host with its port, unless that is the scheme's own (RFC 9421, 2.2.3). */
export function signatureHeaders(
  authority: string,
  { keys: [key], publicUrl }: BotIdentity,
  { created, nonce }: Moment = thisMoment(),
): Record<string, string> {
  if (!key) throw new TypeError("an identity has a key that signs");
  const agent = `"${publicUrl}"`;
  const covered = [
    ['"@authority"', authority],
    ['"signature-agent";key="sig1"', agent],
  ] as const;
  const expires = created + requestSeconds;
  const params = `;created=${created};keyid="${thumbprint(key)}";alg="ed25519";expires=${expires};nonce="${nonce}";tag="web-bot-auth"`;
  const { input, signature } = signatureOf(covered, params, key);
  return {
    "signature-agent": `sig1=${agent}`,
    "signature-input": `sig1=${input}`,
    signature: `sig1=${signature}`,
  };
}

/** The answer that publishes the keys. Each private key signs it, which shows that it is in the hands of who publishes it. */
export function keyDirectory(
  { keys, publicUrl }: BotIdentity,
  { created, nonce }: Moment = thisMoment(),
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({ keys: keys.map(directoryKey) });
  const digest = `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
  const covered = [
    ['"@authority";req', new URL(publicUrl).host],
    ['"content-digest"', digest],
  ] as const;
  const signatures = keys
    .filter(({ type }) => type === "private")
    .map(key => {
      const expires = created + directorySeconds;
      const params = `;created=${created};expires=${expires};keyid="${thumbprint(key)}";alg="ed25519";nonce="${nonce}";tag="http-message-signatures-directory"`;
      return signatureOf(covered, params, key);
    });
  const labelled = (part: "input" | "signature") =>
    signatures.map((each, at) => `binding${at}=${each[part]}`).join(", ");
  return {
    body,
    headers: {
      "content-digest": digest,
      "signature-input": labelled("input"),
      signature: labelled("signature"),
    },
  };
}

/** The value of a member of `Signature-Input`, and of its `Signature`, over components by their identifiers (RFC 9421, 2.5). */
function signatureOf(
  covered: readonly (readonly [identifier: string, value: string])[],
  params: string,
  key: KeyObject,
): { input: string; signature: string } {
  const input = `(${covered.map(([identifier]) => identifier).join(" ")})${params}`;
  const lines = covered.map(([identifier, value]) => `${identifier}: ${value}`);
  const base = [...lines, `"@signature-params": ${input}`].join("\n");
  return { input, signature: `:${sign(null, Buffer.from(base), key).toString("base64")}:` };
}

function directoryKey(key: KeyObject): DirectoryKey {
  const { x = "" } = publicPart(key);
  return { kty: "OKP", crv: "Ed25519", kid: thumbprint(key), x, use: "sig" };
}

const thumbprints = new WeakMap<KeyObject, string>();

/** The name of a key everywhere (RFC 7638; RFC 8037, A.3). */
export function thumbprint(key: KeyObject): string {
  const known = thumbprints.get(key);
  if (known !== undefined) return known;
  const { crv, kty, x } = publicPart(key);
  const name = createHash("sha256").update(JSON.stringify({ crv, kty, x })).digest("base64url");
  thumbprints.set(key, name);
  return name;
}

function publicPart(key: KeyObject): { crv?: string; kty?: string; x?: string } {
  return (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" });
}

function thisMoment(): Moment {
  return { created: Math.floor(Date.now() / 1000), nonce: randomBytes(32).toString("base64") };
}
