/*
 * The choice of what to watch, as people say it. The one that fits what was pasted is chosen until a person chooses.
 *
 *   html`<${KindChoice} chosen=${kind} onChoose=${kind => { … }} />`
 */
import type { VNode } from "preact";
import type { SourceKind } from "../../services/contracts/source.ts";
import { html } from "../html.ts";

const choices: Record<SourceKind, string> = {
  web: "This page",
  site: "The whole site",
  rss: "A feed or a sitemap",
  search: "Search results",
  microblog: "Microblog",
  chatserver: "Chat server",
  messenger: "Messenger",
};

interface ChoiceProps {
  chosen: SourceKind;
  onChoose: (kind: SourceKind) => void;
}

export function KindChoice({ chosen, onChoose }: ChoiceProps): VNode {
  return html`<fieldset class="option-choices"><legend>What is watched</legend><div class="option-chips is-words">
    ${Object.entries(choices).map(
      ([
        kind,
        words,
      ]) => html`<label key=${kind}><input type="radio" name="source" value=${kind} checked=${kind === chosen}
        onChange=${() => onChoose(kind as SourceKind)} /><span>${words}</span></label>`,
    )}
  </div></fieldset>`;
}
