/* The fields of an endpoint's form that take JSONata, with a trial on an event of the key. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { html } from "../html.ts";
import { Field, sentence } from "../parts/form.ts";
import { post } from "../shell/client.ts";

interface Tried {
  event: { type: string; seq: number };
  passes: boolean;
  filter_problem: string | null;
  body: string | null;
  transform_problem: string | null;
}

interface Props {
  webhook: WebhookState | undefined;
  /** Whether the format has a body that may be another. */
  hasBody: boolean;
}

export function ExpressionFields({ webhook, hasBody }: Props): VNode {
  const result = useSignal("");
  const attempt = async (event: Event) => {
    const form = (event.currentTarget as HTMLElement).closest("form");
    if (!form || !webhook) return;
    const values = new FormData(form);
    const written = (name: string) => String(values.get(name) ?? "").trim() || null;
    try {
      const tried = { filter: written("filter"), transform: hasBody ? written("transform") : null };
      const { data } = await post<{ data: Tried }>(`/webhooks/${webhook.id}/transform/test`, tried);
      result.value = wordsOf(data);
    } catch (error) {
      result.value = sentence(error);
    }
  };
  return html`<${Field} label="Filter" hint=${webhook?.filter_problem ? `It failed last: ${webhook.filter_problem.message}` : "JSONata that is true for the events you want: $.data.post.legacy.favorite_count > 100"}>
      <textarea name="filter" rows="2" maxlength="4000" defaultValue=${webhook?.filter ?? ""} autocomplete="off" spellcheck=${false}></textarea><//>
    ${
      hasBody &&
      html`<${Field} label="Transform" hint=${'JSONata that makes the body of a request: {"text": $news[0].title}. Empty: the event as it is.'}>
      <textarea name="transform" rows="3" maxlength="4000" defaultValue=${webhook?.transform ?? ""} autocomplete="off" spellcheck=${false}></textarea><//>`
    }
    ${
      webhook &&
      html`<div><button type="button" onClick=${attempt}>Try on a real event</button></div>
      ${result.value && html`<pre class="text lines" tabindex="0" aria-live="polite">${result.value}</pre>`}`
    }`;
}

function wordsOf({ event, passes, filter_problem, body, transform_problem }: Tried): string {
  return [
    `Event ${event.seq}, ${event.type}: it would ${passes ? "" : "not "}be delivered.`,
    filter_problem && `The filter fails: ${filter_problem}`,
    transform_problem ? `The transform fails: ${transform_problem}` : body,
  ]
    .filter(Boolean)
    .join("\n");
}
