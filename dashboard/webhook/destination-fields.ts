/* The fields of a destination in the form of an endpoint. */
import type { VNode } from "preact";
import type { DestinationOptions, DestinationType } from "../../services/contracts/destinations.ts";
import { html } from "../html.ts";
import { Field } from "../parts/form.ts";
import { hidden, nameOf, writtenOf } from "./destination-body.ts";
import { type DestinationField, fieldsOf } from "./destinations.ts";

interface FieldsProps {
  type: DestinationType;
  /** What is stored, if it is of this type. */
  before: DestinationOptions | undefined;
}

export function DestinationFields({ type, before }: FieldsProps): VNode {
  return html`<div class="form destination" key=${type}>
    ${fieldsOf(type).map(
      ([name, field]) =>
        html`<${Field} key=${name} label=${field.label} hint=${field.hint}>${control(nameOf(name), field, writtenOf(before, name))}<//>`,
    )}
  </div>`;
}

function control(name: string, field: DestinationField, written: string): VNode {
  const { kind, isSecret, isOptional, preset } = field;
  if (kind === "switch") return yesOrNo(name, written || preset);
  const common = {
    name,
    defaultValue: written,
    required: !isOptional && preset === undefined,
    ...{ autocapitalize: "none", spellcheck: false, autocomplete: "off" },
    ...(isSecret && { onFocus: selectStored, onClick: selectStored }),
  };
  if (kind === "lines")
    return html`<textarea ...${common} rows="2" class=${isSecret ? "is-secret" : ""}></textarea>`;
  if (isSecret) return html`<input ...${common} type="password" autocomplete="new-password" />`;
  return html`<input ...${common} type=${kind ?? "text"} placeholder=${preset ?? ""} />`;
}

function yesOrNo(name: string, value: string | undefined): VNode {
  return html`<select name=${name}>
    <option value="true" selected=${value === "true"}>Yes</option>
    <option value="false" selected=${value === "false"}>No</option>
  </select>`;
}

/** What is typed takes the place of what is shown for a stored secret. */
function selectStored(event: Event): void {
  const field = event.currentTarget as HTMLInputElement | HTMLTextAreaElement;
  if (field.value === hidden) field.select();
}
