import { readFileSync } from "node:fs";
import type { BoostedTrees } from "../learn/boosted-trees.ts";
import { readTrees, writeTrees } from "../learn/model-bytes.ts";
import type { TokenOdds } from "./tokens.ts";

/** What training has learned: two passes of boosted trees, and the odds of single tokens. */
export interface BlockModel {
  first: BoostedTrees;
  second: BoostedTrees;
  odds: TokenOdds;
}

let own: BlockModel | undefined;

/**
 * The model beside this file, which `node reader/train/train.ts` has written. Each thread reads it once, when it needs it first. It is
 * derived from pages of others, which docs/model.md names.
 */
export function ownModel(): BlockModel {
  own ??= readBlockModel(readFileSync(new URL("./model.bin", import.meta.url)));
  return own;
}

/** Each of its three parts follows its length (uint32, little-endian): the trees of both passes, then the tokens. */
export function readBlockModel(bytes: Uint8Array): BlockModel {
  const [first, second, tokens] = partsOf(bytes);
  return { first: readTrees(first), second: readTrees(second), odds: readOdds(tokens) };
}

/** Writes what `readBlockModel` reads; odds are rounded to hundredths. */
export function writeBlockModel({ first, second, odds }: BlockModel): Uint8Array {
  const tokens = Buffer.from(
    [...odds].map(([token, each]) => `${Math.round(100 * each)} ${token}`).join("\n"),
  );
  return Buffer.concat(
    [writeTrees(first), writeTrees(second), tokens].flatMap(part => [lengthOf(part), part]),
  );
}

function lengthOf(part: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(part.length);
  return length;
}

function partsOf(bytes: Uint8Array): [Uint8Array, Uint8Array, Uint8Array] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const next = () => {
    const start = at + 4;
    at = start + view.getUint32(at, true);
    if (at > bytes.length) throw new RangeError("A model ends before its last part: the file was cut.");
    return bytes.subarray(start, at);
  };
  return [next(), next(), next()];
}

/** A token a line, after its odds in hundredths. */
function readOdds(bytes: Uint8Array): TokenOdds {
  const odds = new Map<string, number>();
  for (const line of Buffer.from(bytes).toString().split("\n")) {
    const space = line.indexOf(" ");
    if (space > 0) odds.set(line.slice(space + 1), Number(line.slice(0, space)) / 100);
  }
  return odds;
}
