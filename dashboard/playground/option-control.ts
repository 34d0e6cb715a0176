/*
 * The control of one option, with its description from the service's document.
 *
 *   html`<${OptionControl} field=${field} value=${value} onChange=${value => …} />`
 */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Field as Labelled } from "../parts/form.ts";
import type { Field } from "./option-fields.ts";
import type { Value } from "./option-values.ts";

interface ControlProps {
  field: Field;
  value: Value;
  onChange: (value: Value) => void;
}

export function OptionControl({ field, value, onChange }: ControlProps): VNode {
  if (field.kind === "switch") return html`<${Switch} field=${field} value=${value} onChange=${onChange} />`;
  if (field.kind === "choices")
    return html`<${Choices} field=${field} value=${value} onChange=${onChange} />`;
  const change = (event: Event) => onChange((event.currentTarget as HTMLInputElement).value);
  return html`<${Labelled} label=${labelOf(field)} hint=${hintOf(field)}>${control(field, String(value), change)}<//>`;
}

function control(field: Field, value: string, onInput: (event: Event) => void): VNode {
  const { kind, path, values, preset, maxLength, required } = field;
  const common = { name: path, value, onInput };
  if (kind === "choice")
    return html`<select ...${common}>
      ${preset === undefined && html`<option value="" selected=${value === ""}>Default of the service</option>`}
      ${values.map(each => html`<option key=${each} value=${each} selected=${each === value}>${each}</option>`)}
    </select>`;
  const plain = { autocomplete: "off", autocapitalize: "none", spellcheck: false, maxlength: maxLength };
  if (kind === "number") return html`<input ...${common} ...${plain} inputmode="numeric" />`;
  if (kind === "text")
    return html`<input ...${common} ...${plain} required=${required} placeholder=${required ? "https://example.com/" : ""} />`;
  return html`<textarea ...${common} ...${plain} rows=${kind === "prose" ? 3 : 4} placeholder=${examples[kind] ?? ""}></textarea>`;
}

const examples: Partial<Record<Field["kind"], string>> = {
  lines: "one per line",
  pairs: "name: value",
  json: "{ }",
};

function Switch({ field, value, onChange }: ControlProps): VNode {
  const id = `option-${field.path}`;
  return html`<div class="option-switch">
    <input type="checkbox" id=${id} name=${field.path} checked=${value === true} aria-describedby="${id}-hint"
      onChange=${(event: Event) => onChange((event.currentTarget as HTMLInputElement).checked)} />
    <div><label for=${id}>${labelOf(field)}</label><p class="hint" id="${id}-hint">${hintOf(field)}</p></div>
  </div>`;
}

function Choices({ field, value, onChange }: ControlProps): VNode {
  const chosen = Array.isArray(value) ? value : [];
  const toggle = (each: string, isOn: boolean) =>
    onChange(field.values.filter(other => (other === each ? isOn : chosen.includes(other))));
  return html`<fieldset class="option-choices"><legend>${labelOf(field)}</legend>
    <div class="option-chips">
      ${field.values.map(
        each => html`<label key=${each}><input type="checkbox" name=${field.path} value=${each} checked=${chosen.includes(each)}
          onChange=${(event: Event) => toggle(each, (event.currentTarget as HTMLInputElement).checked)} /><span>${each}</span></label>`,
      )}
    </div>
    <p class="hint">${hintOf(field)}</p>
  </fieldset>`;
}

/** The name that the API uses, so that a reader finds it again in a program. The path before it is faint. */
function labelOf({ path, name }: Field): VNode {
  return html`<code><span class="faint">${path.slice(0, -name.length)}</span>${name}</code>`;
}

function hintOf({ description, min, max, kind }: Field): VNode {
  const bounds = kind === "number" && min !== undefined && max !== undefined ? ` From ${min} to ${max}.` : "";
  return html`<span>${withCode(description)}${bounds}</span>`;
}

/** Renders a description, which has code between backticks. */
export function withCode(text: string): (string | VNode)[] {
  return text.split("`").map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
}
