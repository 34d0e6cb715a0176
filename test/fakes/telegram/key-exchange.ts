import {
  constants,
  createDiffieHellman,
  type DiffieHellman,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
  randomBytes,
} from "node:crypto";
import { Long } from "@mtcute/core";
import { generateKeyAndIvFromNonce, parsePublicKey } from "@mtcute/core/utils.js";
import { crypto, int, long, readerOf, type TlObject, tlObject, write } from "./wire.ts";

/** The server's pair: the key that it alone has, and the one that its clients trust (PEM, PKCS #1). */
export interface ServerKeys {
  privateKey: KeyObject;
  publicKey: string;
}

interface Fields extends TlObject {
  [field: string]: unknown;
}

/**
 * Made anew. mtcute looks a key up by its fingerprint in hexadecimal, from which it drops zeros at the front: it would not
 * know one key in 16.
 */
export function newServerKeys(): ServerKeys {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const publicKey = String(pair.publicKey.export({ type: "pkcs1", format: "pem" }));
  const isKnown = !parsePublicKey(crypto, publicKey).fingerprint.startsWith("0");
  return isKnown ? { privateKey: pair.privateKey, publicKey } : newServerKeys();
}

/** The product that a client takes apart to show that it takes trouble. */
const pq = Buffer.from((1_000_000_007n * 1_000_000_009n).toString(16).padStart(16, "0"), "hex");

/** The prime that the network itself uses (core.telegram.org/mtproto/auth_key): clients know it, and need not try it. */
const dhPrime = Buffer.from(
  "c71caeb9c6b1c9048e6c522f70f13f73980d40238e3e21c14934d037563d930f48198a0aa7c14058229493d22530f4db" +
    "fa336f6e0ac925139543aed44cce7c3720fd51f69458705ac68cd4fe6b6b13abdc9746512969328454f18faf8c595f64" +
    "2477fe96bb2a941d5bcd1d4ac8cc49880708fa9b378e3c4f3a9060bee67cf9a4a4a695811051907e162753b56b0f6b41" +
    "0dba74d8a84b2a14b3144e0ef1284754fd17ed950d5965b4b9dd46582db1178d169c6bc465b0d6ff9ca3928fef5b9ae4" +
    "e418fc15e83ebea0f87fa9ff5eed70050ded2849f47bf959d956850ce929851f0d8115f635b105ee2e4e15d04b2454bf" +
    "6f4fadf034b10403119cd8e3b92fcc5b",
  "hex",
);
const generator = 3;

/**
 * One client's way to an authorization key, by messages that are not encrypted
 * (core.telegram.org/mtproto/auth_key).
 */
export class KeyExchange {
  readonly #keys: ServerKeys;
  readonly #serverNonce = new Uint8Array(randomBytes(16));
  #offered: { nonce: unknown; newNonce: Uint8Array; group: DiffieHellman } | undefined;

  constructor(keys: ServerKeys) {
    this.#keys = keys;
  }

  /** The answer to a step; the last one tells the key too. */
  answer(packet: Uint8Array): { packet: Uint8Array; key?: Uint8Array } {
    const reader = readerOf(packet.subarray(20));
    const step = reader.object() as Fields;
    switch (step._) {
      case "mt_req_pq_multi":
        return { packet: plain(this.#begin(step)) };
      case "mt_req_DH_params":
        return { packet: plain(this.#offer(step)) };
      case "mt_set_client_DH_params":
        return this.#agree(step);
      default:
        throw new Error(`no step of a key exchange: ${step._}`);
    }
  }

  #begin({ nonce }: Fields): TlObject {
    const { fingerprint } = parsePublicKey(crypto, this.#keys.publicKey);
    const serverPublicKeyFingerprints = [Long.fromString(fingerprint, true, 16)];
    return tlObject("mt_resPQ", { nonce, serverNonce: this.#serverNonce, pq, serverPublicKeyFingerprints });
  }

  #offer({ nonce, encryptedData }: Fields): TlObject {
    const secret = unpadded(this.#keys.privateKey, encryptedData as Uint8Array);
    const { newNonce } = readerOf(secret).object() as { newNonce: Uint8Array };
    const group = createDiffieHellman(dhPrime, generator);
    const gA = group.generateKeys();
    this.#offered = { nonce, newNonce, group };
    const serverTime = Math.floor(Date.now() / 1000);
    const inner = write(
      tlObject("mt_server_DH_inner_data", { ...this.#both(), g: generator, dhPrime, gA, serverTime }),
    );
    const padding = new Uint8Array((16 - ((20 + inner.length) % 16)) % 16);
    const answer = Buffer.concat([crypto.sha1(inner), inner, padding]);
    const encryptedAnswer = this.#cipher().encrypt(new Uint8Array(answer));
    return tlObject("mt_server_DH_params_ok", { ...this.#both(), encryptedAnswer });
  }

  #agree({ encryptedData }: Fields): { packet: Uint8Array; key: Uint8Array } {
    const inner = this.#cipher()
      .decrypt(encryptedData as Uint8Array)
      .subarray(20);
    const { gB } = readerOf(inner).object() as { gB: Uint8Array };
    const shared = this.#known().group.computeSecret(gB);
    // One key in 256 begins with a zero, which the client leaves out: it could not log in where the server does not.
    const key = new Uint8Array(shared.subarray(shared.findIndex(byte => byte !== 0)));
    const mark = [this.#known().newNonce, Uint8Array.of(1), crypto.sha1(key).subarray(0, 8)];
    const newNonceHash1 = crypto.sha1(Buffer.concat(mark)).subarray(4, 20);
    return { packet: plain(tlObject("mt_dh_gen_ok", { ...this.#both(), newNonceHash1 })), key };
  }

  #cipher() {
    const { newNonce } = this.#known();
    return crypto.createAesIge(...generateKeyAndIvFromNonce(crypto, this.#serverNonce, newNonce));
  }

  #both() {
    return { nonce: this.#known().nonce, serverNonce: this.#serverNonce };
  }

  #known() {
    if (!this.#offered) throw new Error("a step of the key exchange was left out");
    return this.#offered;
  }
}

/** RSA_PAD undone: a key that is masked by the hash of what it encrypts, and the data in reverse. */
function unpadded(key: KeyObject, encrypted: Uint8Array): Uint8Array {
  const block = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, encrypted);
  const sealed = new Uint8Array(block.subarray(32));
  const mask = crypto.sha256(sealed);
  const aesKey = Uint8Array.from(block.subarray(0, 32), (byte, at) => byte ^ Number(mask[at]));
  return crypto.createAesIge(aesKey, new Uint8Array(32)).decrypt(sealed).subarray(0, 192).toReversed();
}

/** No key, an id, the length. */
function plain(object: TlObject): Uint8Array {
  const body = write(object);
  const id = Long.fromBits(1, Math.floor(Date.now() / 1000));
  return Buffer.concat([long(Long.ZERO), long(id), int(body.length), body]);
}
