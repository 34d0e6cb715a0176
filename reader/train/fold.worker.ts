import { parentPort, workerData } from "node:worker_threads";
import { readBlockModel } from "../content/block-model.ts";
import type { ThreadTask, Trained } from "./cross-validate.ts";
import { dealSites, pagesOf } from "./data-sets.ts";
import { contentOf, learnBlocks, preparePage } from "./learn-blocks.ts";
import { scorePage } from "./measure.ts";

const { files, folds, all, options, thread, threads } = workerData as ThreadTask;
const pages = Array.from(pagesOf(files), preparePage);
const parts = folds === 0 ? [] : dealSites(pages, folds);
if (all) parts.push(new Set());
parts.forEach((heldOut, fold) => {
  if (fold % threads !== thread) return;
  const bytes = learnBlocks(
    pages.filter(page => !heldOut.has(page)),
    options,
  );
  const model = readBlockModel(bytes);
  const scores = Array.from(heldOut, page => scorePage(contentOf(page, model), page.truth));
  parentPort?.postMessage({ fold, scores, ...(fold === folds && { model: bytes }) } satisfies Trained);
});
