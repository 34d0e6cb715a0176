/* What is done with a source from any list and from its own page: a check at once, and the end of its tracking. */
import type { VNode } from "preact";
import type { SourceSummary } from "../../services/contracts/source-lists.contract.ts";
import { html } from "../html.ts";
import { Confirm } from "../parts/dialog.ts";
import { plural } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { post, remove } from "../shell/client.ts";
import { hasKey } from "../shell/session.ts";
import { kindOf } from "./kinds.ts";

/** `keys`: how many track it, where all keys are meant. */
type Named = Pick<SourceSummary, "id" | "source" | "name"> & Partial<Pick<SourceSummary, "keys">>;

export async function checkNow(source: Named, renew: () => Promise<void>): Promise<void> {
  try {
    if (hasKey.value) await post(`/track/${kindOf(source)}/poll`, { iid: source.id });
    else await post(`/internal/sources/${encodeURIComponent(source.id)}/poll`);
    toast(`${source.name} is being checked.`);
    await renew();
  } catch (error) {
    toast.failed(error);
  }
}

interface LeaveProps {
  source: Named;
  onLeft: () => Promise<void> | void;
  onClose: () => void;
}

export function LeaveSource({ source, onLeft, onClose }: LeaveProps): VNode {
  const { id, name, keys = 0 } = source;
  const isOwn = hasKey.value;
  const confirm = async () => {
    if (isOwn) await remove(`/track/${kindOf(source)}`, { iid: id });
    else await remove(`/internal/sources/${encodeURIComponent(id)}`);
    toast(`${name} is removed.`);
    await onLeft();
  };
  return html`<${Confirm} title="Remove ${name}?" action="Remove" typed=${isOwn ? undefined : name}
    onConfirm=${confirm} onClose=${onClose}>
    ${
      isOwn
        ? html`<p>This key gets no more events from it. Its earlier events stay; what is kept of its past is erased for this key.</p>`
        : html`<p>${plural(keys, "key")} ${keys === 1 ? "tracks" : "track"} it. It is removed for all of them. To remove it for
          one of them, choose that key as the acting key.</p>`
    }
  <//>`;
}
