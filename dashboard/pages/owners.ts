/* The owners of keys, and the one-time links with which they set their passwords. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Confirm, Dialog } from "../parts/dialog.ts";
import { Field, Form } from "../parts/form.ts";
import { Filters, List, useList } from "../parts/list.ts";
import { Copy, Empty, Mark } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { count, Time } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { link } from "../shell/address.ts";
import { post, remove } from "../shell/client.ts";
import { Head, type Page } from "../shell/page.ts";

interface Owner {
  owner: string;
  keys: number;
  has_password: boolean;
}

interface Invitation {
  owner: string;
  url: string;
  expiresAt: string;
}

async function invite(owner: string): Promise<Invitation> {
  const { data } = await post<{ data: { path: string; expires_at: string } }>(
    `/internal/owners/${encodeURIComponent(owner)}/link`,
  );
  return { owner, url: new URL(data.path, location.origin).href, expiresAt: data.expires_at };
}

const linkName = (hasPassword: boolean) =>
  hasPassword ? "Link for a new password" : "Link to set a password";

function Owners(): VNode {
  const list = useList<Owner>("/internal/owners", ["query"]);
  const isNew = useSignal(false);
  const losing = useSignal<string | undefined>(undefined);
  const shown = useSignal<Invitation | undefined>(undefined);
  const show = async (owner: string) => {
    shown.value = await invite(owner);
    isNew.value = false;
    await list.renew();
  };
  const columns: Column<Owner>[] = [
    {
      title: "Owner",
      isMain: true,
      cell: ({ owner }) => html`<a href=${link("/keys", { owner })} class="breaks">${owner}</a>`,
    },
    { title: "Keys", isNumber: true, cell: ({ keys }) => count(keys) },
    {
      title: "Sign-in",
      cell: ({ has_password }) =>
        html`<${Mark} kind=${has_password ? "good" : "quiet"}>${has_password ? "has a password" : "no password yet"}<//>`,
    },
    {
      title: "Actions",
      isActions: true,
      cell: ({ owner, has_password }) =>
        html`${
          has_password &&
          html`<button type="button" class="is-small is-dangerous" aria-label="Remove password of ${owner}" onClick=${() => {
            losing.value = owner;
          }}>Remove password</button>`
        }
        <button type="button" class="is-small" aria-label="${linkName(has_password)} for ${owner}" onClick=${() => show(owner).catch(toast.failed)}>${linkName(has_password)}</button>`,
    },
  ];
  return html`<${Head} title="Owners" lead="An owner with a password signs in here, and generates, renames and deletes its own keys.">
      <button type="button" class="is-main" onClick=${() => {
        isNew.value = true;
      }}>Invite an owner</button>
    <//>
    <${Filters} filters=${[{ name: "query", label: "Name begins with" }]} />
    <${List} list=${list} caption="Owners" columns=${columns} id=${({ owner }: Owner) => owner}
      empty=${html`<${Empty} title="There is no owner yet"><p>Invite one: you get a link to send, with which the owner sets a password.</p><//>`} />
    ${
      isNew.value &&
      html`<${Dialog} title="Invite an owner" onClose=${() => {
        isNew.value = false;
      }}>
        <${Form} action="Make a link" onSubmit=${({ owner = "" }: Record<string, string>) => show(owner)}>
          <${Field} label="Name" hint="A person, a team or a program. The owner signs in with it."><input name="owner" required maxlength="100" autocomplete="off" /><//>
        <//>
      <//>`
    }
    ${
      losing.value &&
      html`<${RemovePassword} owner=${losing.value} onDone=${list.renew} onClose=${() => {
        losing.value = undefined;
      }} />`
    }
    ${
      shown.value &&
      html`<${Invited} of=${shown.value} onClose=${() => {
        shown.value = undefined;
      }} />`
    }`;
}

function Invited({ of, onClose }: { of: Invitation; onClose: () => void }): VNode {
  return html`<${Dialog} title="Send this link" onClose=${onClose}>
    <p><strong class="breaks">${of.owner}</strong> sets a password with it and signs in. It works once, until <${Time} at=${of.expiresAt} />. It is shown only once.</p>
    <p class="secret"><code class="breaks">${of.url}</code></p>
    <div class="form-actions"><${Copy} text=${of.url} label="Copy the link" /><button type="button" class="is-main" onClick=${onClose}>Done</button></div>
  <//>`;
}

interface RemovePasswordProps {
  owner: string;
  onDone: () => Promise<void>;
  onClose: () => void;
}

function RemovePassword({ owner, onDone, onClose }: RemovePasswordProps): VNode {
  const confirm = async () => {
    await remove(`/internal/owners/${encodeURIComponent(owner)}/password`);
    toast(`${owner} can no longer sign in.`);
    await onDone();
  };
  return html`<${Confirm} title="Remove the password?" action="Remove" onConfirm=${confirm} onClose=${onClose}>
    <p><strong class="breaks">${owner}</strong> is signed out everywhere and cannot sign in until you send a new link. Its keys keep working.</p>
  <//>`;
}

export const ownersPage: Page = {
  path: "/owners",
  title: "Owners",
  section: "home",
  roles: ["admin"],
  view: Owners,
};
