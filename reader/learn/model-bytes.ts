import { type BoostedTrees, packTrees, type TreeNode } from "./boosted-trees.ts";

const leaf = 0xffff;
const steps = 0x7fff;

/**
 * Reads trees from bytes. They have, in little-endian order: the number of features and of trees (uint16), base and unit
 * (float32); for each feature the number of its thresholds (uint8) and these (float32); for each node, tree by tree and
 * level by level, its feature (uint16, 65535 for a leaf), its value in units (int16) and, unless it is a leaf, which
 * threshold (uint8).
 */
export function readTrees(from: Uint8Array): BoostedTrees {
  const bytes = Buffer.from(from.buffer, from.byteOffset, from.byteLength);
  let at = 0;
  const skip = (size: number) => {
    at += size;
    return at - size;
  };
  const features = bytes.readUInt16LE(skip(2));
  const trees = bytes.readUInt16LE(skip(2));
  const base = bytes.readFloatLE(skip(4));
  const unit = bytes.readFloatLE(skip(4));
  const thresholds = Array.from({ length: features }, () =>
    Array.from({ length: bytes.readUInt8(skip(1)) }, () => bytes.readFloatLE(skip(4))),
  );
  const readTree = (): TreeNode => {
    const root: TreeNode = { value: 0 };
    const waiting = [root];
    for (const node of waiting) {
      const feature = bytes.readUInt16LE(skip(2));
      node.value = bytes.readInt16LE(skip(2)) * unit;
      if (feature === leaf) continue;
      const threshold = thresholds[feature]?.[bytes.readUInt8(skip(1))];
      if (threshold === undefined) throw new RangeError("A model's node asks for a threshold that it lacks.");
      node.split = { feature, threshold, children: [{ value: 0 }, { value: 0 }] };
      waiting.push(...node.split.children);
    }
    return root;
  };
  return packTrees(features, base, Array.from({ length: trees }, readTree));
}

/** Writes what `readTrees` reads. Values are rounded to a 32,767th of the greatest one. */
export function writeTrees({ features, base, roots, nodes, threshold, value }: BoostedTrees): Uint8Array {
  const featureOf = (node: number) =>
    threshold[node] === Number.POSITIVE_INFINITY ? leaf : nodes[node]! >> 16;
  const thresholds = Array.from({ length: features }, () => new Set<number>());
  threshold.forEach((cut, node) => void thresholds[featureOf(node)]?.add(cut));
  const sorted = thresholds.map(each => [...each].sort((a, b) => a - b));
  const unit = Math.fround(value.reduce((most, each) => Math.max(most, Math.abs(each)), 0) / steps) || 1;
  const size = sorted.reduce((sum, each) => sum + 1 + 4 * each.length, 12 + 5 * nodes.length);
  const bytes = Buffer.alloc(size);
  let at = bytes.writeUInt16LE(features);
  at = bytes.writeUInt16LE(roots.length, at);
  at = bytes.writeFloatLE(base, at);
  at = bytes.writeFloatLE(unit, at);
  for (const each of sorted) {
    at = bytes.writeUInt8(each.length, at);
    for (const cut of each) at = bytes.writeFloatLE(cut, at);
  }
  nodes.forEach((_, node) => {
    const feature = featureOf(node);
    at = bytes.writeUInt16LE(feature, at);
    at = bytes.writeInt16LE(Math.max(-steps, Math.min(steps, Math.round(value[node]! / unit))), at);
    if (feature !== leaf) at = bytes.writeUInt8(sorted[feature]!.indexOf(threshold[node]!), at);
  });
  return bytes.subarray(0, at);
}
