/*
 * Gives the browser a file to save:
 *
 *   save("values.csv", await response.blob());
 *   html`<${Download} name="page.md" text=${markdown} />`
 */
import type { VNode } from "preact";
import { html } from "../html.ts";

/** The browser reads the file after the click; it has a minute. */
const keptMs = 60_000;

export function save(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}

export function Download({ name, text }: { name: string; text: string }): VNode {
  return html`<button type="button" aria-label="Download ${name}" onClick=${() => save(name, new Blob([text]))}>Download</button>`;
}
