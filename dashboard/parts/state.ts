/*
 * Placeholders for content, and small marks.
 *
 *   html`<${Empty} title="No source is tracked yet"><p>Add a feed …</p><a class="button" href=…>Add<//><//>`
 *   html`<${Waiting} lines=${4} />`              before the first answer; keeps the space
 *   html`<${Problem} error=${live.error} />`     nothing without an error
 *   html`<${Mark} kind="bad">failing<//>`        good, warn, bad, quiet: always with a word, never colour alone
 *   html`<${Copy} text=${value} label="Copy the key" />`
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { html } from "../html.ts";
import type { ApiError } from "../shell/client.ts";
import { sentence } from "./form.ts";
import { toast } from "./toast.ts";

export function Empty({ title, children }: { title: string; children?: ComponentChildren }): VNode {
  return html`<div class="empty"><p class="empty-title">${title}</p>${children}</div>`;
}

export function Waiting({ lines = 3 }: { lines?: number }): VNode {
  return html`<div class="waiting" role="status"><span class="unseen">Loading</span>
    ${Array.from({ length: lines }, (_, at) => html`<span key=${at} class="waiting-line" aria-hidden="true"></span>`)}
  </div>`;
}

export function Problem({ error }: { error: ApiError | undefined }): VNode | null {
  if (!error) return null;
  return html`<p class="problem" role="alert">${sentence(error)}${
    error.requestId && html` <span class="faint">Request <code>${error.requestId}</code></span>`
  }</p>`;
}

export type MarkKind = "good" | "warn" | "bad" | "quiet";

export function Mark({ kind, children }: { kind: MarkKind; children?: ComponentChildren }): VNode {
  return html`<span class="mark is-${kind}">${children}</span>`;
}

/** A button that copies text. It says so when the browser does not let a page write to the clipboard. */
export function Copy({ text, label = "Copy" }: { text: string; label?: string }): VNode {
  const isDone = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      isDone.value = true;
      setTimeout(() => {
        isDone.value = false;
      }, 2000);
      toast("Copied.");
    } catch {
      toast.failed("This browser does not let a page copy. Select the text and copy it by hand.");
    }
  };
  return html`<button type="button" onClick=${copy}>${isDone.value ? "Copied" : label}</button>`;
}
