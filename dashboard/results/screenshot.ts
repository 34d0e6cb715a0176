/* A screenshot. The API wants the key's header for it, so it is fetched and not linked. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { html } from "../html.ts";
import { sentence } from "../parts/form.ts";
import { Waiting } from "../parts/state.ts";
import { open } from "../shell/client.ts";

export function Screenshot({ name, of }: { name: string; of: string }): VNode {
  const url = useSignal("");
  const problem = useSignal("");
  useEffect(() => {
    const end = new AbortController();
    const load = async () => {
      try {
        const signal = AbortSignal.any([end.signal, AbortSignal.timeout(30_000)]);
        const response = await open("GET", `/web/screenshot/${encodeURIComponent(name)}`, { signal });
        url.value = URL.createObjectURL(await response.blob());
      } catch (error) {
        if (!end.signal.aborted) problem.value = sentence(error);
      }
    };
    void load();
    return () => {
      end.abort();
      if (url.peek()) URL.revokeObjectURL(url.peek());
    };
  }, [name]);
  if (problem.value) return html`<p class="problem" role="alert">${problem.value}</p>`;
  if (!url.value) return html`<${Waiting} lines=${6} />`;
  return html`<div class="tab-actions"><a class="button" href=${url.value} download="screenshot.png">Save</a></div>
    <img class="screenshot" src=${url.value} alt="Screenshot of ${of || "the page"}" />`;
}
