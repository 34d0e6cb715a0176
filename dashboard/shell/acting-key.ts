/* The choice of the acting key: the administrator chooses among all keys, an owner among its own. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Empty, Problem, Waiting } from "../parts/state.ts";
import { link, setQuery } from "./address.ts";
import { get } from "./client.ts";
import { useLive } from "./live.ts";
import { Head } from "./page.ts";
import { actingKey, role } from "./session.ts";

export interface KeyRow {
  id: string;
  name: string;
  owner?: string;
}

interface Me {
  data: { key: { id: string; name: string }; owner: string };
}

/** The chosen key, and the button that changes it. */
export function ActingKey(): VNode {
  const isOpen = useSignal(false);
  const chosen = useLive(
    signal => (actingKey.value ? get<Me>("/users/me", { signal }) : Promise.resolve(undefined)),
    [actingKey.value],
    { renewMs: 60_000 },
  );
  const none = role.value === "admin" ? "All keys" : "No key chosen";
  const name = actingKey.value ? (chosen.data?.data.key.name ?? "…") : none;
  return html`<div class="acting">
    <span class="menu-title" id="acting-title">Acting key</span>
    <button type="button" class="acting-button" aria-haspopup="dialog" aria-labelledby="acting-title acting-name"
      onClick=${() => {
        isOpen.value = true;
      }}>
      <span id="acting-name" class="acting-name">
        <span>${chosen.error ? "No such key" : name}</span>
        ${actingKey.value && role.value === "admin" && html`<span class="faint">${chosen.data?.data.owner ?? ""}</span>`}
      </span>
    </button>
    ${
      isOpen.value &&
      html`<${ChooseKey} onClose=${() => {
        isOpen.value = false;
      }} />`
    }
  </div>`;
}

function ChooseKey({ onClose }: { onClose: () => void }): VNode {
  return html`<${Dialog} title="Choose a key" onClose=${onClose}>
    <p class="lead">Pages then show what this key has, and act as this key. The address contains the choice, so a link keeps it.</p>
    <${KeyPicker} hasFocus onChosen=${onClose} />
  <//>`;
}

const typingMs = 250;

interface PickerProps {
  onChosen: () => void;
  hasFocus?: boolean;
  /** Whether a page waits for the choice. */
  isFirst?: boolean;
}

/** A search field and a button for each key that it finds. */
function KeyPicker({ onChosen, hasFocus = false, isFirst = false }: PickerProps): VNode {
  const text = useSignal("");
  const asked = useSignal("");
  useEffect(() => {
    const timer = setTimeout(() => {
      asked.value = text.value.trim();
    }, typingMs);
    return () => clearTimeout(timer);
  }, [text.value]);
  const isAdmin = role.value === "admin";
  const keys = useLive(
    signal =>
      get<{ data: KeyRow[] }>(isAdmin ? "/internal/keys" : "/owner/keys", {
        query: isAdmin ? { query: asked.value, limit: 20 } : {},
        signal,
      }),
    [asked.value, isAdmin],
    { isKept: true },
  );
  const choose = (id: string | null) => {
    setQuery({ key: id, cursor: null }, { keep: true });
    onChosen();
  };
  const rows = keys.data?.data ?? [];
  const [only] = rows;
  const isOnly = isFirst && keys.data !== undefined && rows.length === 1 && asked.value === "";
  // Where there is one key, nothing is to be chosen.
  useEffect(() => {
    if (isOnly && only) setQuery({ key: only.id, cursor: null });
  }, [isOnly]);
  return html`<div class="picker">
    ${
      isAdmin &&
      html`<label class="filter is-search"><span>Owner or name begins with</span>
        <input type="search" autofocus=${hasFocus} value=${text.value} onInput=${(event: Event) => {
          text.value = (event.currentTarget as HTMLInputElement).value;
        }} /></label>`
    }
    <${Problem} error=${keys.error} />
    ${!keys.data && !keys.error && html`<${Waiting} lines=${4} />`}
    ${
      keys.data &&
      rows.length === 0 &&
      html`<${Empty} title=${asked.value ? "No key matches" : "There is no key yet"}>
      <p><a href=${link("/keys")}>Generate one</a></p><//>`
    }
    <ul class="picker-keys">
      ${isAdmin && actingKey.value && html`<li><button type="button" onClick=${() => choose(null)}><strong>All keys</strong></button></li>`}
      ${rows.map(
        ({
          id,
          name,
          owner,
        }) => html`<li key=${id}><button type="button" aria-current=${id === actingKey.value ? "true" : undefined}
          onClick=${() => choose(id)}><strong class="breaks">${name}</strong>${owner && isAdmin && html`<span class="faint breaks">${owner}</span>`}</button></li>`,
      )}
    </ul>
  </div>`;
}

/** Asks for the key first, in place of a page that needs one. */
export function ChooseFirst({ title }: { title: string }): VNode {
  return html`<${Head} title=${title} lead="This page shows what one key has. Choose the key." />
    <div class="panel is-narrow"><${KeyPicker} isFirst onChosen=${() => undefined} /></div>`;
}
