/*
 * An event as what happened: a change as a diff, an entry or a post as its text, a failure as its reason. JSON is a tab.
 *
 *   html`<${WhatHappened} event=${event} />`
 */
import { useSignal } from "@preact/signals";
import type { ComponentChild, VNode } from "preact";
import { html } from "../html.ts";
import { Figures } from "../parts/figures.ts";
import { JsonTree } from "../parts/json-tree.ts";
import { Markdown, outside } from "../parts/markdown.ts";
import { Copy } from "../parts/state.ts";
import { Tabs } from "../parts/tabs.ts";
import { Screenshot } from "../results/screenshot.ts";
import { link } from "../shell/address.ts";
import { linesOfLists, linesOfUnified } from "../source/diff-lines.ts";
import { DiffView } from "../source/diff-view.ts";
import { type Change, type Happened, happenedIn } from "./happened.ts";
import { Judged } from "./judged.ts";

interface EventShape {
  type: string;
  data: Record<string, unknown>;
  key_id?: string;
}

export function WhatHappened({ event }: { event: EventShape }): VNode {
  const chosen = useSignal("what");
  const happened = happenedIn(event);
  const json = {
    name: "json",
    title: "JSON",
    view: () => html`<div class="tab-actions"><${Copy} text=${JSON.stringify(event, null, 2)} label="Copy the JSON" /></div>
      <${JsonTree} value=${event} open=${4} />`,
  };
  const what = { name: "what", title: "What happened", view: () => html`<${Told} happened=${happened} />` };
  return html`<${SourceLink} event=${event} happened=${happened} />
    <${Tabs} label="Event" chosen=${chosen.value} onChoose=${(name: string) => {
      chosen.value = name;
    }} tabs=${[...(happened.isKnown ? [what] : []), ...picturesOf(happened), json]} />`;
}

/** Leads to the page of the source, at the version that the event is of; of a site, to the page's own past. */
function SourceLink({ event, happened }: { event: EventShape; happened: Happened }): VNode | null {
  const { source } = event.data as { source?: { id?: string; name?: string } | null };
  if (!source?.id) return null;
  const { version, page } = happened;
  const href = link(`/sources/${source.id}`, {
    ...(event.key_id && { key: event.key_id }),
    ...(page && { view: "pages", page }),
    ...(version && { ...(!page && { view: "changes" }), to: version }),
  });
  const words = page ? "the past of this page" : version && "at this version";
  return html`<p class="event-of"><a class="breaks" href=${href}>${source.name || "The source"}</a>${
    words && html`<span class="soft"> · ${words}</span>`
  }</p>`;
}

function Told({ happened }: { happened: Happened }): VNode {
  const { title, url, text, reason, change, moved, counts, examples, verdict } = happened;
  const address = url === undefined ? undefined : outside(url);
  return html`<div class="told">
    ${title && html`<h3 class="breaks">${address ? html`<a href=${address} target="_blank" rel="noopener noreferrer">${title}</a>` : title}</h3>`}
    ${!title && url && html`<p><${Address} url=${url} /></p>`}
    ${verdict && html`<${Judged} verdict=${verdict} />`}
    ${reason && html`<p>${reason}</p>`}
    ${
      moved &&
      html`<dl class="facts"><div class="is-wide"><dt>From</dt><dd class="breaks"><${Address} url=${moved.from} /></dd></div>
        <div class="is-wide"><dt>To</dt><dd class="breaks"><${Address} url=${moved.to} /></dd></div></dl>`
    }
    ${counts && html`<${Figures} figures=${counts.map(([name, value]) => ({ name, value }))} />`}
    ${change && html`<${Changed} change=${change} />`}
    ${
      examples &&
      html`<div><p class="soft">Among others on</p><ul class="told-examples">${examples.map(each => html`<li key=${each} class="breaks"><${Address} url=${each} /></li>`)}</ul></div>`
    }
    ${!change && text && html`<div class="told-text" tabindex="0" role="region" aria-label="Text"><${Markdown} text=${text} /></div>`}
  </div>`;
}

function Address({ url }: { url: string }): VNode {
  const address = outside(url);
  if (address === undefined) return html`<span class="breaks">${url}</span>`;
  return html`<a class="breaks" href=${address} target="_blank" rel="noopener noreferrer">${address}</a>`;
}

function Changed({ change }: { change: Change }): VNode {
  const { value, fields, diff, added, removed } = change;
  const lines = diff ? linesOfUnified(diff) : linesOfLists(added, removed);
  return html`${value && html`<p class="told-value number"><del>${value.from}</del> <span aria-hidden="true">→</span> <ins>${value.to}</ins></p>`}
    ${
      fields.length > 0 &&
      html`<dl class="facts">${fields.map(
        ({ name, from, to }) =>
          html`<div key=${name}><dt>${name}</dt><dd class="breaks"><del>${shown(from)}</del> <span aria-hidden="true">→</span> <ins>${shown(to)}</ins></dd></div>`,
      )}</dl>`
    }
    ${(lines.length > 0 || (!value && fields.length === 0)) && html`<${DiffView} lines=${lines} />`}`;
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function picturesOf({
  change,
  title = "",
}: Happened): { name: string; title: string; view: () => ComponentChild }[] {
  const { pictures } = change ?? {};
  if (!pictures) return [];
  const names = { difference: "Difference", after: "After", before: "Before" } as const;
  return Object.entries(names).flatMap(([name, words]) => {
    const key = pictures[name as keyof typeof names];
    return key ? [{ name, title: words, view: () => html`<${Screenshot} name=${key} of=${title} />` }] : [];
  });
}
