/* A screenshot. The API wants the key's header for it, so it is fetched and not linked. */
import { type Signal, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { html } from "../html.ts";
import { sentence } from "../parts/form.ts";
import { Waiting } from "../parts/state.ts";
import { open } from "../shell/client.ts";

/** The address of a picture within this page, and why it could not be loaded; both empty at first. */
export function usePicture(name: string): { url: Signal<string>; problem: Signal<string> } {
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
  return { url, problem };
}

export function Screenshot({ name, of }: { name: string; of: string }): VNode {
  const { url, problem } = usePicture(name);
  if (problem.value) return html`<p class="problem" role="alert">${problem.value}</p>`;
  if (!url.value) return html`<${Waiting} lines=${6} />`;
  return html`<div class="tab-actions"><a class="button" href=${url.value} download="screenshot.png">Save</a></div>
    <img class="screenshot" src=${url.value} alt="Screenshot of ${of || "the page"}" />`;
}
