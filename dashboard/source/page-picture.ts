/* The page of a source as a browser shows it, with what is watched outlined, to point at other parts. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { SourceDetail } from "../../services/contracts/history.contract.ts";
import { html } from "../html.ts";
import { aimOf } from "../watch/aim.ts";
import { linesOf, optionsOf } from "../watch/aim-options.ts";
import type { Proposed } from "../watch/change-watch.ts";
import { PageParts } from "../watch/page-parts.ts";

interface PictureProps {
  source: SourceDetail;
  /** Opens the options of the watch with this change, which can be tried before it is saved. */
  onPropose: (change: Proposed) => void;
}

export function PagePicture({ source, onPropose }: PictureProps): VNode {
  const isOpen = useSignal(false);
  const aim = aimOf(source.options ?? {});
  const choose = (selector: string, use: "select" | "remove") =>
    onPropose({ [use]: [...new Set([...linesOf(aim[use]), selector])].join("\n") });
  return html`<section class="part" aria-labelledby="page-picture">
    <div class="part-head"><h3 id="page-picture">The page, with what is watched</h3></div>
    ${
      isOpen.value
        ? html`<div class="panel"><${PageParts} sid=${source.externalId} optionsNow=${() => optionsOf(aim, "web")} select=${linesOf(aim.select)}
          remove=${linesOf(aim.remove)} onChoose=${choose} /></div>`
        : html`<p><button type="button" onClick=${() => {
            isOpen.value = true;
          }}>Show a picture of the page</button> <span class="soft">to see what is watched, and to choose by pointing.</span></p>`
    }
  </section>`;
}
