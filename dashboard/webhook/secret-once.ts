/* The secret that signs deliveries. The API shows it once. */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Copy } from "../parts/state.ts";

export function SecretOnce({ secret, onClose }: { secret: string; onClose: () => void }): VNode {
  return html`<${Dialog} title="The signing secret" onClose=${onClose}>
    <p>Your program checks the signature of each delivery with this secret. <strong>It is shown only once:</strong>
      store it where your program can read it.</p>
    <p class="secret"><code class="breaks">${secret}</code></p>
    <div class="form-actions">
      <${Copy} text=${secret} label="Copy the secret" />
      <button type="button" class="is-main" onClick=${onClose}>I have saved it</button>
    </div>
  <//>`;
}
