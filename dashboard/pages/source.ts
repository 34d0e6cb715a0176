/* One source: what it says now, what is watched of it, what has changed, and why a watch fired or did not. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { SourceDetail } from "../../services/contracts/history.contract.ts";
import type { SourceKind } from "../../services/contracts/source.ts";
import type { WatchedSource } from "../../services/contracts/watch.contract.ts";
import { html } from "../html.ts";
import { outside } from "../parts/markdown.ts";
import { Empty, Problem, Waiting } from "../parts/state.ts";
import { type Tab, Tabs } from "../parts/tabs.ts";
import { toast } from "../parts/toast.ts";
import { link, navigate, query, setQuery } from "../shell/address.ts";
import { get, patch } from "../shell/client.ts";
import { type Live, useLive } from "../shell/live.ts";
import { Head, type Page } from "../shell/page.ts";
import { hasKey } from "../shell/session.ts";
import { SitePages } from "../site/site-pages.ts";
import { CheckRuns } from "../source/check-runs.ts";
import { Latest } from "../source/latest.ts";
import { MutedLines } from "../source/muted-lines.ts";
import { Passages } from "../source/passages.ts";
import { SearchBox } from "../source/search-box.ts";
import { SourceFacts } from "../source/source-facts.ts";
import { SourceOfAll } from "../source/source-of-all.ts";
import { Values } from "../source/values.ts";
import { Versions } from "../source/versions.ts";
import { kindOf } from "../sources/kinds.ts";
import { checkNow, LeaveSource } from "../sources/leave-source.ts";
import { ChangeWatch, type Proposed } from "../watch/change-watch.ts";

type Loaded = Live<{ data: SourceDetail }>;

function SourcePage({ id }: { id: string }): VNode {
  return hasKey.value ? html`<${SourceOfKey} id=${id} />` : html`<${SourceOfAll} id=${id} />`;
}

function SourceOfKey({ id }: { id: string }): VNode {
  const live: Loaded = useLive(
    signal => get<{ data: SourceDetail }>(`/sources/${encodeURIComponent(id)}`, { signal }),
    [id],
  );
  const source = live.data?.data;
  const proposed = useSignal<Proposed | undefined>(undefined);
  const propose = (change: Proposed | undefined) => {
    proposed.value = change;
  };
  if (!source && live.error?.status === 404) return html`<${Missing} />`;
  return html`<${Head} title=${source ? html`<span class="breaks">${source.name}</span>` : "Source"} lead=${source ? html`<${Address} source=${source} />` : html`<a href=${link("/sources")}>All sources</a>`}>
      ${source && html`<${Actions} source=${source} renew=${live.renew} onPropose=${propose} />`}
    <//>
    <${Problem} error=${live.error} />
    ${!source && !live.error && html`<${Waiting} lines=${8} />`}
    ${source && html`<${Shown} source=${source} renew=${live.renew} onPropose=${propose} />`}
    ${
      source &&
      proposed.value &&
      html`<${ChangeWatch} source=${source} proposed=${proposed.value} onChanged=${moved} onClose=${() => propose(undefined)} />`
    }`;
}

function Missing(): VNode {
  return html`<${Head} title="This key does not track it" lead=${html`<a href=${link("/sources")}>All sources</a>`} />
    <${Empty} title="There is no such source"><p>It was removed, its options were changed, which gives it another address, or another key tracks it.</p>
      <a class="button" href=${link("/sources")}>See the sources</a><//>`;
}

function Address({ source: { externalId, username } }: { source: SourceDetail }): VNode {
  const url = outside(externalId);
  return html`<a href=${link("/sources")}>All sources</a> · ${
    url === undefined
      ? html`<span class="breaks">${username || externalId}</span>`
      : html`<a class="breaks" href=${url} target="_blank" rel="noopener noreferrer">${url}</a>`
  }`;
}

interface SourceProps {
  source: SourceDetail;
  renew: () => Promise<void>;
}

/** Accounts and channels are read together, so that none of them is paused alone. */
const pausable: ReadonlySet<SourceKind> = new Set(["web", "rss", "site", "search"]);

function Actions({ source, renew, onPropose }: SourceProps & Pick<ShownProps, "onPropose">): VNode {
  const isLeaving = useSignal(false);
  const leave = (is: boolean) => () => {
    isLeaving.value = is;
  };
  const kind = kindOf(source);
  const canPause = pausable.has(kind);
  const isPaused = source.options?.paused === true;
  const toggle = () => changeOptions(source, { paused: isPaused ? null : true }).catch(toast.failed);
  return html`
    ${!isPaused && html`<button type="button" onClick=${() => checkNow(source, renew)}>Check now</button>`}
    ${canPause && html`<button type="button" class=${isPaused ? "is-main" : ""} onClick=${toggle}>${isPaused ? "Continue" : "Pause"}</button>`}
    <button type="button" onClick=${() => onPropose({})}>Change options…</button>
    <button type="button" class="is-dangerous" onClick=${leave(true)}>Stop tracking…</button>
    ${isLeaving.value && html`<${LeaveSource} source=${source} onLeft=${() => navigate("/sources")} onClose=${leave(false)} />`}`;
}

/** Changes the watch. Other options are another source with its own address, to which this page goes. */
async function changeOptions(source: SourceDetail, options: Record<string, unknown>): Promise<void> {
  const { data, message } = await patch<{ data: WatchedSource; message: string }>(
    `/track/${kindOf(source)}`,
    {
      iid: source.id,
      options,
    },
  );
  toast(message);
  await moved(data);
}

async function moved({ id }: Pick<WatchedSource, "id">): Promise<void> {
  navigate(`/sources/${id}`, { view: query("view") });
}

/** What the address has of one tab alone. */
const emptied = { cursor: null, outcome: null, page: null, state: null, since: null, to: null, from: null };

interface ShownProps extends SourceProps {
  /** Opens the options with these changes filled in. */
  onPropose: (change: Proposed) => void;
}

function Shown({ source, renew, onPropose }: ShownProps): VNode {
  const { id, values } = source;
  const change = (options: Record<string, unknown>) => changeOptions(source, options);
  const isSite = kindOf(source) === "site";
  const tabs: Tab[] = [
    isSite
      ? { name: "pages", title: "Pages", view: () => html`<${SitePages} source=${source} />` }
      : {
          name: "now",
          title: "Now",
          view: () => html`<${Latest} source=${source} onPropose=${onPropose} />`,
        },
    {
      name: "changes",
      title: "Changes",
      view: () => html`<${Versions} source=${source} onErased=${renew} />`,
    },
    ...(Object.keys(values).length > 0
      ? [{ name: "values", title: "Values", view: () => html`<${Values} source=${source} />` }]
      : []),
    ...(source.muted.length > 0
      ? [
          {
            name: "muted",
            title: `Muted lines (${source.muted.length})`,
            view: () => html`<${MutedLines} source=${source} onChange=${change} />`,
          },
        ]
      : []),
    { name: "checks", title: "Checks", view: () => html`<${CheckRuns} id=${id} />` },
    {
      name: "search",
      title: "Search",
      view: () => html`<${SearchBox} label="Words that it has said" /><${Passages} only="source:${id}" />`,
    },
  ];
  return html`<${SourceFacts} source=${source} />
    <div class="part"><${Tabs} label="Source" chosen=${query("view")} tabs=${tabs}
      onChoose=${(view: string) => setQuery({ view, ...emptied })} /></div>`;
}

export const sourcePage: Page = {
  path: "/sources/:id",
  title: "Source",
  roles: ["admin", "owner", "key"],
  asKey: ["owner"],
  view: SourcePage,
};
