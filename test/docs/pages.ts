import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

/** Every file of the repository, as git knows it or would add it. */
export const repositoryFiles = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 1e8,
})
  .split("\n")
  .filter(Boolean);

/**
 * Every page of documentation, by its path. Notes of the lab are not among them: what they name is that of their day. Neither
 * is the form of a pull request, which GitHub shows.
 */
export const pages = new Map(
  repositoryFiles.flatMap(path =>
    /^(?!test\/|docs\/lab\/|\.github\/).*\.md$/.test(path)
      ? [[path, readFileSync(join(root, path), "utf8")] as const]
      : [],
  ),
);

export function page(path: string): string {
  const text = pages.get(path);
  if (text === undefined) throw new Error(`no page ${path}`);
  return text;
}

/** A fenced block: its info string (`sh runnable`), its text, and the line on which the text begins. */
export interface Block {
  info: string;
  text: string;
  line: number;
}

export function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\S[^\n]*)?\n([\s\S]*?)^```$/gm)].map(
    ({ 1: info = "", 2: body = "", index }) => ({
      info,
      text: body,
      line: text.slice(0, index).split("\n").length + 1,
    }),
  );
}

/** The page without its fenced blocks. */
export function proseOf(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}
