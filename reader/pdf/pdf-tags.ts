import type { PdfTag } from "./pdf-lines.ts";
import type { Page } from "./pdf-source.ts";

const maxDepth = 500;
const maxTags = 100_000;

/** Tells for each id of marked content what the structure of a tagged PDF says of it (PDF 2.0, 14.8.4). */
export async function tagsOf(page: Page): Promise<Map<string, PdfTag>> {
  const tags = new Map<string, PdfTag>();
  let count = 0;
  const visit = (node: StructureNode, tag: PdfTag, depth: number): void => {
    count += 1;
    if (depth > maxDepth || tags.size > maxTags) return;
    if (node.type === "content" && node.id !== undefined) tags.set(node.id, tag);
    const inner = tagWithin(node.role, tag, count);
    for (const child of node.children ?? []) visit(child, inner, depth + 1);
  };
  const tree: unknown = await page.getStructTree();
  if (tree) visit(tree as StructureNode, {}, 0);
  return tags;
}

interface StructureNode {
  role?: string;
  type?: string;
  id?: string;
  children?: StructureNode[];
}

function tagWithin(role: string | undefined, tag: PdfTag, id: number): PdfTag {
  const level = /^H([1-6])$/.exec(role ?? "")?.[1];
  if (level !== undefined) return { ...tag, heading: Number(level) };
  if (role === "LI") return { ...tag, item: id };
  if (role === "TD" || role === "TH") return { ...tag, cell: id };
  return tag;
}
