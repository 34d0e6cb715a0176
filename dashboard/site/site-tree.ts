/*
 * The pages of a site by the parts of their addresses. A level is asked for when it is opened, so that a site of 50,000 pages
 * is as quick as a small one.
 *
 *   html`<${SiteTree} path="/sources/5b0c…" since="" begun=${source.tracked_at} />`     `since`: only what has changed since then
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { SiteBranch, WatchedPage } from "../../services/contracts/site-pages.contract.ts";
import { html } from "../html.ts";
import { Empty, Problem, Waiting } from "../parts/state.ts";
import { plural, Time } from "../parts/time.ts";
import { path as here, link } from "../shell/address.ts";
import { get } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { PageMark } from "./page-state.ts";

interface LevelProps {
  path: string;
  since: string;
  begun: string;
  prefix?: string;
}

interface Level {
  data: SiteBranch[];
  truncated: boolean;
}

const renewMs = 15_000;
/** Parts of one level that are shown; the list of pages has all. */
const mostShown = 500;

export function SiteTree({ path, since, begun, prefix = "" }: LevelProps): VNode {
  const live = useLive(
    signal => get<Level>(`${path}/tree`, { query: { prefix, changed_since: since }, signal }),
    [path, prefix, since],
    { renewMs, isKept: true },
  );
  const branches = live.data?.data;
  if (!branches)
    return live.error ? html`<${Problem} error=${live.error} />` : html`<${Waiting} lines=${3} />`;
  if (branches.length === 0)
    return prefix === ""
      ? html`<${None} since=${since} />`
      : html`<p class="tree-none soft">No page is watched here.</p>`;
  const shown = branches.slice(0, mostShown);
  return html`<${Problem} error=${live.error} /><ul class="tree">${shown.map(
    each =>
      html`<${Branch} key=${each.prefix} branch=${each} path=${path} since=${since} begun=${begun} isOpen=${branches.length === 1} />`,
  )}</ul>
    ${branches.length > mostShown && html`<p class="tree-none soft">There are ${plural(branches.length - mostShown, "more part")}. The list below has all pages.</p>`}
    ${live.data?.truncated && html`<p class="tree-none soft">There is more below it than was counted.</p>`}`;
}

function None({ since }: { since: string }): VNode {
  if (since !== "") return html`<${Empty} title="Nothing has changed in this time" />`;
  return html`<${Empty} title="No page is known yet"><p>Its sitemaps and its entry page are being read.</p><//>`;
}

interface BranchProps extends Omit<LevelProps, "prefix"> {
  branch: SiteBranch;
  /** Whether its level is open from the beginning. */
  isOpen: boolean;
}

function Branch({ branch, path, since, begun, isOpen }: BranchProps): VNode {
  const { name, prefix, page, changed_at } = branch;
  const opened = useSignal(isOpen);
  const hasMore = below(branch) > 0;
  const toggle = () => {
    opened.value = !opened.value;
  };
  return html`<li>
    <div class="tree-row">
      <span class="tree-name">
        ${
          hasMore
            ? html`<button type="button" class="tree-toggle" aria-expanded=${opened.value} onClick=${toggle}><span class="breaks">${nameOf(name)}</span></button>`
            : html`<span class="tree-leaf"></span>`
        }
        ${page && html`<${PageLink} page=${page} words=${hasMore ? page.title || "its own page" : page.title || nameOf(name)} />`}
        ${page && !hasMore && html`<span class="tree-part faint breaks">${nameOf(name)}</span>`}
      </span>
      <span class="tree-state">${page && isTold(page) && html`<${PageMark} page=${page} begun=${begun} />`}
        ${hasMore && html`<span class="faint number">${counted(branch)}</span>`}</span>
      <span class="tree-when soft">${changed_at && html`<${Time} at=${changed_at} />`}</span>
    </div>
    ${hasMore && opened.value && html`<${SiteTree} path=${path} prefix=${prefix} since=${since} begun=${begun} />`}
  </li>`;
}

function isTold({ state, changed_at }: WatchedPage): boolean {
  return state !== "there" || changed_at !== null;
}

/** Pages below a part of the address, without the page at it. */
function below({ pages, gone, page }: SiteBranch): number {
  return pages + gone - (page && page.state !== "refused" ? 1 : 0);
}

function counted({ pages, gone }: SiteBranch): string {
  return [plural(pages, "page"), gone > 0 ? `${gone} gone` : ""].filter(Boolean).join(", ");
}

/** Parts of addresses are read by people. */
function nameOf(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function PageLink({ page, words }: { page: WatchedPage; words: string }): VNode {
  return html`<a class="tree-page breaks" href=${link(here.value, { view: "pages", page: page.url })}>${words}</a>`;
}
