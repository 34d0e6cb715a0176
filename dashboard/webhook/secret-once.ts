/* The secret that signs deliveries. The API shows it once. */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Copy } from "../parts/state.ts";

export function SecretOnce({ secret, onClose }: { secret: string; onClose: () => void }): VNode {
  return html`<${Dialog} title="The signing secret" onClose=${onClose}>
    <p>Your program checks the signature of each delivery with it. <strong>It is shown only now:</strong> keep it where your
      program finds it.</p>
    <p class="secret"><code class="breaks">${secret}</code></p>
    <div class="form-actions">
      <${Copy} text=${secret} label="Copy the secret" />
      <button type="button" class="is-main" onClick=${onClose}>I have kept it</button>
    </div>
  <//>`;
}
