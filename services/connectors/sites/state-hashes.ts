import type { PageState } from "../pages/page-state.ts";

/** The hashes in the state of a page, and how they are written there. Their order is that of the bits in the first byte. */
const hashes = [
  ["hash", "hex"],
  ["rest", "hex"],
  ["lastRest", "hex"],
  ["page", "hex"],
  ["toldPage", "hex"],
  ["fingerprint", "base64url"],
] as const;

const hashBytes = 32;

type Hashes = Partial<Pick<PageState, (typeof hashes)[number][0]>>;

/** Takes the hashes out of a state, as bytes: which are there, and these. What is no SHA-256 stays as it is. */
export function takeHashes(state: Partial<PageState>): { bytes: Buffer; others: Partial<PageState> } {
  const others = { ...state };
  const taken: Buffer[] = [];
  let present = 0;
  for (const [at, [name, encoding]] of hashes.entries()) {
    const bytes = Buffer.from(state[name] ?? "", encoding);
    if (bytes.length !== hashBytes || bytes.toString(encoding) !== state[name]) continue;
    present |= 1 << at;
    taken.push(bytes);
    delete others[name];
  }
  return { bytes: Buffer.concat([Buffer.of(present), ...taken]), others };
}

/** The hashes that begin there, and where they end. */
export function readHashes(bytes: Buffer, from: number): { found: Hashes; end: number } {
  const present = bytes.readUInt8(from);
  const found: Hashes = {};
  let end = from + 1;
  for (const [at, [name, encoding]] of hashes.entries()) {
    if ((present & (1 << at)) === 0) continue;
    found[name] = bytes.toString(encoding, end, end + hashBytes);
    end += hashBytes;
  }
  return { found, end };
}
