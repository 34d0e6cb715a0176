/* Cancels a scrape or a crawl of the acting key; an administrator who has chosen no key may cancel any. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { html } from "../html.ts";
import { toast } from "../parts/toast.ts";
import { ApiError, remove } from "../shell/client.ts";
import { hasKey } from "../shell/session.ts";

type Kind = "scrape" | "crawl";

interface CancelProps {
  kind: Kind;
  id: string;
  /** The name of the job, for screen readers. */
  name: string;
  onCancelled: () => Promise<void>;
  /** Whether the button is in a row of a list. */
  isSmall?: boolean;
}

export function Cancel({ kind, id, name, onCancelled, isSmall = false }: CancelProps): VNode {
  const isBusy = useSignal(false);
  const cancel = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      await remove(pathOf(kind, id));
      toast(`The ${kind} is cancelled.`);
    } catch (error) {
      // The job has ended meanwhile, which the page shows.
      if (!(error instanceof ApiError && error.code === "already_finished")) toast.failed(error);
    }
    await onCancelled();
    isBusy.value = false;
  };
  return html`<button type="button" class=${isSmall ? "is-small" : ""} aria-label="Cancel ${name}" aria-disabled=${isBusy.value} onClick=${cancel}>Cancel</button>`;
}

function pathOf(kind: Kind, id: string): string {
  const own = kind === "scrape" ? "/web/scrape" : "/web/crawl";
  return `${hasKey.value ? own : `/internal/${kind}s`}/${encodeURIComponent(id)}`;
}
