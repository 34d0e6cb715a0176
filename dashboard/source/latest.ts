/* What a source says now: the latest version that is kept. */
import type { VNode } from "preact";
import type { SourceDetail, Version } from "../../services/contracts/history.contract.ts";
import type { SourceKind } from "../../services/contracts/source.ts";
import { html } from "../html.ts";
import type { Page } from "../parts/list.ts";
import { Empty, Problem, Waiting } from "../parts/state.ts";
import { Time } from "../parts/time.ts";
import { link } from "../shell/address.ts";
import { get } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { kindOf } from "../sources/kinds.ts";
import type { Proposed } from "../watch/change-watch.ts";
import { PagePicture } from "./page-picture.ts";
import { VersionText } from "./version-text.ts";

/** Entries of a feed that are listed. */
const entries = 20;

interface LatestProps {
  source: SourceDetail;
  onPropose: (change: Proposed) => void;
}

export function Latest({ source, onPropose }: LatestProps): VNode {
  const path = `/sources/${encodeURIComponent(source.id)}`;
  const kind = kindOf(source);
  const isPage = kind === "web";
  const live = useLive(
    signal =>
      get<Page<Version>>(`${path}/versions`, {
        query: isPage ? { limit: 1, all: true } : { limit: entries },
        signal,
      }),
    [path, source.polled_at],
    { isKept: true, renewMs: 30_000 },
  );
  const rows = latestOfEach(live.data?.data ?? []);
  return html`<${Problem} error=${live.error} />
    ${!live.data && !live.error && html`<${Waiting} lines=${6} />`}
    ${live.data && rows.length === 0 && html`<${None} kind=${kind} id=${source.id} />`}
    ${isPage && rows[0] && html`<p class="soft part-lead">Seen first <${Time} at=${rows[0].at} />.</p><${VersionText} path=${path} version=${rows[0].id} />`}
    ${!isPage && rows.length > 0 && html`<${Entries} id=${source.id} rows=${rows} />`}
    ${isPage && html`<${PagePicture} source=${source} onPropose=${onPropose} />`}`;
}

/** An entry that has changed has several versions. Its latest one comes first. */
function latestOfEach(rows: Version[]): Version[] {
  const items = rows.map(({ item }) => item);
  return rows.filter(({ item }, at) => item === null || items.indexOf(item) === at);
}

function None({ kind, id }: { kind: SourceKind; id: string }): VNode {
  if (kind === "search")
    return html`<${Empty} title="Results are events"><p>Each address that it finds for the first time is one. <a href=${link("/events", { source: id })}>Live events</a> show them.</p><//>`;
  if (kind !== "web" && kind !== "rss")
    return html`<${Empty} title="Posts are events"><p>Of accounts and channels no versions are kept. <a href=${link("/events", { source: id })}>Live events</a> show what they post.</p><//>`;
  return html`<${Empty} title="Nothing is kept yet"><p>What it says is kept from its first check on.</p><//>`;
}

function Entries({ id, rows }: { id: string; rows: Version[] }): VNode {
  return html`<ol class="entries">${rows.map(
    ({ id: version, title, at }) =>
      html`<li key=${version}><a class="breaks" href=${link(`/sources/${id}`, { view: "changes", to: version })}>${title || "Untitled"}</a> <span class="faint"><${Time} at=${at} /></span></li>`,
  )}</ol>`;
}
