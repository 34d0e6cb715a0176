/* The request as lines of a program, to copy. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Code } from "../parts/code.ts";
import { Copy } from "../parts/state.ts";
import { Tabs } from "../parts/tabs.ts";
import { languages, type Post, requestLines } from "./request-lines.ts";

export function ProgramLines({ post }: { post: Post }): VNode {
  const chosen = useSignal<string>(languages[0]);
  const tabs = languages.map(language => {
    const lines = requestLines(language, post);
    const view = () => html`<div class="tab-actions"><${Copy} text=${lines} label="Copy the lines" /></div>
      <${Code} text=${lines} language=${language} />`;
    return { name: language, title: language, view };
  });
  return html`<section class="part" aria-labelledby="in-program">
    <div class="part-head"><h2 id="in-program">In your program</h2>
      <p class="hint">Put the key into <code>MAGPIE_API_KEY</code>: it is not in these lines.</p></div>
    <${Tabs} label="Languages" tabs=${tabs} chosen=${chosen.value} onChoose=${(name: string) => {
      chosen.value = name;
    }} />
  </section>`;
}
