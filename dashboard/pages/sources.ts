/* The sources of the acting key and their health; those of all keys for an administrator who has chosen none. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { SourceSummary, TrackedSource } from "../../services/contracts/source-lists.contract.ts";
import { html } from "../html.ts";
import { Filters, List, type LiveList, useList } from "../parts/list.ts";
import { outside } from "../parts/markdown.ts";
import { Empty } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { Time } from "../parts/time.ts";
import { link, query, setQuery } from "../shell/address.ts";
import { Head, type Page } from "../shell/page.ts";
import { hasKey } from "../shell/session.ts";
import { AddSource } from "../sources/add-source.ts";
import { kindInWords, kindNames } from "../sources/kinds.ts";
import { checkNow, LeaveSource } from "../sources/leave-source.ts";
import { OpmlDialog } from "../sources/opml.ts";
import { HealthMark, healthMarks } from "../sources/source-health.ts";
import { ChangeWatch } from "../watch/change-watch.ts";

/** A row of either list. Only the list of all keys has `keys`. */
type Row = TrackedSource & Partial<Pick<SourceSummary, "keys">>;

function Sources(): VNode {
  const isOwn = hasKey.value;
  const list = useList<Row>(
    isOwn ? "/track" : "/internal/sources",
    isOwn ? ["query", "source", "health", "tag"] : ["query", "source", "health"],
  );
  const leaving = useSignal<Row | undefined>(undefined);
  const aiming = useSignal<Row | undefined>(undefined);
  const isAdding = isOwn && query("add") !== "";
  const add = () => setQuery({ add: "1" }, { keep: true });
  const lead = isOwn ? "What this key tracks. Each change becomes an event." : "What all keys track.";
  return html`<${Head} title="Sources" lead=${lead}>
      ${isOwn && html`<button type="button" onClick=${() => setQuery({ opml: "1" })}>Import or export…</button>`}
      <button type="button" class="is-main" onClick=${add}>Add a source</button>
    <//>
    <${Filters} filters=${isOwn ? [...filters, { name: "tag", label: "Tag" }] : filters} />
    <${List} list=${list} caption="Sources" id=${(row: Row) => row.id} empty=${none(isOwn, add)}
      columns=${columnsOf(isOwn, list, {
        leave: row => {
          leaving.value = row;
        },
        aim: row => {
          aiming.value = row;
        },
      })} />
    ${
      isAdding &&
      html`<${AddSource} onClose=${() => setQuery({ add: null, kind: null, sid: null })} onAdded=${list.renew} />`
    }
    ${
      isOwn &&
      query("opml") !== "" &&
      html`<${OpmlDialog} onClose=${() => setQuery({ opml: null })} onImported=${list.renew} />`
    }
    ${
      aiming.value &&
      html`<${ChangeWatch} source=${aiming.value} onChanged=${list.renew} onClose=${() => {
        aiming.value = undefined;
      }} />`
    }
    ${
      leaving.value &&
      html`<${LeaveSource} source=${leaving.value} onLeft=${list.renew} onClose=${() => {
        leaving.value = undefined;
      }} />`
    }`;
}

const filters = [
  { name: "query", label: "Search" },
  {
    name: "source",
    label: "Kind",
    options: [["", "Any kind"], ...Object.entries(kindNames)],
  },
  {
    name: "health",
    label: "Health",
    options: [["", "Any health"], ...Object.entries(healthMarks).map(([value, [, name]]) => [value, name])],
  },
];

function none(isOwn: boolean, add: () => void): VNode {
  if (!isOwn)
    return html`<${Empty} title="No key tracks a source yet"><p>Add a feed, a page or an account for one of the keys.</p><//>`;
  return html`<${Empty} title="Nothing is tracked yet">
    <p>Add a feed, a page, or an account of a network. Each change from then on becomes an event.</p>
    <button type="button" class="is-main" onClick=${add}>Add a source</button>
  <//>`;
}

/** The dialogs that a row opens. */
interface Opens {
  leave: (row: Row) => void;
  aim: (row: Row) => void;
}

function columnsOf(isOwn: boolean, list: LiveList<Row>, { leave, aim }: Opens): Column<Row>[] {
  return [
    { title: "Source", isMain: true, isWide: true, cell: name },
    { title: "Kind", cell: row => kindInWords(row) },
    { title: "Health", cell: row => html`<${HealthMark} of=${row} />` },
    { title: "Last check", cell: row => html`<${Time} at=${row.polled_at} none="not yet" />` },
    {
      title: "Next check",
      cell: row =>
        row.health === "gone" || row.options?.paused
          ? html`<span class="faint">${row.options?.paused ? "paused" : "none"}</span>`
          : html`<${Time} at=${row.due_at} none="not planned" />`,
    },
    { title: "Latest item", cell: row => html`<${Time} at=${row.last_event_at} none="none yet" />` },
    ...(isOwn ? [] : [{ title: "Keys", isNumber: true, cell: (row: Row) => row.keys }]),
    {
      title: "Actions",
      isActions: true,
      cell: row => html`
        <button type="button" class="is-small" aria-label="Check now: ${row.name}" onClick=${() => checkNow(row, list.renew)}>Check now</button>
        ${isOwn && html`<button type="button" class="is-small" aria-label="Change how ${row.name} is watched" onClick=${() => aim(row)}>Change</button>`}
        <button type="button" class="is-small" aria-label="Remove ${row.name}" onClick=${() => leave(row)}>Remove</button>`,
    },
  ];
}

/** A problem is a sentence, for which the narrow column of the health has no room. */
function name({ id, name, username, externalId, problem, tags = [] }: Row): VNode {
  const url = outside(externalId);
  const below = url ?? (username === name ? externalId.replace(/^search:.*/, "") : username);
  return html`<a class="breaks" href=${link(`/sources/${id}`)}>${name}</a>
    ${
      url === undefined
        ? html`<span class="below faint breaks">${below}</span>`
        : html`<a class="below breaks" href=${url} target="_blank" rel="noopener noreferrer">${below}</a>`
    }
    ${problem && html`<span class="below soft breaks">${problem}</span>`}
    ${tags.length > 0 && html`<span class="tags">${tags.map(tag => html`<span key=${tag} class="tag">${tag}</span>`)}</span>`}`;
}

export const sourcesPage: Page = {
  path: "/sources",
  title: "Sources",
  section: "watch",
  roles: ["admin", "owner", "key"],
  asKey: ["owner"],
  view: Sources,
};
