import { generateKeyPairSync } from "node:crypto";
import { toConfig } from "../../../mixins/config/config.ts";
import { readEnv } from "../../../mixins/config/env.ts";
import { keyDirectory, signatureHeaders, thumbprint } from "../../../mixins/egress/bot-identity.ts";
import { verifySignatures } from "../../support/verify-signature.ts";

/** The key of RFC 9421, B.1.4. */
const jwk = {
  kty: "OKP",
  crv: "Ed25519",
  d: "n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU",
  x: "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs",
};
const pem = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----`;
const kid = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";
const published = { kid, x: jwk.x };

const identityOf = (value: string) =>
  toConfig(readEnv({ BOT_IDENTITY: value, PUBLIC_URL: "https://signature-agent.test" })).botIdentity;

function known() {
  const identity = identityOf(JSON.stringify(jwk));
  if (!identity) throw new Error("no identity");
  return identity;
}

test("the verifier of these tests takes the vectors of RFC 9421 and of Web Bot Auth, and none that is changed", () => {
  const rfc = {
    authority: "example.com",
    method: "POST",
    path: "/foo",
    headers: {
      date: "Tue, 20 Apr 2021 02:07:55 GMT",
      "content-type": "application/json",
      "content-length": "18",
      "signature-input":
        'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
      signature:
        "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:",
    },
  };
  const draft = {
    authority: "example.com",
    headers: {
      "signature-agent": 'agent2="https://signature-agent.test"',
      "signature-input": `sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="${kid}";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"`,
      signature:
        "sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:",
    },
  };
  const directory = {
    authority: "signature-agent.test",
    headers: {
      "content-digest": "sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:",
      "signature-input": `binding=("@authority";req "content-digest");created=1735689600;expires=4889289600;keyid="${kid}";tag="http-message-signatures-directory"`,
      signature:
        "binding=:l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==:",
    },
  };
  expect(verifySignatures(rfc, [{ kid: "test-key-ed25519", x: jwk.x }])["sig-b26"]?.created).toBe(
    "1618884473",
  );
  expect(verifySignatures(draft, [published]).sig2?.tag).toBe("web-bot-auth");
  expect(verifySignatures(directory, [published]).binding?.keyid).toBe(kid);
  expect(() => verifySignatures({ ...draft, authority: "example.org" }, [published])).toThrow(
    "no signature of",
  );
});

test("a request is signed for its host, for five minutes, by the key's thumbprint", () => {
  const headers = signatureHeaders("example.com", known());
  const { sig1 } = verifySignatures({ authority: "example.com", headers }, [published]);
  expect(sig1).toMatchObject({ keyid: kid, alg: "ed25519", tag: "web-bot-auth" });
  expect(sig1?.covered).toBe('"@authority" "signature-agent";key="sig1"');
  expect(Number(sig1?.expires) - Number(sig1?.created)).toBe(300);
  expect(headers["signature-agent"]).toBe('sig1="https://signature-agent.test"');
  expect(signatureHeaders("example.com", known()).signature).not.toBe(headers.signature);
  expect(() => verifySignatures({ authority: "example.org", headers }, [published])).toThrow(
    "no signature of",
  );
});

test("the body of the directory is that of the draft's vector, without the private part", () => {
  const { body, headers } = keyDirectory(known());
  expect(body).toBe(`{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"${kid}","x":"${jwk.x}","use":"sig"}]}`);
  expect(headers["content-digest"]).toBe("sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:");
  const signed = verifySignatures({ authority: "signature-agent.test", headers }, [published]);
  expect(signed.binding0).toMatchObject({ tag: "http-message-signatures-directory" });
});

test("while keys change, the first one signs, all are published, and each private one proves itself", () => {
  const next = generateKeyPairSync("ed25519");
  const former = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" });
  const nextPem = next.privateKey.export({ type: "pkcs8", format: "pem" });
  const identity = identityOf(`${pem}\n${nextPem}${former}`.replaceAll("\n", "\\n"));
  if (!identity) throw new Error("no identity");
  const { body, headers } = keyDirectory(identity);
  const { keys } = JSON.parse(body) as { keys: { kid: string; x: string }[] };
  expect(keys).toHaveLength(3);
  expect(keys[1]?.kid).toBe(thumbprint(next.publicKey));
  const proven = verifySignatures({ authority: "signature-agent.test", headers }, keys);
  expect(Object.values(proven).map(({ keyid }) => keyid)).toEqual([kid, keys[1]?.kid]);
  const request = signatureHeaders("example.com", identity);
  expect(verifySignatures({ authority: "example.com", headers: request }, keys).sig1?.keyid).toBe(kid);
});

const { d: _, ...onlyPublic } = jwk;
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

test.each([
  ["text", "/etc/magpie/key.pem"],
  ["a public key alone", JSON.stringify(onlyPublic)],
  ["a public key first", JSON.stringify({ keys: [onlyPublic, jwk] })],
  ["an empty set", '{"keys":[]}'],
  ["another kind of key", JSON.stringify(rsa.export({ format: "jwk" }))],
  ["another kind of PEM", String(rsa.export({ type: "pkcs8", format: "pem" }))],
  ["a PEM that is cut off", pem.slice(0, 80)],
  ["one good key and one bad", JSON.stringify({ keys: [jwk, { kty: "OKP" }] })],
])("an identity of %s is refused, and the message has nothing of it", (_what, value) => {
  const refuse = () => identityOf(value);
  expect(refuse).toThrow(/^BOT_IDENTITY: an Ed25519 private key as PEM or JWK/);
  expect(refuse).not.toThrow(value.slice(0, 30));
});

test("a JWK set and PEM are the same key; the directory needs an https address", () => {
  const set = identityOf(JSON.stringify({ keys: [jwk] }));
  expect([set?.keys[0], identityOf(pem)?.keys[0]].map(key => key && thumbprint(key))).toEqual([kid, kid]);
  const of = (env: Record<string, string>) => () => toConfig(readEnv({ BOT_IDENTITY: pem, ...env }));
  expect(of({})).toThrow(/^PUBLIC_URL: .* required with BOT_IDENTITY$/);
  expect(of({ PUBLIC_URL: "http://magpie.example.com" })).toThrow(/^PUBLIC_URL: an https origin/);
  expect(
    JSON.stringify(toConfig(readEnv({ BOT_IDENTITY: pem, PUBLIC_URL: "https://m.example" }))),
  ).not.toContain("MC4CAQ");
});
