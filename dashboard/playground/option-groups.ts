/* The options in groups that open. Those that most requests begin with are always visible. */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { OptionControl, withCode } from "./option-control.ts";
import type { Field, Group } from "./option-fields.ts";
import { presetOf, typedIn, type Value, type Values } from "./option-values.ts";

interface GroupsProps {
  groups: Group[];
  values: Values;
  onChange: (path: string, value: Value) => void;
}

/** The options that most requests begin with. */
const first = new Set(["url", "output.formats", "crawler.limit"]);

const titles: Record<string, string> = {
  "": "This request",
  output: "Formats in detail",
  crawler: "Which pages",
  request: "Request to the page",
  js_render: "Scripts",
  proxy: "Country and proxy",
  webhook: "Webhook for this job",
};

export function OptionGroups({ groups, values, onChange }: GroupsProps): VNode {
  const control = (field: Field) => html`<${OptionControl} key=${field.path} field=${field}
    value=${typedIn(field, values)} onChange=${(value: Value) => onChange(field.path, value)} />`;
  const fields = groups.flatMap(({ fields }) => fields);
  const others = groups.map(group => ({
    ...group,
    fields: group.fields.filter(({ path }) => !first.has(path)),
  }));
  return html`${fields.filter(({ path }) => first.has(path)).map(control)}
    <div class="option-groups">
      ${others
        .filter(({ fields }) => fields.length > 0)
        .map(
          ({ name, description, fields }) => html`<details key=${name} class="option-group">
            <summary><span>${titles[name] ?? name}</span><${Changed} count=${changed(fields, values)} /></summary>
            <div class="option-fields">
              ${description && html`<p class="hint">${name && html`<code>${name}</code> · `}${withCode(description)}</p>`}
              ${fields.map(control)}
            </div>
          </details>`,
        )}
    </div>`;
}

function Changed({ count }: { count: number }): VNode | null {
  return count === 0 ? null : html`<span class="option-changed">${count} set</span>`;
}

function changed(fields: Field[], values: Values): number {
  return fields.filter(field => JSON.stringify(typedIn(field, values)) !== JSON.stringify(presetOf(field)))
    .length;
}
