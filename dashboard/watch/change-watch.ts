/* The dialog that changes how the acting key watches a source. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { TrackedSource } from "../../services/contracts/source-lists.contract.ts";
import type { WatchedSource } from "../../services/contracts/watch.contract.ts";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Form } from "../parts/form.ts";
import { Problem } from "../parts/state.ts";
import { toast } from "../parts/toast.ts";
import { type ApiError, patch } from "../shell/client.ts";
import { kindOf } from "../sources/kinds.ts";
import { WouldWatch } from "../sources/would-watch.ts";
import { type Aim, aimOf } from "./aim.ts";
import { AimFields } from "./aim-fields.ts";
import { changesOf, optionsOf } from "./aim-options.ts";
import { Pointing } from "./pointing.ts";
import { type Previewed, preview } from "./preview.ts";
import { Rehearsal } from "./rehearsal.ts";

/** Fields of the form that are filled in otherwise than they are. */
export type Proposed = Partial<Aim>;

interface ChangeProps {
  source: Pick<TrackedSource, "id" | "source" | "externalId" | "name" | "options" | "tags">;
  proposed?: Proposed;
  /** Other options are another source, whose id this gets. */
  onChanged: (source: WatchedSource) => Promise<void>;
  onClose: () => void;
}

export function ChangeWatch({ source, proposed = {}, onChanged, onClose }: ChangeProps): VNode {
  const before = aimOf(source.options ?? {}, source.tags);
  const aim = useSignal<Aim>({ ...before, ...proposed });
  const found = useSignal<Previewed | undefined>(undefined);
  const problem = useSignal<ApiError | undefined>(undefined);
  const isLooking = useSignal(false);
  const kind = kindOf(source);
  const isAimed = kind === "web" || kind === "rss" || kind === "site" || kind === "search";
  const hasPast = kind === "web" || kind === "rss";
  const change = async () => {
    const options = changesOf(aim.value, before, kind);
    const body = { iid: source.id, options };
    const { data, message } = await patch<{ data: WatchedSource; message: string }>(`/track/${kind}`, body);
    toast(message);
    await onChanged(data);
    onClose();
  };
  const look = async () => {
    if (isLooking.value) return;
    isLooking.value = true;
    problem.value = undefined;
    try {
      found.value = await preview(kind, source.externalId, optionsOf(aim.value, kind));
    } catch (error) {
      problem.value = error as ApiError;
    }
    isLooking.value = false;
  };
  return html`<${Dialog} title="How ${source.name} is watched" isWide onClose=${onClose}>
    <${Form} action="Change" onSubmit=${change} onCancel=${onClose}>
      <${AimFields} aim=${aim} kind=${kind} />
      ${kind === "web" && html`<${Pointing} aim=${aim} preview=${{ sid: source.externalId, source: source.source }} />`}
      ${isAimed && html`<p><button type="button" aria-disabled=${isLooking.value} onClick=${look}>Show a preview</button></p>`}
      <div aria-live="polite"><${Problem} error=${problem.value} />
        ${found.value && html`<${WouldWatch} preview=${found.value} />`}</div>
      ${hasPast && html`<${Rehearsal} id=${source.id} optionsNow=${() => changesOf(aim.value, before, kind)} />`}
    <//>
  <//>`;
}
