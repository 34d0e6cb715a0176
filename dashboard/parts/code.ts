/* Lines of a program or JSON in colours: `<${Code} text=${lines} language="Python" />`. */
import type { VNode } from "preact";
import { codeParts } from "../../services/domain/text/code-parts.ts";
import { html } from "../html.ts";

export function Code({ text, language }: { text: string; language: string }): VNode {
  const parts = codeParts(text, language);
  return html`<pre class="text lines" tabindex="0">${parts.map(([kind, part]) =>
    kind === "plain" ? part : html`<span class="code-${kind}">${part}</span>`,
  )}</pre>`;
}
