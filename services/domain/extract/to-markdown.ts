import { visit } from "./markdown/markdown-visitor.ts";
import type { ElementNode } from "./tree.ts";

/**
 * Writes a tree as GitHub Flavored Markdown (GFM 0.29). Addresses are taken as they stand: absolute when the tree went
 * through `cleanTree`. Changes nothing in the tree. Time is linear in the page.
 */
export function toMarkdown(root: ElementNode): string {
  const result = visit(root);
  return result.substr(0).replace(/^\n+/, "").trimEnd();
}
