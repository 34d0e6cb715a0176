/**
 * Gradient-boosted binary trees. The nodes of all trees are in one list, each tree by its levels, so that the two
 * children of a node are neighbours. A row goes to the second child where its feature is greater than the threshold.
 */
export interface BoostedTrees {
  /** Features of a row. */
  features: number;
  /** The score before any tree, log odds. */
  base: number;
  /** The first node of each tree, and its levels below that. */
  roots: Int32Array;
  depths: Int32Array;
  /** The feature, times 65,536, and the first child. A leaf is its own child and has the threshold infinity. */
  nodes: Int32Array;
  threshold: Float32Array;
  /** What a tree would add to the score if it ended at this node, log odds. */
  value: Float32Array;
}

export const mostNodes = 0x10000;
const child = mostNodes - 1;

/** Most rows are in a leaf after so many levels, though a tree may have twice as many. */
const firstLevels = 7;

/**
 * The log odds of the row that begins at `offset`. Six trees are walked at once, and at first without a branch that the
 * processor could guess wrongly; the rest of the way of each is walked alone. This takes a quarter of the time of one
 * tree after the other.
 */
export function score(model: BoostedTrees, row: Float32Array, offset = 0): number {
  const { roots, nodes, threshold, value } = model;
  let sum = model.base;
  let tree = 0;
  for (; tree + 5 < roots.length; tree += 6) {
    let a = roots[tree]!;
    let b = roots[tree + 1]!;
    let c = roots[tree + 2]!;
    let d = roots[tree + 3]!;
    let e = roots[tree + 4]!;
    let f = roots[tree + 5]!;
    for (let level = 0; level < firstLevels; level++) {
      const na = nodes[a]!;
      const nb = nodes[b]!;
      const nc = nodes[c]!;
      const nd = nodes[d]!;
      const ne = nodes[e]!;
      const nf = nodes[f]!;
      a = (na & child) + +(row[offset + (na >> 16)]! > threshold[a]!);
      b = (nb & child) + +(row[offset + (nb >> 16)]! > threshold[b]!);
      c = (nc & child) + +(row[offset + (nc >> 16)]! > threshold[c]!);
      d = (nd & child) + +(row[offset + (nd >> 16)]! > threshold[d]!);
      e = (ne & child) + +(row[offset + (ne >> 16)]! > threshold[e]!);
      f = (nf & child) + +(row[offset + (nf >> 16)]! > threshold[f]!);
    }
    sum += value[leafBelow(model, a, row, offset)]! + value[leafBelow(model, b, row, offset)]!;
    sum += value[leafBelow(model, c, row, offset)]! + value[leafBelow(model, d, row, offset)]!;
    sum += value[leafBelow(model, e, row, offset)]! + value[leafBelow(model, f, row, offset)]!;
  }
  for (; tree < roots.length; tree++) sum += value[leafBelow(model, roots[tree]!, row, offset)]!;
  return sum;
}

function leafBelow({ nodes, threshold }: BoostedTrees, from: number, row: Float32Array, offset: number) {
  let node = from;
  // A leaf is its own child.
  for (let word = nodes[node]!; word !== node; word = nodes[node]!)
    node = (word & child) + +(row[offset + (word >> 16)]! > threshold[node]!);
  return node;
}

function next({ nodes, threshold }: BoostedTrees, node: number, row: Float32Array, offset: number): number {
  const word = nodes[node]!;
  return (word & child) + +(row[offset + (word >> 16)]! > threshold[node]!);
}

/**
 * What each feature adds to the score of a row: the change of a node's value at each split that asks for the feature
 * (path attribution, Saabas 2014). One more entry, the last, has what no feature explains; their sum is the score.
 */
export function contributions(model: BoostedTrees, row: Float32Array, offset = 0): Float64Array {
  const { features, base, roots, depths, nodes, value } = model;
  const added = new Float64Array(features + 1);
  added[features] = base;
  roots.forEach((root, tree) => {
    added[features]! += value[root]!;
    let node = root;
    for (let level = 0; level < depths[tree]!; level++) {
      const reached = next(model, node, row, offset);
      added[nodes[node]! >> 16]! += value[reached]! - value[node]!;
      node = reached;
    }
  });
  return added;
}

/** A node of a tree that is not yet in a list. */
export interface TreeNode {
  value: number;
  split?: { feature: number; threshold: number; children: [TreeNode, TreeNode] };
}

/** Puts trees into lists, those of similar depth together. */
export function packTrees(features: number, base: number, trees: readonly TreeNode[]): BoostedTrees {
  const lists = { nodes: [] as number[], threshold: [] as number[], value: [] as number[] };
  const packed = trees.map(tree => ({ tree, depth: depthOf(tree) })).sort((a, b) => a.depth - b.depth);
  const roots = packed.map(({ tree }) => {
    const root = lists.nodes.length;
    const waiting = [tree];
    for (let at = 0; at < waiting.length; at++) {
      const { value, split } = waiting[at]!;
      lists.nodes.push(split ? split.feature * mostNodes + root + waiting.length : root + at);
      lists.threshold.push(split ? split.threshold : Number.POSITIVE_INFINITY);
      lists.value.push(value);
      if (split) waiting.push(...split.children);
    }
    return root;
  });
  if (lists.nodes.length > mostNodes) throw new RangeError(`A model has at most ${mostNodes} nodes.`);
  return {
    features,
    base,
    roots: Int32Array.from(roots),
    depths: Int32Array.from(packed, ({ depth }) => depth),
    nodes: Int32Array.from(lists.nodes),
    threshold: Float32Array.from(lists.threshold),
    value: Float32Array.from(lists.value),
  };
}

function depthOf({ split }: TreeNode): number {
  return split ? 1 + Math.max(...split.children.map(depthOf)) : 0;
}
