/* The dialog that makes a monitor: what is checked, when, and for what. */
import type { VNode } from "preact";
import type { Monitor } from "../../services/contracts/monitors.contract.ts";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Field, Form } from "../parts/form.ts";
import { toast } from "../parts/toast.ts";
import { post } from "../shell/client.ts";
import { sidOf } from "../sources/guess-kind.ts";

interface NewProps {
  onMade: (monitor: Monitor) => Promise<void> | void;
  onClose: () => void;
}

type Kind = Monitor["targets"][number]["source"];

export function NewMonitor({ onMade, onClose }: NewProps): VNode {
  const make = async (values: Record<string, string>) => {
    const { data, message } = await post<{ data: Monitor; message: string }>("/monitors", bodyOf(values));
    toast(message);
    await onMade(data);
  };
  return html`<${Dialog} title="Make a monitor" isWide onClose=${onClose}>
    <${Form} action="Make the monitor" onSubmit=${make} onCancel=${onClose}>
      <${Field} label="Name"><input name="name" autofocus required maxlength="256" autocomplete="off" /><//>
      <${Field} label="What it checks"><select name="kind">
        <option value="web">Pages</option><option value="site">Whole sites</option><option value="search">Searches</option>
      </select><//>
      <${Field} label="Addresses, or words of searches" hint="One a line.">
        <textarea name="targets" rows="4" required autocapitalize="none" spellcheck=${false}></textarea><//>
      <div class="aim-row">
        <${Field} label="When" hint="For example: every 30 minutes, daily at 9:00, every monday at 5:30 pm. Or a cron expression.">
          <input name="schedule" required maxlength="200" defaultValue="daily at 9:00" autocomplete="off" /><//>
        <${Field} label="Time zone"><input name="schedule.time_zone" maxlength="64" autocomplete="off"
          defaultValue=${Intl.DateTimeFormat().resolvedOptions().timeZone} /><//>
      </div>
      <${Field} label="What you want to know" hint="In words. A language model judges each change by it. Empty: every change counts.">
        <textarea name="goal" rows="2" maxlength="2000"></textarea><//>
    <//>
  <//>`;
}

/** Makes the request of the form. Five fields without words are a cron expression. */
function bodyOf({
  name = "",
  kind = "web",
  targets = "",
  schedule = "",
  goal = "",
  ...more
}: Record<string, string>) {
  const source = kind as Kind;
  const sids = targets
    .split("\n")
    .map(line => sidOf(line, source))
    .filter(Boolean);
  const when = schedule.trim();
  const isCron = /^[\d*]\S*(\s+\S+){4}$/.test(when);
  const time_zone = more["schedule.time_zone"]?.trim();
  return {
    name: name.trim(),
    targets: [{ source, sids }],
    schedule: { ...(isCron ? { cron: when } : { text: when }), ...(time_zone && { time_zone }) },
    ...(goal.trim() && { goal: goal.trim() }),
  };
}
