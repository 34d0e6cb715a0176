/* The dialog that changes how the acting key watches a source. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { Preview } from "../../services/contracts/preview.contract.ts";
import type { TrackedSource } from "../../services/contracts/source-lists.contract.ts";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Form } from "../parts/form.ts";
import { Problem } from "../parts/state.ts";
import { toast } from "../parts/toast.ts";
import { type ApiError, patch } from "../shell/client.ts";
import { kindOf } from "../sources/kinds.ts";
import { WouldWatch } from "../sources/would-watch.ts";
import { type Aim, aimOf, changesOf, optionsOf } from "./aim.ts";
import { AimFields } from "./aim-fields.ts";
import { Pointing } from "./pointing.ts";
import { preview } from "./preview.ts";

interface ChangeProps {
  source: TrackedSource;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

export function ChangeWatch({ source, onChanged, onClose }: ChangeProps): VNode {
  const before = aimOf(source.options ?? {}, source.tags);
  const aim = useSignal<Aim>(before);
  const found = useSignal<Preview | undefined>(undefined);
  const problem = useSignal<ApiError | undefined>(undefined);
  const isLooking = useSignal(false);
  const kind = kindOf(source);
  const change = async () => {
    const options = changesOf(aim.value, before, kind);
    const { message } = await patch<{ message: string }>(`/track/${kind}`, { iid: source.id, options });
    toast(message);
    await onChanged();
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
      ${
        (kind === "web" || kind === "rss") &&
        html`<p><button type="button" aria-disabled=${isLooking.value} onClick=${look}>Show a preview</button></p>`
      }
      <div aria-live="polite"><${Problem} error=${problem.value} />
        ${found.value && html`<${WouldWatch} preview=${found.value} />`}</div>
      ${found.value && html`<${Pointing} aim=${aim} preview=${found.value} />`}
    <//>
  <//>`;
}
