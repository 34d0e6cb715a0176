/*
 * The dialog that adds a source: its kind and address, the options of the watch, a preview, and the button that tracks it.
 *
 * `/sources?add=1&kind=rss&sid=https://…` opens it with kind and address filled in.
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
import { type Aim, noAim, optionsOf } from "../watch/aim.ts";
import { AimFields } from "../watch/aim-fields.ts";
import { Pointing } from "../watch/pointing.ts";
import { preview } from "../watch/preview.ts";
import { addressHints, kindNames } from "./kinds.ts";
import { WouldWatch } from "./would-watch.ts";

interface Tracked {
  message: string;
  jobId?: string;
}

interface AddProps {
  onAdded: () => Promise<void>;
  onClose: () => void;
}

export function AddSource({ onAdded, onClose }: AddProps): VNode {
  const kind = useSignal<SourceKind>(
    Object.hasOwn(kindNames, query("kind")) ? (query("kind") as SourceKind) : "rss",
  );
  const aim = useSignal<Aim>(noAim);
  const found = useSignal<{ sid: string; preview: Preview } | undefined>(undefined);
  const [label, hint] = addressHints[kind.value];
  const look = async (values: Record<string, string>) => {
    const sid = values.sid?.trim() ?? "";
    found.value = { sid, preview: await preview(kind.value, sid, optionsOf(aim.value, kind.value)) };
  };
  const track = async () => {
    if (!found.value) return;
    const options = optionsOf(aim.value, kind.value);
    const body = { sid: found.value.sid, ...(Object.keys(options).length > 0 && { options }) };
    const signal = AbortSignal.timeout(90_000);
    const { message } = await post<Tracked>(`/track/${kind.value}`, body, { signal });
    toast(message);
    await onAdded();
    onClose();
  };
  const forget = () => {
    found.value = undefined;
  };
  return html`<${Dialog} title="Add a source" isWide onClose=${onClose}>
    <div class=${found.value ? "has-looked" : ""}><${Form} action=${found.value ? "Show the preview again" : "Show a preview"} onSubmit=${look}>
      <${Field} label="Kind"><select name="source" value=${kind.value} onChange=${(event: Event) => {
        kind.value = (event.currentTarget as HTMLSelectElement).value as SourceKind;
        forget();
      }}>
        ${Object.entries(kindNames).map(([value, name]) => html`<option key=${value} value=${value} selected=${value === kind.value}>${name}</option>`)}
      </select><//>
      <${Field} label=${label} hint=${hint}>
        <input name="sid" autofocus required maxlength="2048" defaultValue=${query("sid")} autocomplete="off" autocapitalize="none"
          spellcheck=${false} onInput=${forget} /><//>
      <${AimFields} aim=${aim} kind=${kind.value} />
    <//></div>
    <div aria-live="polite">${found.value && html`<${WouldWatch} preview=${found.value.preview} />`}</div>
    ${found.value && html`<${Pointing} aim=${aim} preview=${found.value.preview} />`}
    ${found.value && html`<${Form} action="Track it" onSubmit=${track} onCancel=${onClose} />`}
  <//>`;
}
