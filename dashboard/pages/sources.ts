/* The sources of the acting key and their health; those of all keys for an administrator who has chosen none. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { SourceSummary, TrackedSource } from "../../services/contracts/source-lists.contract.ts";
import { html } from "../html.ts";
import { Confirm } from "../parts/dialog.ts";
import { Filters, List, type LiveList, useList } from "../parts/list.ts";
import { outside } from "../parts/markdown.ts";
import { Empty, Mark, type MarkKind } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { plural, Time } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { query, setQuery } from "../shell/address.ts";
import { post, remove } from "../shell/client.ts";
import { Head, type Page } from "../shell/page.ts";
import { hasKey } from "../shell/session.ts";
import { AddSource } from "../sources/add-source.ts";
import { kindNames, kindOf } from "../sources/kinds.ts";
import { OpmlDialog } from "../sources/opml.ts";
import { ChangeWatch } from "../watch/change-watch.ts";

/** A row of either list. Only the list of all keys has `keys`. */
type Row = TrackedSource & Partial<Pick<SourceSummary, "keys">>;

const healthMarks: Record<Row["health"], [MarkKind, string]> = {
  ok: ["good", "OK"],
  failing: ["warn", "Failing"],
  gone: ["bad", "Gone"],
};

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
      html`<${Remove} source=${leaving.value} isOwn=${isOwn} onRemoved=${list.renew} onClose=${() => {
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
    { title: "Kind", cell: row => kindNames[kindOf(row)] },
    { title: "Health", cell: health },
    { title: "Last check", cell: row => html`<${Time} at=${row.polled_at} none="not yet" />` },
    {
      title: "Next check",
      cell: row =>
        row.health === "gone"
          ? html`<span class="faint">none</span>`
          : html`<${Time} at=${row.due_at} none="not planned" />`,
    },
    { title: "Latest item", cell: row => html`<${Time} at=${row.last_event_at} none="none yet" />` },
    ...(isOwn ? [] : [{ title: "Keys", isNumber: true, cell: (row: Row) => row.keys }]),
    {
      title: "Actions",
      isActions: true,
      cell: row => html`
        <button type="button" class="is-small" aria-label="Check now: ${row.name}" onClick=${() => look(row, isOwn, list)}>Check now</button>
        ${isOwn && html`<button type="button" class="is-small" aria-label="Change how ${row.name} is watched" onClick=${() => aim(row)}>Change</button>`}
        <button type="button" class="is-small" aria-label="Remove ${row.name}" onClick=${() => leave(row)}>Remove</button>`,
    },
  ];
}

function name({ name, username, externalId, tags = [] }: Row): VNode {
  const url = outside(externalId);
  const below = url ?? (username === name ? externalId : username);
  return html`<span class="breaks">${name}</span>
    ${
      url === undefined
        ? html`<span class="below faint breaks">${below}</span>`
        : html`<a class="below breaks" href=${url} target="_blank" rel="noopener noreferrer">${below}</a>`
    }
    ${tags.length > 0 && html`<span class="tags">${tags.map(tag => html`<span key=${tag} class="tag">${tag}</span>`)}</span>`}`;
}

function health({ health, problem }: Row): VNode {
  const [kind, word] = problem && health === "ok" ? (["warn", "Retrying"] as const) : healthMarks[health];
  return html`<${Mark} kind=${kind}>${word}<//>
    ${problem && html`<span class="below soft breaks">${problem}</span>`}`;
}

async function look(row: Row, isOwn: boolean, list: LiveList<Row>): Promise<void> {
  try {
    if (isOwn) await post(`/track/${kindOf(row)}/poll`, { iid: row.id });
    else await post(`/internal/sources/${encodeURIComponent(row.id)}/poll`);
    toast(`${row.name} is being checked.`);
    await list.renew();
  } catch (error) {
    toast.failed(error);
  }
}

interface RemoveProps {
  source: Row;
  isOwn: boolean;
  onRemoved: () => Promise<void>;
  onClose: () => void;
}

function Remove({ source, isOwn, onRemoved, onClose }: RemoveProps): VNode {
  const { id, name, keys = 0 } = source;
  const confirm = async () => {
    if (isOwn) await remove(`/track/${kindOf(source)}`, { iid: id });
    else await remove(`/internal/sources/${encodeURIComponent(id)}`);
    toast(`${name} is removed.`);
    await onRemoved();
  };
  return html`<${Confirm} title="Remove ${name}?" action="Remove" typed=${isOwn ? undefined : name}
    onConfirm=${confirm} onClose=${onClose}>
    ${
      isOwn
        ? html`<p>This key gets no more events from it. Its earlier events stay.</p>`
        : html`<p>${plural(keys, "key")} ${keys === 1 ? "tracks" : "track"} it. It is removed for all of them. To remove it for
          one of them, choose that key as the acting key.</p>`
    }
  <//>`;
}

export const sourcesPage: Page = {
  path: "/sources",
  title: "Sources",
  section: "watch",
  roles: ["admin", "owner", "key"],
  asKey: ["owner"],
  view: Sources,
};
