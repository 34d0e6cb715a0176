import { readFileSync } from "node:fs";

/** A certificate for 127.0.0.1 and a.example that nobody signed, with its key; they protect nothing. */
export function selfSigned(): { key: Buffer; cert: Buffer } {
  const read = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
  return { key: read("key"), cert: read("cert") };
}
