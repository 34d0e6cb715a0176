/* What a version says, as Markdown. */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Markdown } from "../parts/markdown.ts";
import { Problem, Waiting } from "../parts/state.ts";
import { get } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";

interface Read {
  data: { markdown?: string; text?: string };
}

/** A version does not change. */
const renewMs = 3_600_000;

export function VersionText({ path, version }: { path: string; version: string }): VNode {
  const live = useLive(signal => get<Read>(`${path}/versions/${version}`, { signal }), [path, version], {
    renewMs,
    isKept: true,
  });
  const { markdown, text = "" } = live.data?.data ?? {};
  return html`<${Problem} error=${live.error} />
    ${!live.data && !live.error && html`<${Waiting} lines=${6} />`}
    ${live.data && html`<div class="version-text" tabindex="0" role="region" aria-label="Text of the version"><${Markdown} text=${markdown || text || "*It has no text.*"} /></div>`}`;
}
