import { createDecipheriv } from "node:crypto";
import { gzipSync, inflateSync } from "node:zlib";
import { NodeCrypto } from "../../../services/connectors/platforms/telegram/node-platform.ts";

const hex = (text: string) => new Uint8Array(Buffer.from(text, "hex"));
const crypto = new NodeCrypto();
beforeAll(() => crypto.initialize());

test("AES in IGE mode encrypts OpenSSL's example, and decrypts it", () => {
  const cipher = crypto.createAesIge(
    hex("5468697320697320616e20696d706c655468697320697320616e20696d706c65"),
    hex("6d656e746174696f6e206f6620494745206d6f646520666f72204f70656e5353"),
  );
  const plain = hex("99706487a1cde613bc6de0b6f24b1c7aa448c8b9c3403e3467a8cad89340f53b");
  const sealed = hex("792ea8ae577b1a66cb3bd92679b8030ca54ee631976bd3a04547fdcb4639fa69");
  expect(Buffer.from(cipher.encrypt(plain))).toEqual(Buffer.from(sealed));
  expect(Buffer.from(cipher.decrypt(sealed))).toEqual(Buffer.from(plain));
});

test("AES in CTR mode continues its stream from call to call", () => {
  const [key, iv] = [new Uint8Array(32).fill(7), new Uint8Array(16).fill(9)];
  const stream = crypto.createAesCtr(key, iv);
  const sealed = Buffer.concat([stream.process(Buffer.from("one ")), stream.process(Buffer.from("text"))]);
  expect(createDecipheriv("aes-256-ctr", key, iv).update(sealed).toString()).toBe("one text");
});

test("data is compressed, unless the result would be too large", () => {
  const data = Buffer.alloc(1000, "a");
  expect(inflateSync(crypto.gzip(data, 100) ?? "")).toEqual(data);
  expect(crypto.gunzip(gzipSync(data))).toEqual(data);
  expect(crypto.gzip(data, 5)).toBeNull();
});
