/* Where an endpoint sends to, in its form: a URL or an address of mail, or a destination with its fields. */
import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import type { DestinationType } from "../../services/contracts/destinations.ts";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { html } from "../html.ts";
import { Field } from "../parts/form.ts";
import { DestinationFields } from "./destination-fields.ts";
import { destinations, isDestinationType } from "./destinations.ts";
import { addressHints, digestNames, isMail, mailHint } from "./formats.ts";

/** What is chosen: the type of a destination, or nothing for an address; and the address that is typed. */
export interface Place {
  type: Signal<DestinationType | "">;
  url: Signal<string>;
  format: Signal<string>;
}

interface PlaceProps {
  webhook: WebhookState | undefined;
  place: Place;
}

export function EndpointPlace({ webhook, place }: PlaceProps): VNode {
  const type = place.type.value;
  const choose = (event: Event) => {
    const chosen = (event.currentTarget as HTMLSelectElement).value;
    place.type.value = isDestinationType(chosen) ? chosen : "";
  };
  const before = webhook?.destination?.type === type ? webhook.destination : undefined;
  return html`<${Field} label="Send to">
      <select name="destination.type" onChange=${choose}>
        <option value="" selected=${type === ""}>URL or mail address</option>
        ${Object.entries(destinations).map(([value, { name }]) => html`<option key=${value} value=${value} selected=${value === type}>${name}</option>`)}
      </select><//>
    ${type === "" ? html`<${Address} webhook=${webhook} place=${place} />` : html`<${DestinationFields} type=${type} before=${before} />`}`;
}

function Address({ webhook, place: { url, format } }: PlaceProps): VNode {
  const type = (event: Event) => {
    url.value = (event.currentTarget as HTMLInputElement).value;
  };
  return html`<${Field} label="Address" hint=${isMail(url.value) ? mailHint : addressHints[format.value]}>
      <input name="url" inputmode="url" autofocus required maxlength="2048" value=${url.value}
        placeholder="https://example.com/hooks/magpie" autocomplete="off" spellcheck=${false} onInput=${type} /><//>
    ${isMail(url.value) && html`<${Digest} webhook=${webhook} />`}`;
}

function Digest({ webhook }: Pick<PlaceProps, "webhook">): VNode {
  return html`<${Field} label="Mails" hint="A mail at an interval contains all events since the one before.">
      <select name="digest">
        ${Object.entries(digestNames).map(([value, name]) => html`<option key=${value} value=${value} selected=${value === (webhook?.digest ?? "")}>${name}</option>`)}
      </select><//>`;
}
