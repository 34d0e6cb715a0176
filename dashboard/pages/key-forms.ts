/* Dialogs that generate a key, whose value is shown once, and that change its name, scopes, end, limits and quotas. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { KeyQuotas } from "../../services/contracts/quotas.contract.ts";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Field, Form } from "../parts/form.ts";
import { Copy } from "../parts/state.ts";
import { Time } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { patch, post } from "../shell/client.ts";
import { role } from "../shell/session.ts";
import { BoundFields, type Bounds, takeBounds } from "./key-bounds.ts";
import { takeQuotas } from "./quota-words.ts";
import { QuotaFields } from "./quotas.ts";

export interface Limits {
  requestsPerMinute: number;
  concurrentScrapes: number;
  concurrentCrawls: number;
  trackedSources: number;
}

export interface Key extends Bounds {
  id: string;
  name: string;
  /** The masked value; the whole value only in the answer that generates it. */
  key: string;
  owner?: string;
  createdAt: string;
  last_used_at: string | null;
  limits?: Limits;
  quotas?: KeyQuotas;
}

interface NewKeyProps {
  path: string;
  /** The owner that the list is filtered by; empty without one. */
  owner: string;
  onClose: () => void;
  onDone: () => Promise<void>;
}

export function NewKey({ path, owner, onClose, onDone }: NewKeyProps): VNode {
  const made = useSignal<Key | undefined>(undefined);
  const generate = async (values: Record<string, string>) => {
    const { bounds, others } = takeBounds(values);
    made.value = (await post<{ data: Key }>(path, { ...others, ...bounds })).data;
    await onDone();
  };
  if (made.value) return html`<${ShownOnce} of=${made.value} onClose=${onClose} />`;
  return html`<${Dialog} title="Generate a key" onClose=${onClose}>
    <${Form} action="Generate" onSubmit=${generate} onCancel=${onClose}>
      ${role.value === "admin" && html`<${Field} label="Owner" hint="The person, team or program that the key belongs to. A new name creates an owner."><input name="owner" value=${owner} required maxlength="100" autocomplete="off" /><//>`}
      <${Field} label="Name" hint="What the key is for, such as production."><input name="name" required maxlength="100" autocomplete="off" /><//>
      <${BoundFields} />
    <//>
  <//>`;
}

function ShownOnce({ of: { name, key }, onClose }: { of: Key; onClose: () => void }): VNode {
  return html`<${Dialog} title="Copy the key now" onClose=${onClose}>
    <p>This is the value of <strong class="breaks">${name}</strong>. It is shown only once. Later you see its last four characters.</p>
    <p class="secret"><code class="breaks">${key}</code></p>
    <div class="form-actions"><${Copy} text=${key} label="Copy the key" /><button type="button" class="is-main" onClick=${onClose}>I have saved it</button></div>
  <//>`;
}

const limitFields: [name: keyof Limits, label: string][] = [
  ["requestsPerMinute", "Requests a minute"],
  ["concurrentScrapes", "Scrapes at a time"],
  ["concurrentCrawls", "Crawls at a time"],
  ["trackedSources", "Tracked sources"],
];

interface EditKeyProps {
  path: string;
  of: Key;
  onClose: () => void;
  onDone: () => Promise<void>;
}

/** Edits a key. Only the administrator changes limits and quotas. */
export function EditKey({ path, of: key, onClose, onDone }: EditKeyProps): VNode {
  const isAdmin = role.value === "admin";
  const save = async ({ name, ...values }: Record<string, string>) => {
    const { bounds, others: counts } = takeBounds(values, key);
    const { quotas, others } = takeQuotas(counts);
    const limits = Object.fromEntries(Object.entries(others).map(([limit, value]) => [limit, Number(value)]));
    await patch(path, { name, ...bounds, ...(isAdmin ? { limits, quotas } : {}) });
    toast(`${name} is saved.`);
    await onDone();
    onClose();
  };
  return html`<${Dialog} title="Edit ${key.name}" onClose=${onClose}>
    <p class="hint">Generated <${Time} at=${key.createdAt} />.</p>
    <${Form} action="Save" onSubmit=${save} onCancel=${onClose}>
      <${Field} label="Name"><input name="name" value=${key.name} required maxlength="100" autocomplete="off" /><//>
      <${BoundFields} of=${key} />
      ${
        isAdmin &&
        key.limits &&
        html`<fieldset class="limits"><legend>Limits</legend>
        ${limitFields.map(
          ([name, label]) =>
            html`<${Field} key=${name} label=${label}><input name=${name} type="number" class="number" min="1" step="1" required value=${key.limits?.[name]} /><//>`,
        )}</fieldset>`
      }
      ${isAdmin && key.quotas && html`<${QuotaFields} of=${key.quotas} />`}
    <//>
  <//>`;
}
