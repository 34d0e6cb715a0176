/*
 * The key of a row in a list of all keys, by its name. A click makes it the acting key.
 *
 *   { title: "Key", cell: KeyCell }
 *   html`<${KeyName} id=${key_id} />`     its name alone
 */
import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { html } from "../html.ts";
import type { KeyRow } from "../shell/acting-key.ts";
import { link, path } from "../shell/address.ts";
import { get } from "../shell/client.ts";

export function KeyCell({ key_id }: { key_id: string }): VNode {
  return html`<a class="breaks" href=${link(path.value, { key: key_id })} title="Only this key: ${key_id}"><${KeyName} id=${key_id} /></a>`;
}

/** The name of a key; until it is known, and where the key is deleted, the end of its id. */
export function KeyName({ id }: { id: string }): VNode {
  useEffect(() => want(id), [id]);
  return html`<span>${known.value.get(id) ?? html`<code>${id.slice(-longestEnd)}</code>`}</span>`;
}

/** Enough of an id to tell keys apart, and all of what was erased. */
const longestEnd = 8;
const known = signal<ReadonlyMap<string, string>>(new Map());
const asked = new Set<string>();
const wanted: string[] = [];
/** Keys of one request. */
const most = 100;

/** The names of all rows of a page are asked for together, each once. */
function want(id: string): void {
  if (asked.has(id)) return;
  asked.add(id);
  if (wanted.push(id) === 1) setTimeout(() => void askNames(), 0);
}

async function askNames(): Promise<void> {
  const ids = wanted.splice(0, most);
  if (wanted.length > 0) void askNames();
  const query = new URLSearchParams(ids.map(id => ["ids", id]));
  try {
    const { data } = await get<{ data: KeyRow[] }>(`/internal/keys?${query}`);
    known.value = new Map([...known.value, ...data.map(({ id, name }) => [id, name] as const)]);
  } catch {
    // The rows keep the ends of ids, and the next page that has these keys asks again.
    for (const id of ids) asked.delete(id);
  }
}
