/* A form with every option of a scrape and a crawl, the result, and the lines of a program that send the request. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { html } from "../html.ts";
import { Form } from "../parts/form.ts";
import { Copy, Problem, Waiting } from "../parts/state.ts";
import { useOptions, type What } from "../playground/load-options.ts";
import type { Group } from "../playground/option-fields.ts";
import { OptionGroups } from "../playground/option-groups.ts";
import { bodyOf } from "../playground/option-values.ts";
import { Outcome, type Run } from "../playground/outcome.ts";
import { ProgramLines } from "../playground/program-lines.ts";
import { refuse, type Started, send } from "../playground/send.ts";
import { useTypedOptions } from "../playground/typed-options.ts";
import { query, setQuery } from "../shell/address.ts";
import { Head, type Page } from "../shell/page.ts";

const whats: [What, string][] = [
  ["scrape", "Scrape a page"],
  ["crawl", "Crawl a site"],
];

function Playground(): VNode {
  const what: What = query("what") === "crawl" ? "crawl" : "scrape";
  const { groups, error } = useOptions(what);
  return html`<${Head} title="Playground" lead="Try a request with every option. The address of this page contains the options, except cookies, headers and actions.">
      <${Copy} text=${location.href} label="Copy the link" />
    <//>
    <fieldset class="ways playground-ways"><legend class="unseen">What to try</legend>
      ${whats.map(
        ([
          value,
          name,
        ]) => html`<label key=${value}><input type="radio" name="what" value=${value} checked=${value === what}
          onChange=${() => setQuery({ what: value === "scrape" ? null : value })} /><span>${name}</span></label>`,
      )}
    </fieldset>
    <${Problem} error=${error} />
    ${!groups && !error && html`<${Waiting} lines=${8} />`}
    ${groups && html`<${Try} key=${what} what=${what} groups=${groups} />`}`;
}

function Try({ what, groups }: { what: What; groups: Group[] }): VNode {
  const fields = useMemo(() => groups.flatMap(group => group.fields), [groups]);
  const typed = useTypedOptions(fields);
  const run = useSignal<Run>({ state: "none" });
  const stop = useSignal<AbortController | undefined>(undefined);
  useEffect(() => () => stop.peek()?.abort(), []);
  const { body, mistakes } = bodyOf(fields, typed.values);
  const started: Started = { what, body };
  const submit = async () => {
    if (mistakes.length > 0) throw refuse(mistakes);
    stop.value = new AbortController();
    run.value = { state: "running" };
    try {
      run.value = await send(started, stop.value.signal);
    } catch (error) {
      run.value = { state: "none" };
      if (!stop.value.signal.aborted) throw error;
    } finally {
      stop.value = undefined;
    }
  };
  return html`<div class="playground">
    <div class="panel playground-form">
      <${Form} action=${what === "scrape" ? "Scrape" : "Crawl"} onSubmit=${submit}
        ...${stop.value ? { onCancel: () => stop.value?.abort() } : {}}>
        <${OptionGroups} groups=${groups} values=${typed.values} onChange=${typed.change} />
      <//>
    </div>
    <div class="playground-result">
      <${Outcome} run=${run.value} what=${what} />
      <${ProgramLines} post=${{ url: `${location.origin}/web/${what}`, body: withUrl(body), timeoutMs: timeoutOf(body) }} />
    </div>
  </div>`;
}

/** An empty form stands for a request that would be refused: its lines read an example. */
function withUrl(body: Record<string, unknown>): Record<string, unknown> {
  return "url" in body ? body : { url: "https://example.com/", ...body };
}

/** How long a program should wait: the service answers within the request's `timeout` and a little more. */
function timeoutOf({ timeout }: Record<string, unknown>): number {
  return (typeof timeout === "number" ? timeout : 30_000) + 15_000;
}

export const playgroundPage: Page = {
  path: "/playground",
  title: "Playground",
  section: "read",
  roles: ["admin", "owner", "key"],
  asKey: ["admin", "owner"],
  view: Playground,
};
