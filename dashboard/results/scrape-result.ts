/*
 * The result of a scrape, with a tab for each format.
 *
 *   html`<${ScrapeResult} data=${job.data} />`
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { ScrapeData } from "../../services/contracts/page.contract.ts";
import { html } from "../html.ts";
import { Download } from "../parts/download.ts";
import { JsonTree } from "../parts/json-tree.ts";
import { Markdown, outside } from "../parts/markdown.ts";
import { Copy } from "../parts/state.ts";
import { type Tab, Tabs } from "../parts/tabs.ts";
import { count } from "../parts/time.ts";
import { Screenshot } from "./screenshot.ts";

export function ScrapeResult({ data }: { data: ScrapeData }): VNode {
  const chosen = useSignal("");
  const { warning } = data.metadata;
  return html`<div class="result">
    ${warning && html`<p class="note">${warning}</p>`}
    <${Tabs} label="What was read" tabs=${tabsOf(data)} chosen=${chosen.value} onChoose=${(name: string) => {
      chosen.value = name;
    }} />
  </div>`;
}

/** A tab for each format that is there, and for the metadata. */
function tabsOf(data: ScrapeData): Tab[] {
  const {
    markdown,
    html: cleaned,
    raw_html,
    links,
    images,
    summary,
    json,
    json_recipe,
    json_quotes,
    screenshot,
    actions,
    metadata,
  } = data;
  const tabs: (Tab | false)[] = [
    markdown !== undefined && {
      name: "markdown",
      title: "Markdown",
      view: () => html`<div class="tab-actions"><${Copy} text=${markdown} /><${Download} name="page.md" text=${markdown} /></div>
        <${Markdown} text=${markdown} />`,
    },
    markdown !== undefined && source("markdown-source", "Source", markdown, "page.md"),
    json !== undefined && tree("json", "JSON", json),
    json_recipe !== undefined && tree("recipe", "Recipe", json_recipe),
    json_quotes !== undefined && tree("quotes", "Quotes", json_quotes),
    summary !== undefined && {
      name: "summary",
      title: "Summary",
      view: () => html`<p class="summary">${summary}</p>`,
    },
    screenshot !== undefined && {
      name: "screenshot",
      title: "Screenshot",
      view: () => html`<${Screenshot} name=${screenshot} of=${metadata.title} />`,
    },
    ...(actions?.screenshots ?? []).map((name, at) => ({
      name: `action-${at}`,
      title: `Action ${at + 1}`,
      view: () => html`<${Screenshot} name=${name} of=${metadata.title} />`,
    })),
    images !== undefined && {
      name: "images",
      title: `Images (${count(images.length)})`,
      view: () => html`<${Links} links=${images} />`,
    },
    links !== undefined && {
      name: "links",
      title: `Links (${count(links.length)})`,
      view: () => html`<${Links} links=${links} />`,
    },
    cleaned !== undefined && source("html", "HTML", cleaned, "page.html"),
    raw_html !== undefined && source("raw-html", "Raw HTML", raw_html, "page.html"),
    tree("metadata", "Metadata", metadata),
  ];
  return tabs.filter(tab => tab !== false);
}

/** The longest text that is shown. A browser takes seconds to lay out more. */
const longestShown = 300_000;

/** Shows HTML of others as text, so that nothing in it runs or loads. */
function source(name: string, title: string, text: string, file: string): Tab {
  const rest = text.length - longestShown;
  const view =
    () => html`<div class="tab-actions"><${Copy} text=${text} /><${Download} name=${file} text=${text} /></div>
    <pre class="text" tabindex="0">${rest > 0 ? text.slice(0, longestShown) : text}</pre>
    ${rest > 0 && html`<p class="soft"><span class="number">${count(rest)}</span> more characters are not shown. The button copies all of them.</p>`}`;
  return { name, title, view };
}

function tree(name: string, title: string, value: unknown): Tab {
  const text = JSON.stringify(value, null, 2);
  const view =
    () => html`<div class="tab-actions"><${Copy} text=${text} /><${Download} name="${name}.json" text=${text} /></div>
    <${JsonTree} value=${value} open=${3} />`;
  return { name, title, view };
}

const mostLinks = 1000;

function Links({ links }: { links: string[] }): VNode {
  return html`<div class="tab-actions"><${Copy} text=${links.join("\n")} /></div>
    <ol class="links">${links.slice(0, mostLinks).map(address => {
      const url = outside(address);
      return html`<li key=${address} class="breaks">${
        url === undefined
          ? address
          : html`<a href=${url} target="_blank" rel="noopener noreferrer nofollow">${address}</a>`
      }</li>`;
    })}</ol>
    ${links.length > mostLinks && html`<p class="soft">These are the first ${count(mostLinks)} links. The button copies all of them.</p>`}`;
}
