/* One monitor: when it is checked, what its checks have found, and the pages of one of them. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { Monitor, MonitorCheck, MonitoredKind } from "../../services/contracts/monitors.contract.ts";
import { html } from "../html.ts";
import { CheckPages } from "../monitors/check-pages.ts";
import { CheckMark, countWords, scheduleWords } from "../monitors/monitor-words.ts";
import { runMonitor } from "../monitors/run-monitor.ts";
import { Confirm } from "../parts/dialog.ts";
import { List, useList } from "../parts/list.ts";
import { Empty, Problem, Waiting } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { count, duration, plural, Time } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { link, navigate, query, setQuery } from "../shell/address.ts";
import { get, patch, remove } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { Head, type Page } from "../shell/page.ts";
import { Countdown } from "../source/countdown.ts";

function MonitorPage({ id }: { id: string }): VNode {
  const path = `/monitors/${encodeURIComponent(id)}`;
  const live = useLive(signal => get<{ data: Monitor }>(path, { signal }), [path]);
  const monitor = live.data?.data;
  return html`<${Head} title=${monitor ? html`<span class="breaks">${monitor.name}</span>` : "Monitor"} lead=${html`<a href=${link("/monitors")}>All monitors</a>`}>
      ${monitor && html`<${Actions} monitor=${monitor} path=${path} renew=${live.renew} />`}
    <//>
    <${Problem} error=${live.error} />
    ${!monitor && !live.error && html`<${Waiting} lines=${6} />`}
    ${monitor && html`<${Facts} monitor=${monitor} />${query("check") ? html`<${CheckPages} path=${path} monitor=${monitor} />` : html`<${Checks} path=${path} />`}`}`;
}

const targetNames: Record<MonitoredKind, string> = { web: "Pages", site: "Sites", search: "Searches" };

interface ActionsProps {
  monitor: Monitor;
  path: string;
  renew: () => Promise<void>;
}

function Actions({ monitor, path, renew }: ActionsProps): VNode {
  const isLeaving = useSignal(false);
  const leave = (is: boolean) => () => {
    isLeaving.value = is;
  };
  const toggle = async () => {
    const { message } = await patch<{ message: string }>(path, { paused: !monitor.paused });
    toast(message);
    await renew();
  };
  const end = async () => {
    await remove(path);
    toast(`${monitor.name} is deleted.`);
    navigate("/monitors");
  };
  return html`<button type="button" onClick=${() => runMonitor(monitor, renew)}>Check now</button>
    <button type="button" class=${monitor.paused ? "is-main" : ""} onClick=${() => toggle().catch(toast.failed)}>${monitor.paused ? "Continue" : "Pause"}</button>
    <button type="button" class="is-dangerous" onClick=${leave(true)}>Delete…</button>
    ${
      isLeaving.value &&
      html`<${Confirm} title="Delete ${monitor.name}?" action="Delete" onConfirm=${end} onClose=${leave(false)}>
        <p>Its checks and its sources go with it. Its earlier events stay.</p><//>`
    }`;
}

function Facts({ monitor }: { monitor: Monitor }): VNode {
  const { targets, goal, judge, sources, retention_days, tag } = monitor;
  return html`<section class="panel" aria-label="What it checks"><dl class="facts">
      <div><dt>When</dt><dd>${scheduleWords(monitor)}</dd></div>
      <div><dt>Next check</dt><dd><${NextCheck} monitor=${monitor} /></dd></div>
      <div><dt>Sources</dt><dd class="number">${count(sources)}</dd></div>
      <div><dt>Kept for</dt><dd>${plural(retention_days, "day")}</dd></div>
      ${goal && html`<div class="is-wide"><dt>Goal</dt><dd class="breaks">${goal}${!judge && html` <span class="faint">not judged at present</span>`}</dd></div>`}
      ${targets.map(
        ({ id, source, sids }) =>
          html`<div key=${id} class="is-wide"><dt>${targetNames[source]}</dt><dd class="breaks">${sids.slice(0, 10).join(", ")}${sids.length > 10 && ` and ${count(sids.length - 10)} more`}</dd></div>`,
      )}
      <div class="is-wide"><dt>Its events</dt><dd><a href=${link("/sources", { tag })}>Sources tagged <code class="breaks">${tag}</code></a></dd></div>
    </dl></section>`;
}

function NextCheck({ monitor: { paused, current_check, next_check_at } }: { monitor: Monitor }): VNode {
  if (current_check !== null) return html`<${CheckMark} status="running" />`;
  if (paused) return html`<strong>Paused</strong>`;
  return next_check_at === null
    ? html`<span class="faint">none</span>`
    : html`<${Countdown} to=${next_check_at} />`;
}

function Checks({ path }: { path: string }): VNode {
  const list = useList<MonitorCheck>(`${path}/checks`, []);
  return html`<section class="part" aria-labelledby="checks"><div class="part-head"><h2 id="checks">Checks</h2></div>
    <${List} list=${list} caption="Checks" columns=${columns} id=${(row: MonitorCheck) => row.id}
      empty=${html`<${Empty} title="No check yet"><p>The first check learns what is there. From the second one on, changes are told.</p><//>`} />
  </section>`;
}

const columns: Column<MonitorCheck>[] = [
  {
    title: "Check",
    isMain: true,
    cell: ({ id, started_at }) =>
      html`<button type="button" class="link" onClick=${() => setQuery({ check: id, cursor: null }, { keep: true })}><${Time} at=${started_at} /></button>`,
  },
  { title: "State", cell: ({ status }) => html`<${CheckMark} status=${status} />` },
  {
    title: "Found",
    isWide: true,
    cell: ({ counts, error }) =>
      html`${countWords(counts)}${error && html`<span class="below soft">${error}</span>`}`,
  },
  { title: "Pages", isNumber: true, cell: ({ counts }) => count(counts.pages) },
  { title: "Begun", cell: ({ trigger }) => (trigger === "manual" ? "by hand" : "by schedule") },
  {
    title: "Took",
    isNumber: true,
    cell: ({ started_at, ended_at }) =>
      ended_at ? duration((Date.parse(ended_at) - Date.parse(started_at)) / 1000) : "",
  },
];

export const monitorPage: Page = {
  path: "/monitors/:id",
  title: "Monitor",
  roles: ["admin", "owner", "key"],
  asKey: ["admin", "owner"],
  view: MonitorPage,
};
