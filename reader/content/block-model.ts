import { readFileSync } from "node:fs";
import type { BoostedTrees } from "../learn/boosted-trees.ts";
import { readTrees, writeTrees } from "../learn/model-bytes.ts";
import { ClueWeights } from "./clue-weights.ts";
import type { TokenOdds } from "./tokens.ts";

/** What training has learned: two passes of boosted trees, the odds of single tokens, and the weights of clues. */
export interface BlockModel {
  first: BoostedTrees;
  second: BoostedTrees;
  odds: TokenOdds;
  clues: ClueWeights;
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

/** Each of its four parts follows its length (uint32, little-endian): the trees of both passes, the tokens, the clues. */
export function readBlockModel(bytes: Uint8Array): BlockModel {
  const [first, second, tokens, clues] = partsOf(bytes);
  return {
    ...{ first: readTrees(first), second: readTrees(second) },
    ...{ odds: readOdds(tokens), clues: readClues(clues) },
  };
}

/** Writes what `readBlockModel` reads; odds are rounded to hundredths, weights to a 127th of the greatest one. */
export function writeBlockModel({ first, second, odds, clues }: BlockModel): Uint8Array {
  const tokens = Buffer.from(
    [...odds].map(([token, each]) => `${Math.round(100 * each)} ${token}`).join("\n"),
  );
  return Buffer.concat(
    [writeTrees(first), writeTrees(second), tokens, writeClues(clues)].flatMap(part => [
      lengthOf(part),
      part,
    ]),
  );
}

function lengthOf(part: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(part.length);
  return length;
}

function partsOf(bytes: Uint8Array): [Uint8Array, Uint8Array, Uint8Array, Uint8Array] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const next = () => {
    const start = at + 4;
    at = start + view.getUint32(at, true);
    if (at > bytes.length) throw new RangeError("A model ends before its last part: the file was cut.");
    return bytes.subarray(start, at);
  };
  return [next(), next(), next(), next()];
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

const mostUnits = 127;

/** Base and unit (float32, little-endian), then each clue (int32) with its weight in units (int8). */
function readClues(from: Uint8Array): ClueWeights {
  const bytes = Buffer.from(from.buffer, from.byteOffset, from.byteLength);
  const [base, unit] = [bytes.readFloatLE(0), bytes.readFloatLE(4)];
  const count = Math.floor((bytes.length - 8) / 5);
  const clues = Int32Array.from({ length: count }, (_, at) => bytes.readInt32LE(8 + 5 * at));
  const weights = Float32Array.from({ length: count }, (_, at) => unit * bytes.readInt8(12 + 5 * at));
  return new ClueWeights(base, clues, weights);
}

function writeClues({ base, clues, weights }: ClueWeights): Uint8Array {
  const most = weights.reduce((greatest, weight) => Math.max(greatest, Math.abs(weight)), 0);
  const unit = Math.fround(most / mostUnits) || 1;
  const bytes = Buffer.alloc(8 + 5 * clues.length);
  bytes.writeFloatLE(base, 0);
  bytes.writeFloatLE(unit, 4);
  clues.forEach((clue, at) => {
    bytes.writeInt32LE(clue, 8 + 5 * at);
    bytes.writeInt8(Math.max(-mostUnits, Math.min(mostUnits, Math.round(weights[at]! / unit))), 12 + 5 * at);
  });
  return bytes;
}
