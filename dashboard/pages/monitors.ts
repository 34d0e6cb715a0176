/* The monitors of the acting key: sources that are checked together, by a schedule. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { Monitor } from "../../services/contracts/monitors.contract.ts";
import { html } from "../html.ts";
import { CheckMark, countWords, scheduleWords, targetWords } from "../monitors/monitor-words.ts";
import { NewMonitor } from "../monitors/new-monitor.ts";
import { runMonitor } from "../monitors/run-monitor.ts";
import { List, type LiveList, useList } from "../parts/list.ts";
import { Empty } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { Time } from "../parts/time.ts";
import { link, navigate } from "../shell/address.ts";
import { Head, type Page } from "../shell/page.ts";

function Monitors(): VNode {
  const list = useList<Monitor>("/monitors", []);
  const isMaking = useSignal(false);
  const make = (is: boolean) => () => {
    isMaking.value = is;
  };
  return html`<${Head} title="Monitors" lead="Pages, sites and searches that are checked together, by a schedule.">
      <button type="button" class="is-main" onClick=${make(true)}>Make a monitor</button>
    <//>
    <${List} list=${list} caption="Monitors" columns=${columnsOf(list)} id=${(row: Monitor) => row.id} empty=${html`<${None} onMake=${make(true)} />`} />
    ${
      isMaking.value &&
      html`<${NewMonitor} onMade=${({ id }: Monitor) => navigate(`/monitors/${id}`)} onClose=${make(false)} />`
    }`;
}

function columnsOf(list: LiveList<Monitor>): Column<Monitor>[] {
  return [
    {
      title: "Monitor",
      isMain: true,
      isWide: true,
      cell: monitor =>
        html`<a class="breaks" href=${link(`/monitors/${monitor.id}`)}>${monitor.name}</a><span class="below faint">${targetWords(monitor)}</span>`,
    },
    { title: "When", cell: scheduleWords },
    {
      title: "Next check",
      cell: ({ next_check_at, paused, current_check }) =>
        current_check
          ? html`<${CheckMark} status="running" />`
          : html`<${Time} at=${next_check_at} none=${paused ? "paused" : "none"} />`,
    },
    { title: "Last check", cell: lastCheck },
    {
      title: "Actions",
      isActions: true,
      cell: monitor =>
        html`<button type="button" class="is-small" aria-label="Check now: ${monitor.name}" onClick=${() => runMonitor(monitor, list.renew)}>Check now</button>`,
    },
  ];
}

function lastCheck({ last_check }: Monitor): VNode {
  if (!last_check) return html`<span class="faint">not yet</span>`;
  return html`<${CheckMark} status=${last_check.status} /><span class="below soft">${countWords(last_check.counts)}, <${Time} at=${last_check.ended_at} /></span>`;
}

function None({ onMake }: { onMake: () => void }): VNode {
  return html`<${Empty} title="No monitor yet">
    <p>A monitor checks a list of pages, sites and searches at the times that you name, and says what came of each check.
      A single source needs none: <a href=${link("/sources", { add: "1" })}>add a source</a>.</p>
    <button type="button" class="is-main" onClick=${onMake}>Make a monitor</button>
  <//>`;
}

export const monitorsPage: Page = {
  path: "/monitors",
  title: "Monitors",
  section: "watch",
  roles: ["admin", "owner", "key"],
  asKey: ["admin", "owner"],
  view: Monitors,
};
