/*
 * Fields of a watch. Each writes into the signal of the form; its name is that of the API's option, so that an error of a field
 * is shown below it.
 */
import type { Signal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import { html } from "../html.ts";
import { Field } from "../parts/form.ts";
import type { Aim } from "./aim.ts";

type NameOf<Type> = { [Name in keyof Aim]: Aim[Name] extends Type ? Name : never }[keyof Aim];
type TextName = NameOf<string>;

export function Group({
  title,
  isOpen,
  children,
}: {
  title: string;
  isOpen: boolean;
  children?: ComponentChildren;
}): VNode {
  // A group does not close over a field that somebody empties.
  const opened = useRef(isOpen);
  opened.current ||= isOpen;
  return html`<details class="aim-group" open=${opened.current}><summary>${title}</summary><div class="form">${children}</div></details>`;
}

interface ControlProps {
  aim: Signal<Aim>;
  of: TextName;
  label: string;
  hint?: string;
  placeholder?: string;
  type?: string;
  options?: [value: string, name: string][];
}

const plain = { autocomplete: "off", autocapitalize: "none", spellcheck: false };

function write(aim: Signal<Aim>, name: keyof Aim) {
  return (event: Event) => {
    aim.value = { ...aim.value, [name]: (event.currentTarget as HTMLInputElement).value };
  };
}

export function Line({ aim, of, label, hint, placeholder, type = "text" }: ControlProps): VNode {
  return html`<${Field} label=${label} hint=${hint}>
    <input name=${nameOf(of)} type=${type} value=${aim.value[of]} placeholder=${placeholder} maxlength="2000" onInput=${write(aim, of)} ...${plain} /><//>`;
}

export function Lines({ aim, of, label, hint, placeholder }: ControlProps): VNode {
  return html`<${Field} label=${label} hint=${hint}>
    <textarea name=${nameOf(of)} rows="2" value=${aim.value[of]} placeholder=${placeholder} onInput=${write(aim, of)} ...${plain}></textarea><//>`;
}

export function Choice({ aim, of, label, hint, options = [] }: ControlProps): VNode {
  return html`<${Field} label=${label} hint=${hint}><select name=${nameOf(of)} onChange=${write(aim, of)}>
    ${options.map(([value, name]) => html`<option key=${value} value=${value} selected=${value === aim.value[of]}>${name}</option>`)}
  </select><//>`;
}

export function Switch({ aim, of, label }: { aim: Signal<Aim>; of: NameOf<boolean>; label: string }): VNode {
  return html`<label class="aim-switch"><input type="checkbox" checked=${aim.value[of]} onChange=${(
    event: Event,
  ) => {
    aim.value = { ...aim.value, [of]: (event.currentTarget as HTMLInputElement).checked };
  }} /><span>${label}</span></label>`;
}

/** The name that the API uses, so that its error of a field is shown below that field. */
function nameOf(of: TextName): string {
  return `options.${apiNames[of] ?? of}`;
}

const apiNames: Partial<Record<TextName, string>> = {
  contains: "when.contains",
  notContains: "when.not_contains",
  only: "when.added_only",
  valueSelect: "when.value.select",
  below: "when.value.below",
  above: "when.value.above",
  changedBy: "when.value.changed_by_percent",
  from: "schedule.from",
  to: "schedule.to",
  timeZone: "schedule.time_zone",
  schema: "json.schema",
  keepDays: "keep.days",
  keepVersions: "keep.versions",
  depth: "max_depth",
  waitFor: "wait_for.selector",
  waitMs: "wait_for.ms",
  proxy: "proxy.location",
  session: "session.name",
  jsonPath: "extract.json_path",
  xpath: "extract.xpath",
};
