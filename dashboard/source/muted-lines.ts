/* The lines that change so often that their changes are muted, and the button that ignores one for good. */
import type { VNode } from "preact";
import type { SourceDetail } from "../../services/contracts/history.contract.ts";
import { html } from "../html.ts";
import { Empty } from "../parts/state.ts";
import { type Column, Table } from "../parts/table.ts";
import { plural, Time } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";

type Muted = SourceDetail["muted"][number];

interface MutedProps {
  source: SourceDetail;
  /** Changes the options of the watch. */
  onChange: (options: Record<string, unknown>) => Promise<void>;
}

export function MutedLines({ source, onChange }: MutedProps): VNode {
  const { muted, options = {} } = source;
  if (muted.length === 0)
    return html`<${Empty} title="No line is muted"><p>A line that changes at nearly every check is muted, so that it makes no event each time.</p><//>`;
  const ignore = async (patterns: string[]) => {
    const all = new Set([...(options.ignore ?? []), ...patterns]);
    await onChange({ ignore: [...all] }).catch(toast.failed);
  };
  const columns: Column<Muted>[] = [
    { title: "Line", isMain: true, isWide: true, cell: ({ text }) => text },
    { title: "Muted since", cell: ({ since }) => html`<${Time} at=${since} />` },
    { title: "Would ignore", cell: line => html`<code class="breaks">${line.ignore}</code>` },
    {
      title: "Actions",
      isActions: true,
      cell: line =>
        html`<button type="button" class="is-small" aria-label="Ignore for good: ${line.text}" onClick=${() => ignore([line.ignore])}>Ignore for good</button>`,
    },
  ];
  return html`<div class="part-head"><p class="soft">These lines change at nearly every check, so their changes make no event until they rest.</p>
      ${muted.length > 1 && html`<button type="button" class="is-small" onClick=${() => ignore(muted.map(line => line.ignore))}>Ignore all ${plural(muted.length, "line")} for good</button>`}</div>
    <${Table} caption="Muted lines" columns=${columns} rows=${muted} id=${(line: Muted) => `${line.since} ${line.text}`} />`;
}
