import { createCipheriv, createHash, createHmac, pbkdf2, randomFillSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { arch, type } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { deflateSync, gunzipSync } from "node:zlib";
import { connectTcp } from "@fuman/node";
import { type ICorePlatform, IntermediatePacketCodec, type TelegramTransport } from "@mtcute/core";
import { BaseCryptoProvider, type ICryptoProvider, type IEncryptionScheme } from "@mtcute/core/utils.js";
import { ige256Decrypt, ige256Encrypt, initSync, SIMD_AVAILABLE } from "@mtcute/wasm";

/**
 * What the library's core needs of Node. The library has a package for Node, which also brings SQLite as an addon to
 * compile; our session has a store of its own.
 */
export function onNode() {
  return { crypto: new NodeCrypto(), platform };
}

/** Telegram's servers, by TCP. */
export const tcpTransport: TelegramTransport = {
  async connect({ ipAddress, port }) {
    const connection = await connectTcp({ address: ipAddress, port });
    connection.setNoDelay(true);
    connection.setKeepAlive(true);
    return connection;
  },
  packetCodec: () => new IntermediatePacketCodec(),
};

const platform: ICorePlatform = {
  getDeviceModel: () => `Node.js/${process.version} (${type()} ${arch()})`,
  // The library's log is off: its errors reach the driver, which logs them.
  getDefaultLogLevel: () => 0,
  log: () => undefined,
  // Sessions are saved after each change, so that nothing is left to do before an exit.
  beforeExit: () => () => undefined,
};

const derive = promisify(pbkdf2);

/** Telegram's ciphers: Node has all but the IGE mode of AES, which comes as WebAssembly. */
export class NodeCrypto extends BaseCryptoProvider implements ICryptoProvider {
  initialize(): void {
    const name = SIMD_AVAILABLE ? "mtcute-simd.wasm" : "mtcute.wasm";
    initSync(readFileSync(fileURLToPath(import.meta.resolve(`@mtcute/wasm/${name}`))));
  }

  createAesCtr(key: Uint8Array, iv: Uint8Array) {
    const cipher = createCipheriv(`aes-${key.length * 8}-ctr`, key, iv);
    return { process: (data: Uint8Array) => cipher.update(data) };
  }

  createAesIge(key: Uint8Array, iv: Uint8Array): IEncryptionScheme {
    return {
      encrypt: data => ige256Encrypt(data, key, iv),
      decrypt: data => ige256Decrypt(data, key, iv),
    };
  }

  pbkdf2(password: Uint8Array, salt: Uint8Array, iterations: number, keylen = 64, algo = "sha512") {
    return derive(password, salt, iterations, keylen, algo);
  }

  sha1(data: Uint8Array): Uint8Array {
    return createHash("sha1").update(data).digest();
  }

  sha256(data: Uint8Array): Uint8Array {
    return createHash("sha256").update(data).digest();
  }

  hmacSha256(data: Uint8Array, key: Uint8Array): Uint8Array {
    return createHmac("sha256", key).update(data).digest();
  }

  /** Null where the result would be larger than `maxSize`. */
  gzip(data: Uint8Array, maxSize: number): Uint8Array | null {
    try {
      return deflateSync(data, { maxOutputLength: maxSize });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return null;
      throw error;
    }
  }

  gunzip(data: Uint8Array): Uint8Array {
    return gunzipSync(data);
  }

  randomFill(bytes: Uint8Array): void {
    randomFillSync(bytes);
  }
}
