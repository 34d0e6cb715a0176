/* The endpoint of the acting key; the endpoints of all keys for an administrator who has chosen none. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { html } from "../html.ts";
import { Empty, Problem, Waiting } from "../parts/state.ts";
import { get } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { Head, type Page } from "../shell/page.ts";
import { hasKey } from "../shell/session.ts";
import { Endpoint } from "../webhook/endpoint.ts";
import { EndpointForm, type Registered } from "../webhook/endpoint-form.ts";
import { Endpoints } from "../webhook/endpoints.ts";
import { RecentAttempts } from "../webhook/recent-attempts.ts";
import { SecretOnce } from "../webhook/secret-once.ts";

function Webhook(): VNode {
  return hasKey.value ? html`<${Own} />` : html`<${Endpoints} />`;
}

function Own(): VNode {
  const live = useLive(signal => get<{ data: WebhookState[] }>("/webhooks", { signal }), []);
  const isEditing = useSignal(false);
  const secret = useSignal("");
  const webhook = live.data?.data[0];
  const edit = (value: boolean) => () => {
    isEditing.value = value;
  };
  const done = async (registered: Registered) => {
    secret.value = registered.secret ?? "";
    isEditing.value = false;
    await live.renew();
  };
  return html`<${Head} title="Webhook" lead="Where this key's events are sent, signed and in order." />
    <${Problem} error=${live.error} />
    ${!live.data && !live.error && html`<${Waiting} lines=${5} />`}
    ${live.data && !webhook && html`<${None} onRegister=${edit(true)} />`}
    ${webhook && html`<${Endpoint} webhook=${webhook} onEdit=${edit(true)} onChanged=${done} />`}
    ${webhook && html`<${RecentAttempts} />`}
    ${isEditing.value && html`<${EndpointForm} webhook=${webhook} onDone=${done} onClose=${edit(false)} />`}
    ${
      secret.value &&
      html`<${SecretOnce} secret=${secret.value} onClose=${() => {
        secret.value = "";
      }} />`
    }`;
}

function None({ onRegister }: { onRegister: () => void }): VNode {
  return html`<${Empty} title="No endpoint is registered">
    <p>Register an HTTPS address of your program. Each event of this key is sent to it as a signed POST.</p>
    <button type="button" class="is-main" onClick=${onRegister}>Register an endpoint</button>
  <//>`;
}

export const webhookPage: Page = {
  path: "/webhook",
  title: "Webhook",
  section: "deliver",
  roles: ["admin", "owner", "key"],
  asKey: ["owner"],
  view: Webhook,
};
