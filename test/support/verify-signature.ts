import { createPublicKey, verify } from "node:crypto";

/** A message as its receiver has it, with the authority that the request for it named. */
export interface Received {
  authority: string;
  method?: string;
  path?: string;
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>;
}

/**
 * Checks each signature of a message, as RFC 9421, 3.2 says it: written from the text of the standard, and shares nothing
 * with what signs. Returns the parameters by the labels of the signatures; throws for one that is wrong.
 */
export function verifySignatures(
  message: Received,
  keys: { kid: string; x: string }[],
): Record<string, Record<string, string>> {
  const signatures = members(String(message.headers.signature));
  return Object.fromEntries(
    members(String(message.headers["signature-input"])).map(([label, input]) => {
      const [, list = "", params = ""] = /^\(([^)]*)\)(.*)$/.exec(input) ?? [];
      const covered = list.match(/"[^"]+"(?:;[a-z]+(?:="[^"]*")?)*/g) ?? [];
      const lines = covered.map(component => `${component}: ${valueIn(component, message)}`);
      const base = [...lines, `"@signature-params": ${input}`].join("\n");
      const named = Object.fromEntries(
        [...params.matchAll(/;([a-z]+)=(?:"([^"]*)"|(\d+))/g)].map(([, name, text, number]) => [
          name,
          text ?? number ?? "",
        ]),
      );
      const key = keys.find(({ kid }) => kid === named.keyid);
      const signature = Object.fromEntries(signatures)[label]?.replace(/^:|:$/g, "");
      if (!key || !signature) throw new Error(`no key or signature for ${label}`);
      const jwk = { kty: "OKP", crv: "Ed25519", x: key.x };
      const isGood = verify(
        null,
        Buffer.from(base),
        createPublicKey({ key: jwk, format: "jwk" }),
        Buffer.from(signature, "base64"),
      );
      if (!isGood) throw new Error(`${label} is no signature of\n${base}`);
      return [label, { ...named, covered: covered.join(" ") }];
    }),
  );
}

/** The value of a component (RFC 9421, 2). */
function valueIn(component: string, { authority, headers, method = "", path = "" }: Received): string {
  const derived = {
    '"@authority"': authority,
    '"@authority";req': authority,
    '"@method"': method,
    '"@path"': path,
  };
  if (Object.hasOwn(derived, component)) return derived[component as keyof typeof derived];
  const [, name = "", member] = /^"([a-z-]+)"(?:;key="([^"]+)")?$/.exec(component) ?? [];
  const value = headers[name];
  if (typeof value !== "string") throw new Error(`the message has no ${component}`);
  if (member === undefined) return value;
  const found = Object.fromEntries(members(value))[member];
  if (found === undefined) throw new Error(`the message has no ${component}`);
  return found;
}

/** Members of a dictionary, with their values as they are written. */
function members(dictionary: string): [string, string][] {
  const parts = dictionary.match(/(?:"[^"]*"|\([^)]*\)|[^,"(])+/g) ?? [];
  return parts.map(part => {
    const at = part.indexOf("=");
    return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
}
