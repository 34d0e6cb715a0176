/* Imports and exports sources as OPML, the format that feed readers exchange. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { OpmlImport } from "../../services/contracts/opml.contract.ts";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { save } from "../parts/download.ts";
import { Figures } from "../parts/figures.ts";
import { Field, Form } from "../parts/form.ts";
import { toast } from "../parts/toast.ts";
import { open, post } from "../shell/client.ts";

interface OpmlProps {
  onImported: () => Promise<void>;
  onClose: () => void;
}

const patienceMs = 300_000;

export function OpmlDialog({ onImported, onClose }: OpmlProps): VNode {
  const file = useSignal<File | undefined>(undefined);
  const mode = useSignal<"add" | "sync">("add");
  const outcome = useSignal<OpmlImport | undefined>(undefined);
  const send = async (isTrial: boolean) => {
    if (!file.value) throw new Error("Choose a file.");
    const text = { type: "text/x-opml", content: await file.value.text() };
    const { data, message } = await post<{ data: OpmlImport; message: string }>("/track/opml", undefined, {
      query: { mode: mode.value, ...(isTrial && { dry_run: true }) },
      text,
      signal: AbortSignal.timeout(patienceMs),
    });
    outcome.value = data;
    if (isTrial) return;
    toast(message);
    await onImported();
  };
  const forget = () => {
    outcome.value = undefined;
  };
  const isTried = outcome.value?.dry_run === true;
  return html`<${Dialog} title="Import or export sources" onClose=${onClose}>
    <${Form} action=${isTried ? "Import" : "Show what would change"} onSubmit=${() => send(!isTried)} onCancel=${onClose}>
      <${Field} label="OPML file" hint="A file that a feed reader has exported. Its folders become tags.">
        <input name="file" type="file" accept=".opml,.xml,text/x-opml,text/xml,application/xml" required onChange=${(
          event: Event,
        ) => {
          file.value = (event.currentTarget as HTMLInputElement).files?.[0];
          forget();
        }} /><//>
      <${Field} label="How to import">
        <select name="mode" onChange=${(event: Event) => {
          mode.value = (event.currentTarget as HTMLSelectElement).value as "add" | "sync";
          forget();
        }}>
          <option value="add">Add what is missing</option>
          <option value="sync">Make the list equal to the file: remove what is not in it</option>
        </select><//>
      <div aria-live="polite">${outcome.value && html`<${Outcome} of=${outcome.value} />`}</div>
    <//>
    <p class="soft">Or <button type="button" class="link" onClick=${() => download().catch(toast.failed)}>download your list</button> as OPML.</p>
  <//>`;
}

/** The outcome of an import, or of a trial. */
function Outcome({ of }: { of: OpmlImport }): VNode {
  const { added, kept, removed, pending, waiting, failed, entries, dry_run } = of;
  const figures = [
    { name: dry_run ? "Would be added" : "Added", value: added },
    { name: "Kept", value: kept },
    { name: dry_run ? "Would be removed" : "Removed", value: removed },
    { name: "Waiting", value: pending + waiting },
    { name: dry_run ? "Cannot be added" : "Failed", value: failed },
  ].filter(({ name, value }) => value > 0 || name.endsWith("dded") || name === "Failed");
  const failures = entries.filter(({ outcome }) => outcome === "failed");
  return html`<${Figures} figures=${figures} />
    ${
      failures.length > 0 &&
      html`<ul class="opml-failures">${failures.map(
        (
          { line, title, sid, error },
          at,
        ) => html`<li key=${at} class="breaks"><strong>${title || sid}</strong>
          ${line !== null && html` <span class="faint">line ${line}</span>`}<span class="below soft">${error?.message}</span></li>`,
      )}</ul>`
    }`;
}

async function download(): Promise<void> {
  const response = await open("GET", "/track/opml");
  save("magpie.opml", await response.blob());
}
