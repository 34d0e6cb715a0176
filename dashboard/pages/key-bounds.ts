/* The scopes of a key and its end, as fields of a form and in words. */
import type { VNode } from "preact";
import type { KeyScope } from "../../services/contracts/key-scopes.ts";
import { html } from "../html.ts";
import { Field } from "../parts/form.ts";
import { localTime } from "../webhook/replay.ts";

export interface Bounds {
  /** Null for everything. */
  scopes: KeyScope[] | null;
  /** Null for never. */
  expires_at: string | null;
}

export const scopeNames: Record<KeyScope, string> = {
  scrape: "Scrape",
  crawl: "Crawl",
  track: "Track",
  webhooks: "Webhooks",
  read: "Read",
};
const scopes = Object.keys(scopeNames) as KeyScope[];

export function BoundFields({ of }: { of?: Bounds }): VNode {
  const end = of?.expires_at ? localTime(new Date(of.expires_at)) : "";
  return html`<fieldset class="option-choices"><legend>What it may do</legend><div class="option-chips is-words">
      ${scopes.map(
        name =>
          html`<label key=${name}><input type="checkbox" name="scopes.${name}" defaultChecked=${of?.scopes?.includes(name) ?? false} /><span>${scopeNames[name]}</span></label>`,
      )}
    </div><p class="hint">None chosen: everything. <strong>Read</strong> is for what Magpie keeps: events, results, deliveries.</p></fieldset>
    <${Field} label="Ends" hint="Empty: never. Its sources and webhooks go on."><input name="expires_at" type="datetime-local" step="1" defaultValue=${end} /><//>`;
}

/** Separates scopes and end from the values of the other fields. An end that nobody changed is left out. */
export function takeBounds(
  values: Record<string, string>,
  before?: Bounds,
): { bounds: Partial<Bounds>; others: Record<string, string> } {
  const { expires_at: end = "", ...rest } = values;
  const chosen = scopes.filter(name => `scopes.${name}` in rest);
  const others = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith("scopes.")));
  const wasEnd = before?.expires_at ? localTime(new Date(before.expires_at)) : "";
  const bounds: Partial<Bounds> = { scopes: chosen.length === 0 ? null : chosen };
  if (end !== wasEnd) bounds.expires_at = end === "" ? null : new Date(end).toISOString();
  return { bounds, others };
}

/** Names what a key may do in few words. */
export function scopeWords({ scopes: chosen }: Pick<Bounds, "scopes">): string {
  return chosen === null ? "everything" : chosen.map(name => scopeNames[name]).join(", ");
}
