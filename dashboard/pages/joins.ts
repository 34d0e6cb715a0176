/* Requests to join gated channels. */
import type { VNode } from "preact";
import type { JoinJob } from "../../services/contracts/job-lists.contract.ts";
import { html } from "../html.ts";
import { JobMark, stateChoices } from "../jobs/job-marks.ts";
import { KeyCell } from "../jobs/key-cell.ts";
import { Filters, List, useList } from "../parts/list.ts";
import { Empty } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { Time } from "../parts/time.ts";
import { Head, type Page } from "../shell/page.ts";
import { hasKey } from "../shell/session.ts";
import { kindNames, kindOf } from "../sources/kinds.ts";

function Joins(): VNode {
  const isOwn = hasKey.value;
  const list = useList<JoinJob>(isOwn ? "/track/joins" : "/internal/joins", ["status"]);
  return html`<${Head} title="Join requests" lead="Magpie tracks a private channel as soon as somebody there approves the request." />
    <${Filters} filters=${[{ name: "status", label: "State", options: stateChoices(["waiting", "active", "completed", "failed"]) }]} />
    <${List} list=${list} caption="Requests" columns=${isOwn ? columns : [...columns, { title: "Key", cell: KeyCell }]}
      id=${(row: JoinJob) => row.id} empty=${html`<${Empty} title="No requests yet">
        <p>Magpie makes a request when you add a private channel as a source.</p><//>`} />`;
}

const columns: Column<JoinJob>[] = [
  {
    title: "Channel",
    isMain: true,
    isWide: true,
    cell: job => html`${job.returnvalue?.name ?? job.sid ?? job.id}
      <span class="below faint">${kindNames[kindOf(job)]}</span>`,
  },
  {
    title: "State",
    cell: ({ state, failedReason }) =>
      html`<${JobMark} state=${state} />${failedReason && html`<span class="below soft">${failedReason}</span>`}`,
  },
  {
    title: "Expires",
    cell: ({ state, fails_at }) =>
      state === "waiting"
        ? html`<${Time} at=${fails_at} />`
        : html`<span class="faint">no longer waits</span>`,
  },
  { title: "Ended", cell: ({ ended_at }) => html`<${Time} at=${ended_at} none="not yet" />` },
];

export const joinsPage: Page = {
  path: "/joins",
  title: "Join requests",
  section: "watch",
  roles: ["admin", "owner", "key"],
  asKey: ["owner"],
  view: Joins,
};
