/*
 * Adds a source: kind and address, what would be watched, then track it.
 *
 * `/sources?add=1&kind=rss&sid=https://…` opens it with both filled in.
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { Preview } from "../../services/contracts/preview.contract.ts";
import type { SourceKind } from "../../services/contracts/source.ts";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Field, Form } from "../parts/form.ts";
import { toast } from "../parts/toast.ts";
import { query } from "../shell/address.ts";
import { post } from "../shell/client.ts";
import { addressHints, kindNames } from "./kinds.ts";
import { WouldWatch } from "./would-watch.ts";

interface Tracked {
  message: string;
  jobId?: string;
}

interface Wanted {
  source: SourceKind;
  sid: string;
}

interface AddProps {
  onAdded: () => Promise<void>;
  onClose: () => void;
}

export function AddSource({ onAdded, onClose }: AddProps): VNode {
  const kind = useSignal<SourceKind>(
    Object.hasOwn(kindNames, query("kind")) ? (query("kind") as SourceKind) : "rss",
  );
  const found = useSignal<(Wanted & { preview: Preview }) | undefined>(undefined);
  const [label, hint] = addressHints[kind.value];
  const preview = async (values: Record<string, string>) => {
    const wanted = { source: kind.value, sid: values.sid?.trim() ?? "" };
    found.value = undefined;
    const signal = AbortSignal.timeout(90_000);
    const { data } = await post<{ data: Preview }>(
      `/track/${wanted.source}/preview`,
      { sid: wanted.sid },
      { signal },
    );
    found.value = { ...wanted, preview: data };
  };
  const track = async () => {
    if (!found.value) return;
    const { source, sid } = found.value;
    const { message } = await post<Tracked>(
      `/track/${source}`,
      { sid },
      { signal: AbortSignal.timeout(90_000) },
    );
    toast(message);
    await onAdded();
    onClose();
  };
  const forget = () => {
    found.value = undefined;
  };
  return html`<${Dialog} title="Add a source" isWide onClose=${onClose}>
    <div class=${found.value ? "has-looked" : ""}><${Form} action=${found.value ? "Look again" : "See what would be watched"} onSubmit=${preview}>
      <${Field} label="Kind"><select name="source" value=${kind.value} onChange=${(event: Event) => {
        kind.value = (event.currentTarget as HTMLSelectElement).value as SourceKind;
        forget();
      }}>
        ${Object.entries(kindNames).map(([value, name]) => html`<option key=${value} value=${value} selected=${value === kind.value}>${name}</option>`)}
      </select><//>
      <${Field} label=${label} hint=${hint}>
        <input name="sid" autofocus required maxlength="2048" defaultValue=${query("sid")} autocomplete="off" autocapitalize="none"
          spellcheck=${false} onInput=${forget} /><//>
    <//></div>
    <div aria-live="polite">${found.value && html`<${WouldWatch} preview=${found.value.preview} />`}</div>
    ${found.value && html`<${Form} action="Track it" onSubmit=${track} onCancel=${onClose} />`}
  <//>`;
}
