/* What a search of the past has found, with the words that were looked for marked. */
import type { VNode } from "preact";
import type { Found } from "../../services/contracts/history.contract.ts";
import { html } from "../html.ts";
import { List, useList } from "../parts/list.ts";
import { Empty } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { Time } from "../parts/time.ts";
import { link, query } from "../shell/address.ts";

/** `only`: what is asked for beside the words, such as `source:5b0c…`. */
export function Passages({ only = "" }: { only?: string }): VNode {
  const words = query("q").trim();
  if (words === "")
    return html`<${Empty} title="Search what was said"><p>Words that must all be there; <code>"a phrase"</code>, <code>begin*</code>, <code>-without</code>, <code>tag:prices</code>, <code>after:2026-03-01</code>.</p><//>`;
  return html`<${Results} q=${[words, only].filter(Boolean).join(" ")} isOfOne=${only !== ""} />`;
}

function Results({ q, isOfOne }: { q: string; isOfOne: boolean }): VNode {
  const list = useList<Found>("/search", [], { q, limit: 25 });
  const source: Column<Found> = {
    title: "Source",
    cell: found =>
      html`<a class="breaks" href=${link(`/sources/${found.source.id}`)}>${found.source.name}</a>`,
  };
  const columns: Column<Found>[] = [
    { title: "Passage", isMain: true, isWide: true, cell: passage },
    ...(isOfOne ? [] : [source]),
    { title: "When", cell: ({ at }) => html`<${Time} at=${at} />` },
  ];
  return html`<${List} list=${list} caption="Passages" columns=${columns} id=${(row: Found) => `${row.kind} ${row.version ?? row.event_id} ${row.at}`}
    empty=${html`<${Empty} title="Nothing was found"><p>No version and no event that is kept has all of these words.</p><//>`} />`;
}

function passage({ title, passage, version, source }: Found): VNode {
  const words = html`<span class="passage">${marked(passage)}</span>`;
  if (version === null) return html`<span class="breaks">${title}</span>${words}`;
  return html`<a class="breaks" href=${link(`/sources/${source.id}`, { view: "changes", to: version })}>${title || "Untitled"}</a>${words}`;
}

/** The words between `**` are those that were found. */
function marked(text: string): (VNode | string)[] {
  return text.split("**").map((part, at) => (at % 2 === 1 ? html`<mark key=${at}>${part}</mark>` : part));
}
