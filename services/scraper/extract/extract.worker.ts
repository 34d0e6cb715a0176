/**
 * Runs in worker threads: all work whose time depends on the page. A hostile page can be stopped there, and does not
 * delay others.
 */
import { constants, setPriority } from "node:os";
import { serveTasks } from "../../../mixins/runtime/thread-worker.ts";
import { condensePage } from "../../../reader/recipe/condense-page.ts";
import { comparePages } from "../../domain/page-changes/compare-pages.ts";
import { pictureDifference } from "../../domain/watch/picture-difference.ts";
import { checkValues } from "./check-values.ts";
import { extractJson } from "./extract-in-page.ts";
import { type FetchedOutput, readFetched, readRendered, readSent } from "./read-fetched.ts";
import { textForModel } from "./text-for-model.ts";
import { warmHtml, warmUrl } from "./warm-page.ts";

const tasks = {
  warmUp,
  giveWay,
  readFetched,
  readSent,
  readRendered,
  scanOf: async ({ body, number }: { body: Uint8Array; number: number }) =>
    (await (await import("../../../reader/pdf/pdf-scans.ts")).scanOf(body, number)) ?? null,
  extractJson: (args: Parameters<typeof extractJson>) => extractJson(...args),
  condensePage: (args: Parameters<typeof condensePage>) => condensePage(...args),
  textForModel: (args: Parameters<typeof textForModel>) => textForModel(...args),
  checkValues: (args: Parameters<typeof checkValues>) => checkValues(...args),
  comparePages: (args: Parameters<typeof comparePages>) => comparePages(...args),
  pictureDifference: (args: Parameters<typeof pictureDifference>) => pictureDifference(...args),
};

export type ExtractionTasks = typeof tasks;

export default serveTasks(tasks);

/** Lowers the priority of this thread. Only on Linux: elsewhere it would be that of the whole process. */
function giveWay(_: null): null {
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  return null;
}

/** After these V8 has compiled most of what reads a page; a few more gain next to nothing. */
const repetitions = 6;

/**
 * Reads a built-in page a few times in every format, so that a new thread has its modules loaded and compiled before
 * its first page. `ads`: compiled filter lists; undefined when none are blocked.
 */
export async function warmUp({ ads }: { ads: Uint8Array | undefined }): Promise<null> {
  for (let n = 0; n < repetitions; n += 1) {
    await read("scripts", ads);
    await read("never", ads);
  }
  return null;
}

function read(render: "scripts" | "never", ads: Uint8Array | undefined): Promise<FetchedOutput> {
  return readFetched({
    page: {
      ...{ status: 200, finalUrl: warmUrl, redirects: [], setCookies: [] },
      ...{ headers: {}, contentType: "text/html; charset=utf-8", body: Buffer.from(warmHtml) },
    },
    wanted: {
      formats: ["html", "markdown", "links", "summary"],
      ...{ onlyMainContent: true, keepHtml: false, keepText: false, crawl: true },
    },
    render,
    ...(ads && { ads }),
  });
}
