/*
 * The versions of a source: a list, the difference of two of them, and what it said at a time. The address has the chosen
 * ones: `to`, `from`, `at`.
 *
 *   html`<${Versions} source=${source} onErased=${renew} />`
 *   html`<${Versions} source=${source} item=${url} />`         of one page of a site
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { LineDiff, SourceDetail, Version } from "../../services/contracts/history.contract.ts";
import { html } from "../html.ts";
import { Confirm } from "../parts/dialog.ts";
import type { Page } from "../parts/list.ts";
import { Empty, Mark, type MarkKind, Problem, Waiting } from "../parts/state.ts";
import { exactTime, plural, Time } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { query, setQuery } from "../shell/address.ts";
import { get, remove } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { kindOf } from "../sources/kinds.ts";
import { DiffView } from "./diff-view.ts";
import { VersionText } from "./version-text.ts";

const atATime = 50;

interface VersionsProps {
  source: SourceDetail;
  /** The versions of this item alone. */
  item?: string;
  /** What is done after its past was erased. Without it the past cannot be erased here. */
  onErased?: () => Promise<void>;
}

export function Versions({ source, item, onErased }: VersionsProps): VNode {
  const path = `/sources/${encodeURIComponent(source.id)}`;
  const shown = useSignal(atATime);
  const all = query("all") !== "";
  const isPage = kindOf(source) === "web" || item !== undefined;
  const live = useLive(
    signal =>
      get<Page<Version>>(`${path}/versions`, {
        query: { limit: shown.value, item, ...(all && { all }) },
        signal,
      }),
    [path, item, shown.value, all],
    { isKept: true },
  );
  const rows = live.data?.data ?? [];
  if (!live.data)
    return live.error ? html`<${Problem} error=${live.error} />` : html`<${Waiting} lines=${6} />`;
  if (rows.length === 0)
    return html`<${Empty} title="No version is kept yet"><p>${source.polled_at && "Each state that differs from the one before is kept from the first check on."}</p><//>`;
  const chosen = query("to") || rows[0]?.id || "";
  return html`<${Problem} error=${live.error} />
    ${isPage && html`<${AtTime} path=${path} item=${item} />`}
    <div class="versions">
      <div class="versions-list">
        ${
          isPage &&
          html`<label class="aim-switch"><input type="checkbox" checked=${all} onChange=${(event: Event) =>
            setQuery({
              all: (event.currentTarget as HTMLInputElement).checked ? "1" : null,
            })} /><span>Also what the watch does not look at</span></label>`
        }
        <ol aria-label="Versions, the latest first">${rows.map(
          version =>
            html`<${Row} key=${version.id} version=${version} isChosen=${version.id === chosen} isOfOne=${item !== undefined} />`,
        )}</ol>
        ${
          live.data.next_cursor &&
          rows.length < 200 &&
          html`<button type="button" class="is-small" onClick=${() => {
            shown.value = Math.min(200, shown.value + atATime);
          }}>Show older ones</button>`
        }
        ${onErased && html`<${Erase} path=${path} onErased=${onErased} />`}
      </div>
      <${Compared} key=${path} path=${path} rows=${rows} to=${chosen} />
    </div>`;
}

const outcomes: Record<Version["outcome"], [MarkKind, string]> = {
  first: ["quiet", "First"],
  changed: ["good", "Event"],
  held: ["warn", "Held back"],
  muted: ["quiet", "Muted"],
  same: ["quiet", "Not watched"],
};

interface RowProps {
  version: Version;
  isChosen: boolean;
  isOfOne: boolean;
}

function Row({ version, isChosen, isOfOne }: RowProps): VNode {
  const { id, at, title, item, outcome, reason, added, removed } = version;
  const [kind, word] = outcomes[outcome];
  return html`<li><button type="button" class="version" aria-current=${isChosen ? "true" : undefined} title=${reason}
    onClick=${() => setQuery({ to: id, from: null, at: null }, { keep: true })}>
    <span class="version-when"><${Time} at=${at} /></span>
    <${Mark} kind=${kind}>${word}<//>
    <span class="version-lines number">${added > 0 && html`<span class="is-added"><span class="unseen">${plural(added, "line")} added</span><span aria-hidden="true">+${added}</span></span>`}
      ${removed > 0 && html`<span class="is-removed"><span class="unseen">${plural(removed, "line")} removed</span><span aria-hidden="true">−${removed}</span></span>`}</span>
    ${item !== null && !isOfOne && html`<span class="version-title breaks">${title}</span>`}
  </button></li>`;
}

/** The difference of two versions; without a first one, from the one before. */
function Compared({ path, rows, to }: { path: string; rows: Version[]; to: string }): VNode {
  const from = query("from");
  const isText = query("show") === "text";
  const version = rows.find(({ id }) => id === to);
  const item = version?.item ?? null;
  const others = rows.filter(each => each.id !== to && each.item === item);
  const diff = useLive(
    signal =>
      isText
        ? Promise.resolve(undefined)
        : get<{ data: LineDiff }>(`${path}/diff`, { query: { from, to }, signal }),
    [path, from, to, isText],
    // The difference that is shown stays until the next one is there.
    { renewMs: 3_600_000, isKept: true },
  );
  const name = (each: Version) =>
    `${exactTime(each.at)}${each.added + each.removed > 0 ? `, ${plural(each.added + each.removed, "line")}` : ""}`;
  return html`<section class="versions-shown" aria-label="The chosen version">
    <div class="versions-head">
      <h3>${version ? exactTime(version.at) : "The chosen version"}</h3>
      <label class="versions-from"><span>Compare with</span>
        <select onChange=${(event: Event) => {
          const { value } = event.currentTarget as HTMLSelectElement;
          setQuery(
            value === "text" ? { show: "text", from: null, to } : { show: null, from: value || null, to },
          );
        }}>
          <option value="" selected=${from === "" && !isText}>the version before</option>
          ${others.map(each => html`<option key=${each.id} value=${each.id} selected=${each.id === from}>${name(each)}</option>`)}
          <option value="text" selected=${isText}>nothing: show its text</option>
        </select></label>
    </div>
    ${version && html`<p class="soft">${version.reason}</p>`}
    ${
      isText
        ? html`<${VersionText} path=${path} version=${to} />`
        : html`<${Problem} error=${diff.error} />
          ${!diff.data && !diff.error && html`<${Waiting} lines=${5} />`}
          ${diff.data && html`<${Difference} diff=${diff.data.data} />`}`
    }
  </section>`;
}

function Difference({ diff }: { diff: LineDiff }): VNode {
  return html`${diff.from === null && html`<p class="soft">It is the first version that is kept; there is none before it.</p>`}
    ${diff.truncated && html`<p class="soft">They differ too much to be compared line by line: one is shown after the other.</p>`}
    <${DiffView} lines=${diff.lines} moved=${diff.moved} />`;
}

/** What the source said at a time that a person asks for. */
function AtTime({ path, item }: { path: string; item: string | undefined }): VNode {
  const asked = query("at");
  const ask = (event: Event) => {
    const { value } = event.currentTarget as HTMLInputElement;
    setQuery({ at: value || null });
  };
  const time = asked === "" ? undefined : new Date(asked);
  const at = time && !Number.isNaN(time.getTime()) ? time.toISOString() : "";
  const found = useLive(
    signal =>
      at === ""
        ? Promise.resolve(undefined)
        : get<Page<Version>>(`${path}/versions`, { query: { at, item }, signal }),
    [path, at, item],
    { renewMs: 3_600_000 },
  );
  const version = found.data?.data[0];
  return html`<section class="at-time" aria-label="At a time">
    <label class="at-time-field"><span>What did it say on</span>
      <input type="datetime-local" value=${asked} onChange=${ask} /></label>
    <div aria-live="polite">
      <${Problem} error=${found.error} />
      ${at !== "" && found.data && !version && html`<p>Nothing is kept of that time: it was not watched yet, or its version is gone.</p>`}
      ${
        version &&
        html`<div class="panel"><div class="versions-head"><h3>${exactTime(at)}</h3>
          <button type="button" class="is-small" onClick=${() => setQuery({ at: null })}>Close</button></div>
          <p class="soft">It said this from ${exactTime(version.at)}${version.until ? ` to ${exactTime(version.until)}` : " on, to this day"}.</p>
          <${VersionText} path=${path} version=${version.id} /></div>`
      }
    </div>
  </section>`;
}

function Erase({ path, onErased }: { path: string; onErased: () => Promise<void> }): VNode {
  const isAsking = useSignal(false);
  const erase = async () => {
    await remove(`${path}/versions`);
    toast("The past of this source is erased.");
    setQuery({ to: null, from: null, at: null });
    await onErased();
  };
  return html`<button type="button" class="link erase" onClick=${() => {
    isAsking.value = true;
  }}>Erase its past…</button>
    ${
      isAsking.value &&
      html`<${Confirm} title="Erase the past of this source?" action="Erase" onConfirm=${erase} onClose=${() => {
        isAsking.value = false;
      }}><p>All versions but the latest one, with their texts and pictures, are erased for this key, for good.</p><//>`
    }`;
}
