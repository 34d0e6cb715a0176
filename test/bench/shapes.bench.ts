import { parseHtml } from "../../reader/html/parse-html.ts";
import { detectWall } from "../../reader/page/detect-wall.ts";
import { digestHtml } from "../../services/scraper/extract/digest-html.ts";
import { flatText, type Shape, shapes } from "../support/page-shapes.ts";
import { type Bench, median, verdict } from "./compare.ts";

const url = "https://site.example/";
const rounds = 3;
const size = 500_000;
/** A byte of the worst shape may cost so many times that of flat text; four times the bytes, so many times the time. */
const [mostPerByte, mostGrowth] = [40, 8];

/** CPU time of reading a page of each shape, beside that of flat text, and how it grows with four times the bytes. */
export const shapesOfPages: Bench = async () => {
  timeOf(flatText, size);
  const flat = median(Array.from({ length: rounds }, () => timeOf(flatText, size)));
  return Object.entries(shapes).map(([name, shape]) => {
    const small = median(Array.from({ length: rounds }, () => timeOf(shape, size / 4)));
    const whole = median(Array.from({ length: rounds }, () => timeOf(shape, size)));
    const [factor, growth] = [whole / flat, whole / small];
    const text = `shapes: ${name} ${(whole / (size / 1e6)).toFixed(0)} ms/MB, ${factor.toFixed(1)} times flat text (${(flat / (size / 1e6)).toFixed(0)} ms/MB), ${growth.toFixed(1)} times that of a quarter`;
    // What takes some milliseconds says nothing of growth.
    return verdict(text, Math.max(factor / mostPerByte, small > 20 ? growth / mostGrowth : 0), "<=", 1);
  });
};

/** Milliseconds of this process's CPU. */
function timeOf(shape: Shape, bytes: number): number {
  const html = shape(bytes);
  const before = process.cpuUsage();
  const tree = parseHtml(html);
  const wall = detectWall({ html, status: 200, url }, tree);
  const formats = ["html" as const, "markdown" as const, "links" as const, "summary" as const];
  const wanted = { formats, onlyMainContent: true, keepHtml: false, keepText: false, crawl: true };
  digestHtml({ html, url, wall, tree }, wanted);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
