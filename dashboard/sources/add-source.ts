/*
 * The dialog that adds a source: what is pasted and what is meant by it, the options of the watch, a preview, and the button
 * that tracks it.
 *
 * `/sources?add=1&kind=rss&sid=https://…` opens it with kind and address filled in.
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { SourceKind } from "../../services/contracts/source.ts";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Field, Form } from "../parts/form.ts";
import { toast } from "../parts/toast.ts";
import { query } from "../shell/address.ts";
import { post } from "../shell/client.ts";
import { type Aim, noAim } from "../watch/aim.ts";
import { AimFields } from "../watch/aim-fields.ts";
import { optionsOf } from "../watch/aim-options.ts";
import { Pointing } from "../watch/pointing.ts";
import { type Previewed, preview } from "../watch/preview.ts";
import { guessKind, sidOf } from "./guess-kind.ts";
import { KindChoice } from "./kind-choice.ts";
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
  const written = useSignal(query("sid"));
  const asked = useSignal<SourceKind | undefined>(kindOfQuery());
  const kind = asked.value ?? guessKind(written.value);
  const aim = useSignal<Aim>(noAim);
  const found = useSignal<{ sid: string; preview: Previewed } | undefined>(undefined);
  const look = async () => {
    const sid = sidOf(written.value, kind);
    found.value = { sid, preview: await preview(kind, sid, optionsOf(aim.value, kind)) };
  };
  const track = async () => {
    if (!found.value) return;
    const options = optionsOf(aim.value, kind);
    const body = { sid: found.value.sid, ...(Object.keys(options).length > 0 && { options }) };
    const signal = AbortSignal.timeout(90_000);
    const { message } = await post<Tracked>(`/track/${kind}`, body, { signal });
    toast(message);
    await onAdded();
    onClose();
  };
  const forget = () => {
    found.value = undefined;
  };
  const write = (event: Event) => {
    written.value = (event.currentTarget as HTMLInputElement).value;
    forget();
  };
  const choose = (chosen: SourceKind) => {
    asked.value = chosen;
    forget();
  };
  return html`<${Dialog} title="Add a source" isWide onClose=${onClose}>
    <div class=${found.value ? "has-looked" : ""}><${Form} action=${found.value ? "Show the preview again" : "Show a preview"} onSubmit=${look}>
      <${Field} label="Address, account or words" hint=${addressHints[kind]}>
        <input name="sid" autofocus required maxlength="2048" value=${written.value} autocomplete="off" autocapitalize="none"
          spellcheck=${false} onInput=${write} /><//>
      <${KindChoice} chosen=${kind} onChoose=${choose} />
      <${AimFields} aim=${aim} kind=${kind} />
    <//></div>
    <div aria-live="polite">${found.value && html`<${WouldWatch} preview=${found.value.preview} />`}</div>
    ${found.value && html`<${Pointing} aim=${aim} preview=${found.value.preview} />`}
    ${found.value && html`<${Form} action="Track it" onSubmit=${track} onCancel=${onClose} />`}
  <//>`;
}

function kindOfQuery(): SourceKind | undefined {
  const kind = query("kind");
  return Object.hasOwn(kindNames, kind) ? (kind as SourceKind) : undefined;
}
