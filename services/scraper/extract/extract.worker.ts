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

const repetitions = 2;
const sections = 12;

const words =
  "the ferry leaves from north pier every morning and returns before dusk when wind allows it Visitors of Ånholm find tickets at 7 or 12.50 there".split(
    " ",
  );

/** A sentence that differs from the others, of 6 to 20 words. */
function sentence(n: number): string {
  const said = Array.from({ length: 6 + ((n * 7) % 15) }, (_, k) => words[(n * 5 + k * 3) % words.length]);
  const [first = "", ...others] = said;
  return `${first.charAt(0).toUpperCase()}${first.slice(1)} ${others.join(" ")}.`;
}

function section(n: number): string {
  const [a, b, c, d] = [4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3].map(sentence);
  return `<section class="part p${n}" id="s${n}"><h2><a href="#s${n}">${a}</a></h2><p>${b} <b>${a}</b> ${c} <a href="/p/${n}?x=1">${d}</a></p>
<div class="text"><p>${c} <em>${b}</em> &amp; <code>f(${n})</code>. ${d} ${a}</p><p>${d} ${c} ${b}</p></div>
<ul class="list">${[a, b, c].map((text, k) => `<li><a href="/l/${n}/${k}" title="${n}">${text}</a> ${d}</li>`).join("")}</ul>
<figure><img src="/i/${n}.jpg" srcset="/i/${n}-2.jpg 2x" alt="${a}" width="640"><figcaption>${b}</figcaption></figure>
<blockquote><p>${a}</p></blockquote><pre><code class="language-ts">const x${n} = ${n};\n  return x${n};</code></pre>
<table><thead><tr><th>A<th>B</thead><tr><td>${a}<td>${n}.50 €<tr><td colspan=2>${b}</table>
<div class="comment"><span class="author">By ${words[n]}</span> <time datetime="2025-03-0${1 + (n % 9)}">March</time><p>${c}</p></div></section>`;
}

const article = `<!doctype html><html lang="en"><head><title>Warm</title><base href="https://warm.example/"><meta charset="utf-8">
<meta property="og:title" content="Warm"><meta name="description" content="${sentence(1)}"><meta name="author" content="By Ann Lind">
<link rel="canonical" href="/warm"><link rel="icon" href="/i.png"><style>.a { color: red }</style><script type="application/ld+json">
{"@context":"https://schema.org","@type":"Article","headline":"Warm","author":{"@type":"Person","name":"Ann Lind"},"datePublished":"2025-03-01T10:00:00Z"}</script></head>
<body class="page"><header><nav class="menu"><ul>${words.map(word => `<li><a href="/${word}">${word}</a>`).join("")}</ul></nav></header>
<main><article><h1>Warm</h1><p class="byline">By <a rel="author" href="/a">Ann Lind</a>, 1 March 2025</p>${Array.from({ length: sections }, (_, n) => section(n)).join("\n")}</article></main>
<aside class="related"><h3>More</h3>${words.map((word, n) => `<div class="card"><a href="/${word}/${n}"><img src="/t/${n}.png" alt=""><h4>${sentence(n)}</h4></a></div>`).join("")}</aside>
<footer class="footer"><p>&copy; Warm. ${sentence(3)}</p></footer><script src="https://warm.example/own.js"></script></body></html>`;

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
