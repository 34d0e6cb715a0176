/* The list of keys: the administrator sees the keys of all owners, an owner sees its own. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Confirm } from "../parts/dialog.ts";
import { Filters, List, useList } from "../parts/list.ts";
import { Empty } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { count, Time } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { link, query, setQuery } from "../shell/address.ts";
import { remove } from "../shell/client.ts";
import { Head, type Page } from "../shell/page.ts";
import { actingKey, role } from "../shell/session.ts";
import { scopeWords } from "./key-bounds.ts";
import { EditKey, type Key, NewKey } from "./key-forms.ts";
import { quotaWords } from "./quota-words.ts";

type Open = { form: "new" } | { form: "edit" | "delete"; key: Key };

/** The path of the keys that the signed-in person may see. */
const keysPath = () => (role.value === "admin" ? "/internal/keys" : "/owner/keys");

function Keys(): VNode {
  const isAdmin = role.value === "admin";
  const list = useList<Key>(keysPath(), isAdmin ? ["query", "owner"] : []);
  const open = useSignal<Open | undefined>(undefined);
  const close = () => {
    open.value = undefined;
  };
  const owner = query("owner");
  return html`<${Head} title="Keys" lead=${isAdmin ? "Each program that uses the API has a key of its own, and each key has an owner." : "Each of your programs uses the API with a key of its own."}>
      <button type="button" class="is-main" onClick=${() => {
        open.value = { form: "new" };
      }}>Generate a key</button>
    <//>
    ${isAdmin && html`<${Filters} filters=${[{ name: "query", label: "Owner or name begins with" }]} />`}
    ${owner && html`<p class="chosen">Only keys of <strong class="breaks">${owner}</strong> <button type="button" class="link" onClick=${() => setQuery({ owner: null, cursor: null }, { keep: true })}>Show all</button></p>`}
    <${List} list=${list} caption="Keys" columns=${columnsOf(isAdmin, next => {
      open.value = next;
    })} id=${(key: Key) => key.id}
      empty=${html`<${Empty} title="There is no key yet"><p>A key is what a program sends in the header <code>x-api-key</code>. Generate the first one.</p><//>`} />
    ${open.value && html`<${Opened} open=${open.value} owner=${owner} onClose=${close} onDone=${list.renew} />`}`;
}

function columnsOf(isAdmin: boolean, open: (next: Open) => void): Column<Key>[] {
  const owner: Column<Key> = {
    title: "Owner",
    cell: key => html`<a href=${link("/keys", { owner: key.owner })} class="breaks">${key.owner}</a>`,
  };
  return [
    { title: "Name", isMain: true, cell: ({ name }) => name },
    ...(isAdmin ? [owner] : []),
    { title: "Key", cell: ({ key }) => html`<code class="faint">${key}</code>` },
    {
      title: "Per minute",
      isNumber: true,
      cell: ({ limits }) => (limits ? count(limits.requestsPerMinute) : ""),
    },
    { title: "Quotas", cell: ({ quotas }) => (quotas ? quotaWords(quotas) : "") },
    { title: "May do", cell: MayDo },
    { title: "Last used", cell: ({ last_used_at }) => html`<${Time} at=${last_used_at} />` },
    { title: "Actions", isActions: true, cell: key => html`<${Actions} of=${key} open=${open} />` },
  ];
}

function MayDo(key: Key): VNode {
  const { expires_at: end } = key;
  return html`${scopeWords(key)}${end && html`<br /><span class="faint">${Date.parse(end) > Date.now() ? "ends" : "ended"} <${Time} at=${end} /></span>`}`;
}

function Actions({ of: key, open }: { of: Key; open: (next: Open) => void }): VNode {
  const isActing = actingKey.value === key.id;
  return html`<a class="button is-small" href=${link("/", { key: isActing ? null : key.id })} aria-label="${isActing ? "Stop acting as" : "Act as"} ${key.name}">${isActing ? "Stop acting" : "Act as"}</a>
    <button type="button" class="is-small" aria-label="Edit ${key.name}" onClick=${() => open({ form: "edit", key })}>Edit</button>
    <button type="button" class="is-small is-dangerous" aria-label="Delete ${key.name}" onClick=${() => open({ form: "delete", key })}>Delete</button>`;
}

interface OpenedProps {
  open: Open;
  owner: string;
  onClose: () => void;
  onDone: () => Promise<void>;
}

function Opened({ open, owner, onClose, onDone }: OpenedProps): VNode {
  if (open.form === "new")
    return html`<${NewKey} path=${keysPath()} owner=${owner} onClose=${onClose} onDone=${onDone} />`;
  const path = `${keysPath()}/${open.key.id}`;
  if (open.form === "edit")
    return html`<${EditKey} path=${path} of=${open.key} onClose=${onClose} onDone=${onDone} />`;
  const { name } = open.key;
  const confirm = async () => {
    await remove(path);
    if (actingKey.value === open.key.id) setQuery({ key: null });
    toast(`${name} is deleted.`);
    await onDone();
  };
  return html`<${Confirm} title="Delete this key?" action="Delete" typed=${name} onConfirm=${confirm} onClose=${onClose}>
    <p>Programs that use it are refused at once. Its sources are no longer tracked, its webhooks receive nothing more, and its results are deleted. This cannot be undone.</p>
  <//>`;
}

export const keysPage: Page = {
  path: "/keys",
  title: "Keys",
  section: "home",
  roles: ["admin", "owner"],
  view: Keys,
};
