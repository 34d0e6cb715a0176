/*
 * The parts of a page to point at: on a picture where a browser can show the page, else as a list.
 *
 *   html`<${PageParts} sid=${url} optionsNow=${() => options} select=${[".price"]} remove=${[]} onChoose=${choose} />`
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { Preview } from "../../services/contracts/preview.contract.ts";
import { html } from "../html.ts";
import { Problem, Waiting } from "../parts/state.ts";
import { Tabs } from "../parts/tabs.ts";
import type { ApiError } from "../shell/client.ts";
import { PointAt } from "./point-at.ts";
import { PointAtPicture } from "./point-at-picture.ts";
import { pictured } from "./preview.ts";
import type { Choose } from "./proposals.ts";

interface PartsProps {
  sid: string;
  /** The options of the watch; may throw where a text is invalid. */
  optionsNow: () => Record<string, unknown>;
  select: readonly string[];
  remove: readonly string[];
  onChoose: Choose;
}

export function PageParts({ sid, optionsNow, select, remove, onChoose }: PartsProps): VNode {
  const found = useSignal<Preview | undefined>(undefined);
  const problem = useSignal<ApiError | undefined>(undefined);
  const way = useSignal("picture");
  useEffect(() => {
    let isOver = false;
    const look = async () => await pictured(sid, optionsNow());
    look().then(
      preview => {
        if (!isOver) found.value = preview;
      },
      error => {
        if (!isOver) problem.value = error;
      },
    );
    return () => {
      isOver = true;
    };
    // A choice changes the options, and the picture stays.
  }, [sid]);
  if (problem.value) return html`<${Problem} error=${problem.value} />`;
  if (!found.value)
    return html`<div class="pointing-wait"><p class="soft" role="status">A browser takes a picture of the page…</p><${Waiting} lines=${8} /></div>`;
  const { picture, outline } = found.value;
  const parts = outline ?? [];
  const list = () => html`<${PointAt} outline=${parts} chosen=${select} onChoose=${onChoose} />`;
  if (!picture)
    return html`<p class="soft">No browser could show this page, so there is no picture of it. These are its parts.</p>${list()}`;
  return html`<${Tabs} label="Parts of the page" chosen=${way.value} onChoose=${(name: string) => {
    way.value = name;
  }} tabs=${[
    {
      name: "picture",
      title: "Picture",
      view: () =>
        html`<${PointAtPicture} picture=${picture} outline=${parts} select=${select} remove=${remove} onChoose=${onChoose} />`,
    },
    { name: "list", title: "List", view: list },
  ]} />`;
}
