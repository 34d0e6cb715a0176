/* A field for words to look for in the past; the address keeps them. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { html } from "../html.ts";
import { query, setQuery } from "../shell/address.ts";

export function SearchBox({ label }: { label: string }): VNode {
  const text = useSignal(query("q"));
  const search = (event: Event) => {
    event.preventDefault();
    setQuery({ q: text.value.trim(), cursor: null }, { keep: true });
  };
  return html`<form class="search-box" role="search" onSubmit=${search}>
    <label class="filter is-search"><span>${label}</span>
      <input type="search" name="q" maxlength="500" value=${text.value} autocomplete="off" spellcheck=${false} onInput=${(
        event: Event,
      ) => {
        text.value = (event.currentTarget as HTMLInputElement).value;
      }} /></label>
    <button type="submit" class="is-main">Search</button>
  </form>`;
}
