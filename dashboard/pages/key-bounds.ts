/* The scopes of a key, its end and what it wants content for, as fields of a form and in words. */
import type { VNode } from "preact";
import type { Use } from "../../services/contracts/content-uses.ts";
import type { KeyScope } from "../../services/contracts/key-scopes.ts";
import { html } from "../html.ts";
import { Field } from "../parts/form.ts";
import { localTime } from "../webhook/replay.ts";

export interface Bounds {
  /** Null for everything. */
  scopes: KeyScope[] | null;
  /** Null for never. */
  expires_at: string | null;
  /** Null where it does not say. */
  content_uses: Use[] | null;
}

export const scopeNames: Record<KeyScope, string> = {
  scrape: "Scrape",
  crawl: "Crawl",
  track: "Track",
  webhooks: "Webhooks",
  read: "Read",
};
const scopes = Object.keys(scopeNames) as KeyScope[];

const useNames: Record<Use, string> = {
  train_ai: "Train AI",
  ai_input: "Input of AI",
  search: "Search",
  tdm: "Text and data mining",
};
const uses = Object.keys(useNames) as Use[];

export function BoundFields({ of }: { of?: Bounds }): VNode {
  const end = of?.expires_at ? localTime(new Date(of.expires_at)) : "";
  return html`<fieldset class="option-choices"><legend>What it may do</legend><div class="option-chips is-words">
      ${scopes.map(
        name =>
          html`<label key=${name}><input type="checkbox" name="scopes.${name}" defaultChecked=${of?.scopes?.includes(name) ?? false} /><span>${scopeNames[name]}</span></label>`,
      )}
    </div><p class="hint">None chosen: everything. <strong>Read</strong> is for what Magpie keeps: events, results, deliveries.</p></fieldset>
    <${Field} label="Ends" hint="Empty: never. Its sources and webhooks go on."><input name="expires_at" type="datetime-local" step="1" defaultValue=${end} /><//>
    <fieldset class="option-choices"><legend>What it wants content for</legend><div class="option-chips is-words">
      ${uses.map(
        name =>
          html`<label key=${name}><input type="checkbox" name="content_uses.${name}" defaultChecked=${of?.content_uses?.includes(name) ?? false} /><span>${useNames[name]}</span></label>`,
      )}
    </div><p class="hint">Pages whose site refuses one of these uses are not read. None chosen: what sites say is only reported.</p></fieldset>`;
}

/** Separates what bounds a key from the values of the other fields. An end that nobody changed is left out. */
export function takeBounds(
  values: Record<string, string>,
  before?: Bounds,
): { bounds: Partial<Bounds>; others: Record<string, string> } {
  const { expires_at: end = "", ...rest } = values;
  const chosen = scopes.filter(name => `scopes.${name}` in rest);
  const wanted = uses.filter(name => `content_uses.${name}` in rest);
  const isBound = (name: string) => name.startsWith("scopes.") || name.startsWith("content_uses.");
  const others = Object.fromEntries(Object.entries(rest).filter(([name]) => !isBound(name)));
  const wasEnd = before?.expires_at ? localTime(new Date(before.expires_at)) : "";
  const bounds: Partial<Bounds> = {
    scopes: chosen.length === 0 ? null : chosen,
    content_uses: wanted.length === 0 ? null : wanted,
  };
  if (end !== wasEnd) bounds.expires_at = end === "" ? null : new Date(end).toISOString();
  return { bounds, others };
}

/** Names what a key may do in few words. */
export function scopeWords({ scopes: chosen }: Pick<Bounds, "scopes">): string {
  return chosen === null ? "everything" : chosen.map(name => scopeNames[name]).join(", ");
}
