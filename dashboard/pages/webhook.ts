/* The endpoints of the acting key; the endpoints of all keys for an administrator who has chosen none. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { html } from "../html.ts";
import { Empty, Problem, Waiting } from "../parts/state.ts";
import { link, navigate, query, setQuery } from "../shell/address.ts";
import { get } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { Head, type Page } from "../shell/page.ts";
import { hasKey } from "../shell/session.ts";
import { Endpoint } from "../webhook/endpoint.ts";
import { EndpointForm, type Registered } from "../webhook/endpoint-form.ts";
import { Endpoints } from "../webhook/endpoints.ts";
import { OwnEndpoints } from "../webhook/own-endpoints.ts";
import { RecentAttempts } from "../webhook/recent-attempts.ts";
import { SecretOnce } from "../webhook/secret-once.ts";

/** The number of endpoints that a key may have. They fit on one page. */
const most = 20;

function Webhooks(): VNode {
  return hasKey.value ? html`<${Own} />` : html`<${Endpoints} />`;
}

function Webhook({ id }: { id: string }): VNode {
  return html`<${Own} id=${id} />`;
}

/** Shows one endpoint in full if the key has only one or one is chosen; otherwise a list. */
function Own({ id }: { id?: string }): VNode {
  const live = useLive(signal => get<{ data: WebhookState[] }>("/webhooks", { signal }), []);
  const editing = useSignal<WebhookState | "new" | undefined>(query("add") === "" ? undefined : "new");
  const secret = useSignal("");
  const all = live.data?.data;
  const shown =
    id === undefined ? (all?.length === 1 ? all[0] : undefined) : all?.find(each => each.id === id);
  const register = () => {
    editing.value = "new";
  };
  const close = () => {
    editing.value = undefined;
    setQuery({ add: null });
  };
  const done = async (registered: Registered) => {
    secret.value = registered.secret ?? "";
    if (editing.value === "new" && id !== undefined) navigate("/webhook");
    close();
    await live.renew();
  };
  return html`<${Head} title=${id === undefined ? "Webhooks" : "Webhook"}
      lead="Where this key's events are sent, in order.">
      ${id !== undefined && html`<a class="button" href=${link("/webhook")}>All endpoints</a>`}
      ${id === undefined && all && all.length > 0 && all.length < most && html`<button type="button" class="is-main" onClick=${register}>Add an endpoint</button>`}
    <//>
    <${Problem} error=${live.error} />
    ${!all && !live.error && html`<${Waiting} lines=${5} />`}
    ${all?.length === 0 && html`<${None} onRegister=${register} />`}
    ${all && all.length > 0 && id !== undefined && !shown && html`<${Empty} title="This endpoint no longer exists" />`}
    ${all && all.length > 1 && id === undefined && html`<${OwnEndpoints} webhooks=${all} />`}
    ${
      shown &&
      html`<${Endpoint} webhook=${shown} onChanged=${done} onEdit=${() => {
        editing.value = shown;
      }} /><${RecentAttempts} webhook=${shown} />`
    }
    ${
      editing.value &&
      html`<${EndpointForm} webhook=${editing.value === "new" ? undefined : editing.value} onDone=${done} onClose=${close} />`
    }
    ${
      secret.value &&
      html`<${SecretOnce} secret=${secret.value} onClose=${() => {
        secret.value = "";
      }} />`
    }`;
}

function None({ onRegister }: { onRegister: () => void }): VNode {
  return html`<${Empty} title="No endpoint is registered">
    <p>Register an HTTPS address of your program, a channel of Slack or Discord, or a folder, a bucket, a table or a queue.
      Each event of this key is sent to it.</p>
    <button type="button" class="is-main" onClick=${onRegister}>Register an endpoint</button>
  <//>`;
}

const access = { roles: ["admin", "owner", "key"], asKey: ["owner"] } satisfies Partial<Page>;

export const webhooksPage: Page = {
  path: "/webhook",
  title: "Webhooks",
  section: "deliver",
  ...access,
  view: Webhooks,
};

export const webhookPage: Page = { path: "/webhook/:id", title: "Webhook", ...access, view: Webhook };
