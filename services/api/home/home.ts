import { object, text } from "../../contracts/schema.ts";
import { type Html, html } from "../guide/html.ts";
import { htmlType, page, pagePolicy } from "../guide/layout.ts";
import { type Readiness, readiness } from "../http/health.ts";
import { originOf, prefersHtml } from "../request/negotiate.ts";
import type { AnswerContext, OwnAnswer } from "../routes/route.ts";
import { hasDashboard, waysOn } from "./ways.ts";

const summary =
  "Magpie reads the public web for your programs: it scrapes pages, crawls sites, and tracks feeds, pages and accounts.";

/** What this is, whether it is well, and the ways on: a page for a browser, JSON for a program. */
export const home: OwnAnswer = {
  kind: "own",
  params: { $$strict: true },
  result: object({
    name: text,
    summary: text,
    status: { type: "enum", values: ["ready", "degraded", "unavailable"] },
    links: { type: "record", value: text },
  }),
  async answer(context, _params, req) {
    const state = await readiness(context);
    const origin = originOf(context, req);
    if (!prefersHtml(req)) return { headers: { vary: "accept" }, body: homeJson(context, state, origin) };
    const headers = {
      vary: "accept",
      "content-security-policy": pagePolicy,
      "referrer-policy": "same-origin",
    };
    return { type: htmlType, headers, body: homePage(context, state, origin) };
  },
};

function homeJson(context: AnswerContext, { status }: Readiness, origin: string) {
  const links = waysOn(context).map(({ name, path }) => [name, origin + path]);
  return { name: "Magpie", summary, status, links: Object.fromEntries(links) };
}

function homePage(context: AnswerContext, state: Readiness, origin: string): string {
  const cards = waysOn(context).map(
    ({ path, title, says }) =>
      html`<li><a href="${path}"><strong>${title}</strong><span>${says}</span></a></li>`,
  );
  const body = html`<main id="main" class="front">
<h1>Magpie</h1>
<p class="lead">It reads the public web for your programs: <em>scrapes</em> pages, <em>crawls</em> sites, and <em>tracks</em> feeds, pages and accounts.</p>
${health(state)}
<ul class="cards">${cards}</ul>
<section aria-labelledby="try"><h2 id="try">Read a page</h2>
<div class="code" data-language="sh"><pre tabindex="0"><code>${curl(origin)}
</code></pre></div>
<p>No key yet? The <a href="/guide/quickstart">quickstart</a> says where the first one is.</p></section>
</main>`;
  return page({
    title: "Magpie",
    description: summary,
    hasDashboard: hasDashboard(context),
    body,
  });
}

function curl(origin: string): string {
  return `curl -s ${origin}/web/scrape -H "x-api-key: $KEY" \\
  -H 'content-type: application/json' -d '{"url":"https://example.com/"}'`;
}

const words: Record<Readiness["status"], string> = {
  ready: "Everything works",
  degraded: "It works, and something is missing",
  unavailable: "It does not work now",
};

/** The answer of `/health/ready` in words. */
function health({ status, missing }: Readiness): Html {
  const items = missing.map(
    ({ service, name, detail }) => html`<li><code>${service}/${name}</code> ${detail ?? "See the log."}</li>`,
  );
  return html`<div class="health ${status}"><p>${words[status]}</p>${items.length > 0 && html`<ul>${items}</ul>`}</div>`;
}
