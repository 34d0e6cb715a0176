/*
 * Tabs. Arrow keys go from tab to tab.
 *
 *   html`<${Tabs} label="Result" chosen=${chosen.value} onChoose=${name => { chosen.value = name; }} tabs=${[
 *     { name: "markdown", title: "Markdown", view: () => html`…` },
 *   ]} />`
 *
 * Only the chosen view is rendered. For an unknown name the first tab is chosen.
 */
import type { ComponentChild, VNode } from "preact";
import { useId, useRef } from "preact/hooks";
import { html } from "../html.ts";

export interface Tab {
  name: string;
  title: ComponentChild;
  view: () => ComponentChild;
}

interface TabsProps {
  label: string;
  tabs: Tab[];
  chosen: string;
  onChoose: (name: string) => void;
}

export function Tabs({ label, tabs, chosen, onChoose }: TabsProps): VNode {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const at = Math.max(
    tabs.findIndex(({ name }) => name === chosen),
    0,
  );
  const go = (to: number) => {
    const next = tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    onChoose(next.name);
    list.current?.querySelector<HTMLElement>(`[data-name="${next.name}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  return html`<div class="tabs">
    <div role="tablist" aria-label=${label} ref=${list} onKeyDown=${onKeyDown}>
      ${tabs.map(
        (
          { name, title },
          each,
        ) => html`<button key=${name} type="button" role="tab" id="${id}-${name}" data-name=${name}
          aria-selected=${each === at ? "true" : "false"} aria-controls="${id}-view" tabindex=${each === at ? 0 : -1}
          onClick=${() => onChoose(name)}>${title}</button>`,
      )}
    </div>
    <div role="tabpanel" id="${id}-view" aria-labelledby="${id}-${tabs[at]?.name}" tabindex="0">${tabs[at]?.view()}</div>
  </div>`;
}
