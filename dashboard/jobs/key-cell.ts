/* The key of a row in a list of all keys. A click makes it the acting key. */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { link, path } from "../shell/address.ts";

export function KeyCell({ key_id }: { key_id: string }): VNode {
  return html`<a href=${link(path.value, { key: key_id })} title="Only this key: ${key_id}"><code>${key_id.slice(-6)}</code></a>`;
}
