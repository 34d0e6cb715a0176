/**
 * Runs in worker threads: all work whose time depends on the page. A hostile page can be stopped there, and does not
 * delay others.
 */
import { constants, setPriority } from "node:os";
import { serveTasks } from "../../../mixins/runtime/thread-worker.ts";
import { pictureDifference } from "../../domain/watch/picture-difference.ts";
import { condensePage, extractJson } from "./extract-in-page.ts";
import { type FetchedOutput, readFetched, readRendered, readSent } from "./read-fetched.ts";

const tasks = {
  warmUp,
  giveWay,
  readFetched,
  readSent,
  readRendered,
  extractJson: (args: Parameters<typeof extractJson>) => extractJson(...args),
  condensePage: (args: Parameters<typeof condensePage>) => condensePage(...args),
  pictureDifference: (args: Parameters<typeof pictureDifference>) => pictureDifference(...args),
};

export type ExtractionTasks = typeof tasks;

export default serveTasks(tasks);

/** Lowers the priority of this thread. Only on Linux: elsewhere it would be that of the whole process. */
function giveWay(_: null): null {
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  return null;
}

const repetitions = 3;

const article = `<!doctype html><html lang="en"><head><title>Warm</title><base href="https://warm.example/">
<meta property="og:title" content="Warm"><script type="application/ld+json">{}</script></head>
<body class="page"><nav><a href="/">Home</a></nav><main><h1>Warm</h1>${`<p>Some <b>bold</b>, <em>fine</em> and
<a href="/a">linked</a> words &amp; <code>code</code>. A second sentence follows the first one.</p>`.repeat(
  10,
)}
<ul><li>One<li>Two</ul><ol><li>Three</ol><blockquote>Quote</blockquote><pre>let x;</pre><img src="/i.png" alt="">
<table><tr><th>A<th>B<tr><td>1<td>2</table></main><footer>End</footer>
<script src="https://warm.example/own.js"></script></body></html>`;

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
      ...{ status: 200, finalUrl: "https://warm.example/", redirects: [], setCookies: [] },
      ...{ headers: {}, contentType: "text/html; charset=utf-8", body: Buffer.from(article) },
    },
    wanted: {
      formats: ["html", "markdown", "links", "summary"],
      ...{ onlyMainContent: true, keepHtml: false, keepText: false, crawl: true },
    },
    render,
    ...(ads && { ads }),
  });
}
