/* Writes the parts that a person chooses in a page into the fields of the watch. */
import { type Signal, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { Preview } from "../../services/contracts/preview.contract.ts";
import { html } from "../html.ts";
import { toast } from "../parts/toast.ts";
import type { Aim } from "./aim.ts";
import { linesOf, optionsOf } from "./aim-options.ts";
import { PageParts } from "./page-parts.ts";

interface PointingProps {
  aim: Signal<Aim>;
  preview: Pick<Preview, "sid" | "source">;
}

export function Pointing({ aim, preview }: PointingProps): VNode | null {
  const isOpen = useSignal(false);
  if (preview.source !== "WEB") return null;
  const choose = (selector: string, use: "select" | "remove") => {
    const lines = linesOf(aim.value[use]);
    if (!lines.includes(selector)) aim.value = { ...aim.value, [use]: [...lines, selector].join("\n") };
    toast(
      use === "select"
        ? `${selector} is watched. Show the preview again to see it.`
        : `${selector} is left out.`,
    );
  };
  return html`<details class="aim-group" onToggle=${(event: Event) => {
    isOpen.value = (event.currentTarget as HTMLDetailsElement).open;
  }}><summary>Point at a part of the page</summary>
    ${
      isOpen.value &&
      html`<div class="aim-group-body"><${PageParts} sid=${preview.sid} optionsNow=${() => optionsOf(aim.value, "web")} select=${linesOf(aim.value.select)}
      remove=${linesOf(aim.value.remove)} onChoose=${choose} /></div>`
    }</details>`;
}
