/* The feeds of the acting key, which feed readers read. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { wantedWords } from "../events/wanted-events.ts";
import { type Feed, FeedAddress, NewFeed } from "../feeds/feed-form.ts";
import { html } from "../html.ts";
import { Confirm } from "../parts/dialog.ts";
import { Empty, Problem, Waiting } from "../parts/state.ts";
import { type Column, Table } from "../parts/table.ts";
import { Time } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { get, remove } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { Head, type Page } from "../shell/page.ts";

/** The number of feeds that a key may have. */
const most = 50;

type Open = { dialog: "new" } | { dialog: "address" | "remove"; feed: Feed };

function Feeds(): VNode {
  const live = useLive(signal => get<{ data: Feed[] }>("/feeds", { signal }), []);
  const open = useSignal<Open | undefined>(undefined);
  const feeds = live.data?.data;
  const make = () => {
    open.value = { dialog: "new" };
  };
  const close = () => {
    open.value = undefined;
  };
  const made = async (feed: Feed) => {
    open.value = { dialog: "address", feed };
    await live.renew();
  };
  const removed = async ({ id, name }: Feed) => {
    await remove(`/feeds/${id}`);
    toast(`${name ?? "The feed"} is removed.`);
    await live.renew();
  };
  return html`<${Head} title="Feeds" lead="This key's events in any feed reader.">
      ${feeds && feeds.length > 0 && feeds.length < most && html`<button type="button" class="is-main" onClick=${make}>Make a feed</button>`}
    <//>
    <${Problem} error=${live.error} />
    ${!feeds && !live.error && html`<${Waiting} lines=${4} />`}
    ${feeds?.length === 0 && html`<${None} onMake=${make} />`}
    ${
      feeds &&
      feeds.length > 0 &&
      html`<${Table} caption="Feeds" rows=${feeds} id=${(feed: Feed) => feed.id} columns=${columnsOf(next => {
        open.value = next;
      })} />`
    }
    ${open.value && html`<${Opened} open=${open.value} onMade=${made} onRemoved=${removed} onClose=${close} />`}`;
}

function columnsOf(open: (next: Open) => void): Column<Feed>[] {
  return [
    { title: "Feed", isMain: true, isWide: true, cell: named },
    { title: "Events", cell: wantedWords },
    { title: "Created", cell: ({ created_at }) => html`<${Time} at=${created_at} />` },
    {
      title: "Actions",
      isActions: true,
      cell: feed => html`<button type="button" class="is-small" aria-label="Address of ${named(feed)}" onClick=${() => open({ dialog: "address", feed })}>Address</button>
        <button type="button" class="is-small" aria-label="Remove ${named(feed)}" onClick=${() => open({ dialog: "remove", feed })}>Remove</button>`,
    },
  ];
}

function named({ name }: Feed): string {
  return name ?? "Unnamed";
}

interface OpenedProps {
  open: Open;
  onMade: (feed: Feed) => Promise<void>;
  onRemoved: (feed: Feed) => Promise<void>;
  onClose: () => void;
}

function Opened({ open, onMade, onRemoved, onClose }: OpenedProps): VNode {
  if (open.dialog === "new") return html`<${NewFeed} onMade=${onMade} onClose=${onClose} />`;
  const { feed } = open;
  if (open.dialog === "address") return html`<${FeedAddress} feed=${feed} onClose=${onClose} />`;
  return html`<${Confirm} title="Remove ${named(feed)}?" action="Remove" onConfirm=${() => onRemoved(feed)} onClose=${onClose}>
    <p>Its address stops working, and feed readers that use it show an error. The events stay.</p><//>`;
}

function None({ onMake }: { onMake: () => void }): VNode {
  return html`<${Empty} title="No feed yet">
    <p>A feed brings the events of this key to any feed reader, for example on your phone: all of them, or those of
      some tags, sources and types. Its address needs no key.</p>
    <button type="button" class="is-main" onClick=${onMake}>Make a feed</button>
  <//>`;
}

export const feedsPage: Page = {
  path: "/feeds",
  title: "Feeds",
  section: "deliver",
  roles: ["admin", "owner", "key"],
  asKey: ["admin", "owner"],
  view: Feeds,
};
