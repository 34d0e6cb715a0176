import {
  constants,
  type DiffieHellmanGroup,
  getDiffieHellman,
  type KeyObject,
  privateDecrypt,
  randomBytes,
} from "node:crypto";
import { Long } from "@mtcute/node";
import { generateKeyAndIvFromNonce, parsePublicKey } from "@mtcute/node/utils.js";
import { crypto, int, long, readerOf, type TlObject, tlObject, write } from "./wire.ts";

/** The server's pair: the key that it alone has, and the one that its clients trust (PEM, PKCS #1). */
export interface ServerKeys {
  privateKey: KeyObject;
  publicKey: string;
}

interface Fields extends TlObject {
  [field: string]: unknown;
}

/** The product that a client takes apart to show that it takes trouble. */
const pq = Buffer.from((1_000_000_007n * 1_000_000_009n).toString(16).padStart(16, "0"), "hex");

/**
 * One client's way to an authorization key, by messages that are not encrypted
 * (core.telegram.org/mtproto/auth_key).
 */
export class KeyExchange {
  readonly #keys: ServerKeys;
  readonly #group: DiffieHellmanGroup = getDiffieHellman("modp14");
  readonly #serverNonce = new Uint8Array(randomBytes(16));
  #nonces: { nonce: unknown; newNonce: Uint8Array } | undefined;

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
    this.#nonces = { nonce, newNonce };
    const gA = this.#group.generateKeys();
    const serverTime = Math.floor(Date.now() / 1000);
    const dhPrime = this.#group.getPrime();
    const inner = write(
      tlObject("mt_server_DH_inner_data", { ...this.#both(), g: 2, dhPrime, gA, serverTime }),
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
    const key = new Uint8Array(256);
    const shared = this.#group.computeSecret(gB);
    key.set(shared, 256 - shared.length);
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
    if (!this.#nonces) throw new Error("a step of the key exchange was left out");
    return this.#nonces;
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
