/** `npm run docs`: draws the Mermaid blocks of the documentation as SVG, so that the guide shows them without a script. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { renderMermaidSVG } from "beautiful-mermaid";
import { drawingName } from "../../services/api/guide/markdown.ts";
import { blocksOf, pages } from "./pages.ts";

const folder = join(import.meta.dirname, "../../docs/drawings");

/** The drawings as they should be, by their names. */
export function drawings(): Map<string, string> {
  const sources = [...pages]
    .filter(([path]) => path.startsWith("docs/"))
    .flatMap(([, text]) => blocksOf(text).filter(({ info }) => info === "mermaid"));
  return new Map(sources.map(({ text }) => [drawingName(text), draw(text)]));
}

/** Those that are in the repository. */
export function writtenDrawings(): Map<string, string> {
  return new Map(
    globSync("*.svg", { cwd: folder }).map(name => [
      basename(name, ".svg"),
      readFileSync(join(folder, name), "utf8"),
    ]),
  );
}

/** From top to bottom, which fits a column of text. Colours and type are those of the page that shows it. */
function draw(source: string): string {
  const upright = source.replace(/^flowchart LR/, "flowchart TB");
  const svg = renderMermaidSVG(upright, { padding: 8, nodeSpacing: 20, layerSpacing: 28 });
  const name = drawingName(source);
  return svg
    .replace(/<style>[\s\S]*?<\/style>\s*/, "")
    .replace(/(<svg [^>]*?) style="[^"]*"/, "$1")
    .replace(/(["#])arrowhead/g, `$1${name}-arrow`)
    .replace(/-?\d+\.\d+/g, number => String(Math.round(Number(number) * 10) / 10))
    .replace(/ (?:data-[\w-]+="[^"]*"|r[xy]="0")/g, "")
    .concat("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, svg] of drawings()) writeFileSync(join(folder, `${name}.svg`), svg);
}
