/*
 * The choice of events for an endpoint or a feed, as fields of a form and in words.
 *
 *   const wanted = useSignal(wantedOf(webhook));
 *   html`<${WantedEvents} wanted=${wanted} />`
 *   wantedBody(wanted.value, webhook)     the fields `event_types`, `tags`, `sources` and `meaningful` of a request
 *   wantedWords(webhook)                  New entry of sources tagged shop
 */
import { type Signal, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { TrackedSource } from "../../services/contracts/source-lists.contract.ts";
import { html } from "../html.ts";
import { Field } from "../parts/form.ts";
import { plural } from "../parts/time.ts";
import { get } from "../shell/client.ts";
import { kindNames, kindOf } from "../sources/kinds.ts";
import { typeName, typeNames } from "./type-names.ts";

/** The choice in the form. `tags` is the text as it is typed. */
export interface Wanted {
  types: readonly string[];
  sources: readonly string[];
  tags: string;
  /** Without what a judge has dismissed. */
  meaningful: boolean;
}

/** The choice as the API has it. A missing and an empty list both mean all. */
interface Filters {
  event_types?: readonly string[] | null;
  sources?: readonly string[] | null;
  tags?: readonly string[] | null;
  meaningful?: boolean | null;
}

type ListName = Exclude<keyof Filters, "meaningful">;

export function wantedOf({ event_types, sources, tags, meaningful }: Filters = {}): Wanted {
  const lists = { types: event_types ?? [], sources: sources ?? [], tags: tags?.join(", ") ?? "" };
  return { ...lists, meaningful: meaningful ?? false };
}

/** Makes the fields of a request. A filter that was emptied is null, which removes it. */
export function wantedBody({ types, sources, tags, meaningful }: Wanted, before: Filters = {}): Filters {
  const typed = tags
    .split(",")
    .map(each => each.trim())
    .filter(Boolean);
  return {
    ...filter("event_types", types, before),
    ...filter("sources", sources, before),
    ...filter("tags", typed, before),
    ...(meaningful !== (before.meaningful ?? false) && { meaningful }),
  };
}

function filter(name: ListName, chosen: readonly string[], before: Filters): Filters {
  if (chosen.length > 0) return { [name]: chosen };
  return before[name]?.length ? { [name]: null } : {};
}

export function wantedWords({ meaningful, ...lists }: Filters): string {
  return meaningful ? `${listWords(lists)}, if meaningful` : listWords(lists);
}

function listWords({ event_types, sources, tags }: Filters): string {
  const types = event_types?.length ? event_types.map(typeName).join(", ") : "Every event";
  const tagged = tags?.length ? `tagged ${tags.join(" or ")}` : "";
  if (sources?.length) return `${types} of ${plural(sources.length, "source")}${tagged && `, if ${tagged}`}`;
  return tagged ? `${types} of sources ${tagged}` : types;
}

export function WantedEvents({ wanted }: { wanted: Signal<Wanted> }): VNode {
  const typeTags = (event: Event) => {
    wanted.value = { ...wanted.value, tags: (event.currentTarget as HTMLInputElement).value };
  };
  return html`<${Types} wanted=${wanted} />
    <${Field} label="Tags" hint="Only sources with one of these tags, with commas between them. Empty: all sources.">
      <input name="tags" maxlength="1500" value=${wanted.value.tags} onInput=${typeTags} autocomplete="off" autocapitalize="none" /><//>
    <${Sources} wanted=${wanted} />
    <label class="aim-switch"><input type="checkbox" checked=${wanted.value.meaningful} onChange=${(
      event: Event,
    ) => {
      wanted.value = { ...wanted.value, meaningful: (event.currentTarget as HTMLInputElement).checked };
    }} /><span>Without what a judge has dismissed by the goal of its source</span></label>`;
}

function Types({ wanted }: { wanted: Signal<Wanted> }): VNode {
  const toggle = (type: string, isOn: boolean) => {
    const { types } = wanted.value;
    wanted.value = {
      ...wanted.value,
      types: Object.keys(typeNames).filter(each => (each === type ? isOn : types.includes(each))),
    };
  };
  return html`<fieldset class="option-choices"><legend>Events</legend><div class="option-chips is-words">
    ${Object.entries(typeNames).map(
      ([
        type,
        name,
      ]) => html`<label key=${type}><input type="checkbox" checked=${wanted.value.types.includes(type)}
        onChange=${(event: Event) => toggle(type, (event.currentTarget as HTMLInputElement).checked)} /><span>${name}</span></label>`,
    )}
  </div><p class="hint">None chosen: all of them.</p></fieldset>`;
}

/** People know accounts by their names, and feeds, pages and sites by their addresses. */
function addressOf({ source, externalId, username }: TrackedSource): string {
  return ["RSS", "WEB", "SITE"].includes(source) ? externalId : username;
}

/** The number of sources to choose from, at most. */
const limit = 200;

function Sources({ wanted }: { wanted: Signal<Wanted> }): VNode | null {
  const all = useSignal<readonly TrackedSource[]>([]);
  useEffect(() => {
    const end = new AbortController();
    // The other filters work without the list.
    get<{ data: TrackedSource[] }>("/track", { query: { limit }, signal: end.signal }).then(
      ({ data }) => {
        all.value = data;
      },
      () => undefined,
    );
    return () => end.abort();
  }, []);
  const { sources } = wanted.value;
  const isOpen = useSignal(sources.length > 0);
  const unlisted = sources.filter(id => all.value.every(each => each.id !== id));
  if (all.value.length === 0 && unlisted.length === 0) return null;
  const toggle = (id: string, isOn: boolean) => {
    wanted.value = {
      ...wanted.value,
      sources: isOn ? [...sources, id] : sources.filter(each => each !== id),
    };
  };
  const row = (
    id: string,
    name: string,
    kind: string,
    address?: string,
  ) => html`<li key=${id}><label><input type="checkbox" checked=${sources.includes(id)}
    onChange=${(event: Event) => toggle(id, (event.currentTarget as HTMLInputElement).checked)} /><span class="breaks">${name}${address && html`<span class="below faint">${address}</span>`}</span>
    <span class="faint">${kind}</span></label></li>`;
  return html`<details class="wanted-sources" open=${isOpen.value}>
    <summary>Only some sources${sources.length > 0 && html` <span class="faint">${plural(sources.length, "source")} chosen</span>`}</summary>
    <ul>
      ${unlisted.map(id => row(id, id, "not in this list"))}
      ${all.value.map(source => row(source.id, source.name, kindNames[kindOf(source)], addressOf(source)))}
    </ul>
  </details>`;
}
