/*
 * A list of the API with its filters, pages and empty state. The filters and the cursor are in the address.
 *
 *   const list = useList<Source>("/track", ["source", "health", "query"]);
 *   html`
 *     <${Filters} filters=${[
 *       { name: "query", label: "Search" },
 *       { name: "health", label: "Health", options: [["", "any"], ["failing", "failing"]] },
 *     ]} />
 *     <${List} list=${list} caption="Sources" columns=${columns} id=${row => row.id}
 *       empty=${html`<${Empty} title="No source is tracked yet">…<//>`} />`
 *
 * Call `list.renew()` after a change. `empty` is shown for a list without filters; a filtered list says itself that nothing
 * matches.
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { html } from "../html.ts";
import { cursorsBefore, query, setQuery } from "../shell/address.ts";
import { get, type RequestOptions } from "../shell/client.ts";
import { type Live, useLive } from "../shell/live.ts";
import { actingKey } from "../shell/session.ts";
import { Empty, Problem, Waiting } from "./state.ts";
import { type Column, Table } from "./table.ts";

export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

export interface LiveList<Row> extends Live<Page<Row>> {
  /** Whether the list is filtered. */
  isFiltered: boolean;
}

/** Loads a page of a list. `filters` are parameters that the address has, `fixed` those that it does not have. */
export function useList<Row>(
  path: string,
  filters: string[],
  fixed: RequestOptions["query"] = {},
): LiveList<Row> {
  const chosen = Object.fromEntries(filters.map(name => [name, query(name)]));
  const parameters = { limit: 50, ...fixed, ...chosen, cursor: query("cursor") };
  const live = useLive(
    signal => get<Page<Row>>(path, { query: parameters, signal }),
    [path, JSON.stringify(parameters), actingKey.value],
    { isKept: true },
  );
  return { ...live, isFiltered: Object.values(chosen).some(Boolean) };
}

export interface Filter {
  /** The name of the parameter. */
  name: string;
  label: string;
  /** The value and the name of each choice. Without them the filter is a text to search for. */
  options?: [value: string, name: string][];
  /** The kind of the field of text; `search` by default. */
  type?: "search" | "date";
}

export function Filters({ filters }: { filters: Filter[] }): VNode {
  return html`<div class="filters" role="search">
    ${filters.map(filter => html`<${filter.options ? Choice : Search} key=${filter.name} ...${filter} />`)}
  </div>`;
}

/** A filter with choices, which the address keeps. */
export function Choice({ name, label, options = [] }: Filter): VNode {
  const id = useId();
  return html`<div class="filter"><label for=${id}>${label}</label>
    <select id=${id} value=${query(name)} onChange=${(event: Event) =>
      setQuery({ [name]: (event.currentTarget as HTMLSelectElement).value, cursor: null }, { keep: true })}>
      ${options.map(([value, text]) => html`<option key=${value} value=${value} selected=${value === query(name)}>${text}</option>`)}
    </select></div>`;
}

const typingMs = 250;

function Search({ name, label, type: kind = "search" }: Filter): VNode {
  const id = useId();
  const text = useSignal(query(name));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const inAddress = query(name);
  const written = useRef(inAddress);
  // A link or the back button changes the address and with it the field. Text that was typed since our own change stays.
  useEffect(() => {
    if (inAddress !== written.current) text.value = inAddress;
    written.current = inAddress;
  }, [inAddress]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (event: Event) => {
    text.value = (event.currentTarget as HTMLInputElement).value;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      written.current = text.value.trim();
      setQuery({ [name]: written.current, cursor: null });
    }, typingMs);
  };
  return html`<div class="filter is-search"><label for=${id}>${label}</label>
    <input id=${id} type=${kind} value=${text.value} onInput=${type} autocomplete="off" spellcheck=${false} /></div>`;
}

interface ListProps<Row> {
  list: LiveList<Row>;
  caption: string;
  columns: Column<Row>[];
  id: (row: Row) => string;
  empty: VNode;
}

export function List<Row>({ list, caption, columns, id, empty }: ListProps<Row>): VNode {
  const { data, error, isFiltered } = list;
  if (!data) return error ? html`<${Problem} error=${error} />` : html`<${Waiting} lines=${6} />`;
  return html`<div class="list">
    <${Problem} error=${error} />
    <p class="unseen" role="status">${caption}: ${data.data.length} shown${data.next_cursor ? ", there are more" : ""}.</p>
    ${
      data.data.length > 0
        ? html`<${Table} caption=${caption} columns=${columns} rows=${data.data} id=${id} />`
        : isFiltered || query("cursor")
          ? html`<${Empty} title="No match">
              <p>${data.next_cursor ? "No entry on this page matches these filters. The next page may have some." : "No entry matches these filters."}</p>
              <button type="button" onClick=${() => clear()}>Show all</button>
            <//>`
          : empty
    }
    <${Pager} next=${data.next_cursor} />
  </div>`;
}

/** Removes every filter of the page; the acting key stays. */
function clear(): void {
  const names = [...new URL(location.href).searchParams.keys()].filter(name => name !== "key");
  setQuery(Object.fromEntries(names.map(name => [name, null])), { keep: true });
}

function Pager({ next }: { next: string | null }): VNode | null {
  const cursor = query("cursor");
  const before = cursorsBefore();
  if (!next && !cursor) return null;
  const forward = () => setQuery({ cursor: next }, { keep: true, before: [...before, cursor] });
  const back = () => setQuery({ cursor: before.at(-1) ?? null }, { keep: true, before: before.slice(0, -1) });
  return html`<nav class="pager" aria-label="Pages of this list">
    <button type="button" onClick=${back} disabled=${!cursor}>${before.length > 0 ? "Previous" : "First page"}</button>
    <button type="button" onClick=${forward} disabled=${!next}>Next</button>
  </nav>`;
}
