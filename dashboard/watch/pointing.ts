/* Writes the parts that a person chooses in the page of a preview into the fields of the watch. */
import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import type { Preview } from "../../services/contracts/preview.contract.ts";
import { html } from "../html.ts";
import { toast } from "../parts/toast.ts";
import { type Aim, linesOf } from "./aim.ts";
import { PointAt } from "./point-at.ts";

interface PointingProps {
  aim: Signal<Aim>;
  preview: Preview;
}

export function Pointing({ aim, preview }: PointingProps): VNode | null {
  const outline = preview.outline ?? [];
  if (outline.length === 0) return null;
  const choose = (selector: string, use: "select" | "remove") => {
    const lines = linesOf(aim.value[use]);
    if (!lines.includes(selector)) aim.value = { ...aim.value, [use]: [...lines, selector].join("\n") };
    toast(
      use === "select"
        ? `${selector} is watched. Show the preview again to see it.`
        : `${selector} is left out.`,
    );
  };
  return html`<details class="aim-group"><summary>Point at a part of the page</summary>
    <${PointAt} outline=${outline} chosen=${linesOf(aim.value.select)} onChoose=${choose} /></details>`;
}
