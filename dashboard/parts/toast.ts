/*
 * A message at the edge of the page. Screen readers read it, and it disappears after a while.
 *
 *   toast("Renamed.")           what was done
 *   toast.failed(error)         what was not, with the API's sentence; stays until it is closed
 */
import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { html } from "../html.ts";

interface Toast {
  id: number;
  text: string;
  isError: boolean;
}

const shown = signal<Toast[]>([]);
const showMs = 5000;
let lastId = 0;

export const toast = Object.assign((text: string) => add(text, false), {
  failed: (error: unknown) => add(error instanceof Error ? error.message : String(error), true),
});

function add(text: string, isError: boolean): void {
  lastId += 1;
  const id = lastId;
  shown.value = [...shown.value.slice(-3), { id, text, isError }];
  if (!isError) setTimeout(() => close(id), showMs);
}

function close(id: number): void {
  shown.value = shown.value.filter(each => each.id !== id);
}

export function Toasts(): VNode {
  return html`<div class="toasts" popover="manual" ref=${showAbove} role="status" aria-live="polite">
    ${shown.value.map(
      ({ id, text, isError }) => html`<p key=${id} class="toast ${isError ? "is-bad" : ""}">
        <span>${text}</span>
        <button type="button" class="plain" aria-label="Close this message" onClick=${() => close(id)}>×</button>
      </p>`,
    )}
  </div>`;
}

/** Shows the messages above an open dialog: popovers are in the browser's top layer, the last opened first. */
function showAbove(element: HTMLElement | null): void {
  if (element && !element.matches(":popover-open")) element.showPopover();
}
