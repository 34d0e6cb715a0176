/* The dialogs that make a feed and show its address. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { FeedRecord } from "../../services/contracts/feeds.contract.ts";
import { WantedEvents, wantedBody, wantedOf } from "../events/wanted-events.ts";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Field, Form } from "../parts/form.ts";
import { Copy } from "../parts/state.ts";
import { post } from "../shell/client.ts";

/** A feed as the gateway answers it, with its addresses. */
export type Feed = FeedRecord & { atom_url: string; json_url: string };

interface NewProps {
  onMade: (feed: Feed) => Promise<void>;
  onClose: () => void;
}

export function NewFeed({ onMade, onClose }: NewProps): VNode {
  const wanted = useSignal(wantedOf());
  const make = async ({ name = "" }: Record<string, string>) => {
    const body = { name: name.trim() || undefined, ...wantedBody(wanted.value) };
    await onMade((await post<{ data: Feed }>("/feeds", body)).data);
  };
  return html`<${Dialog} title="Make a feed" onClose=${onClose}>
    <${Form} action="Make the feed" onSubmit=${make} onCancel=${onClose}>
      <${Field} label="Name" hint="The title that feed readers show. Optional.">
        <input name="name" autofocus maxlength="100" autocomplete="off" /><//>
      <${WantedEvents} wanted=${wanted} />
    <//>
  <//>`;
}

export function FeedAddress({ feed, onClose }: { feed: Feed; onClose: () => void }): VNode {
  return html`<${Dialog} title="The address of ${feed.name ?? "the feed"}" onClose=${onClose}>
    <p>Paste it into a feed reader. <strong>Anyone with this address can read the feed</strong>, without a key. If it
      gets into the wrong hands, remove the feed and make another.</p>
    <p class="secret"><code class="breaks">${feed.atom_url}</code></p>
    <p class="soft">The same feed as JSON Feed, for programs:</p>
    <p class="secret"><code class="breaks">${feed.json_url}</code></p>
    <div class="form-actions">
      <${Copy} text=${feed.atom_url} label="Copy the address" />
      <${Copy} text=${feed.json_url} label="Copy the JSON Feed" />
      <button type="button" class="is-main" onClick=${onClose}>Done</button>
    </div>
  <//>`;
}
