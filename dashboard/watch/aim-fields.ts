/*
 * The options of a watch as fields of a form, in groups that open.
 *
 *   html`<${AimFields} aim=${aim} kind="web" />`     `aim` is a signal, so that pointing at a page writes into it
 */
import type { Signal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import type { SourceKind } from "../../services/contracts/source.ts";
import { html } from "../html.ts";
import { Field } from "../parts/form.ts";
import type { Aim } from "./aim.ts";

interface FieldsProps {
  aim: Signal<Aim>;
  kind: SourceKind;
}

type TextName = { [Name in keyof Aim]: Aim[Name] extends string ? Name : never }[keyof Aim];

export function AimFields({ aim, kind }: FieldsProps): VNode {
  if (kind !== "web" && kind !== "rss") return html`<div class="aim"><${Tags} aim=${aim} /></div>`;
  const isPage = kind === "web";
  return html`<div class="aim">
    <${Tags} aim=${aim} />
    ${isPage && html`<${Where} aim=${aim} />`}
    <${When} aim=${aim} isPage=${isPage} />
    <${HowOften} aim=${aim} />
    <${HowRead} aim=${aim} isPage=${isPage} />
    <${HowKept} aim=${aim} />
  </div>`;
}

function Tags({ aim }: { aim: Signal<Aim> }): VNode {
  return html`<${Line} aim=${aim} of="tags" label="Tags" hint="Words to sort by, with commas between them." />`;
}

function Where({ aim }: { aim: Signal<Aim> }): VNode {
  const { select, remove, content } = aim.value;
  return html`<${Group} title="Which part of the page" isOpen=${[select, remove, content].some(Boolean)}>
    <${Lines} aim=${aim} of="select" label="Only these parts" placeholder=".price"
      hint="CSS selectors or XPath, one a line. Empty: the whole page." />
    <${Lines} aim=${aim} of="remove" label="Without these parts" placeholder=".advert" hint="CSS selectors or XPath, one a line." />
    <${Choice} aim=${aim} of="content" label="Without a choice of parts" options=${[
      ["", "All of the page but advertisements, navigation and what is only related"],
      ["main", "The main content alone"],
    ]} />
    <${Lines} aim=${aim} of="schema" label="Fields, as a JSON Schema"
      hint="Each event then has the value of every field before and after the change." />
  <//>`;
}

function When({ aim, isPage }: { aim: Signal<Aim>; isPage: boolean }): VNode {
  const { ignore, contains, notContains, only, below, above, changedBy, uniqueLines } = aim.value;
  const isOpen = [ignore, contains, notContains, only, below, above, changedBy].some(Boolean) || uniqueLines;
  return html`<${Group} title="Which changes count" isOpen=${isOpen}>
    <${Lines} aim=${aim} of="ignore" label="Ignore lines with" placeholder="/^\\d+ people/" hint="A text, or a regular expression between slashes, one a line." />
    <${Lines} aim=${aim} of="contains" label="Only if the text contains" hint="At least one of these texts, one a line." />
    <${Lines} aim=${aim} of="notContains" label="Only if the text does not contain" hint="None of these texts, one a line." />
    <${Choice} aim=${aim} of="only" label="Lines that count" options=${[
      ["", "Added or removed"],
      ["added", "Only added"],
      ["removed", "Only removed"],
    ]} />
    ${
      isPage &&
      html`<${Line} aim=${aim} of="valueSelect" label="Number to compare" hint="The selector of a price or a count, for the limits below. Empty: the first number of the watched text." />
      <div class="aim-row">
        <${Line} aim=${aim} of="below" label="Falls below" />
        <${Line} aim=${aim} of="above" label="Rises above" />
        <${Line} aim=${aim} of="changedBy" label="Changes by %" />
      </div>
      <${Switch} aim=${aim} of="uniqueLines" label="Ignore lines that were there before" />`
    }
  <//>`;
}

const dayNames: Record<string, string> = {
  mon: "Mon",
  tue: "Tue",
  wed: "Wed",
  thu: "Thu",
  fri: "Fri",
  sat: "Sat",
  sun: "Sun",
};
const days = Object.keys(dayNames);

function HowOften({ aim }: { aim: Signal<Aim> }): VNode {
  const { interval, days: chosen, from, to } = aim.value;
  const toggle = (day: string, isOn: boolean) => {
    aim.value = {
      ...aim.value,
      days: days.filter(each => (each === day ? isOn : aim.value.days.includes(each))),
    };
  };
  return html`<${Group} title="How often" isOpen=${interval !== "" || chosen.length > 0 || from !== "" || to !== ""}>
    <${Line} aim=${aim} of="interval" label="Check every" placeholder="15m" hint="15m, 2h or 1d. Empty: Magpie adapts to how often it changes." />
    <fieldset class="option-choices"><legend>Only on</legend><div class="option-chips is-words">
      ${days.map(
        day => html`<label key=${day}><input type="checkbox" checked=${chosen.includes(day)}
          onChange=${(event: Event) => toggle(day, (event.currentTarget as HTMLInputElement).checked)} /><span>${dayNames[day]}</span></label>`,
      )}
    </div></fieldset>
    <div class="aim-row">
      <${Line} aim=${aim} of="from" label="From" type="time" />
      <${Line} aim=${aim} of="to" label="To" type="time" />
      <${Line} aim=${aim} of="timeZone" label="Time zone" placeholder=${Intl.DateTimeFormat().resolvedOptions().timeZone} />
    </div>
  <//>`;
}

function HowRead({ aim, isPage }: { aim: Signal<Aim>; isPage: boolean }): VNode {
  const { render, headers, cookies, screenshot } = aim.value;
  return html`<${Group} title="How Magpie reads it" isOpen=${[render, headers, cookies].some(Boolean) || screenshot}>
    ${
      isPage &&
      html`<${Choice} aim=${aim} of="render" label="In a browser" options=${[
        ["", "When needed"],
        ["never", "Never"],
        ["always", "Always"],
      ]} />
      <${Switch} aim=${aim} of="screenshot" label="Keep screenshots of each change" />`
    }
    <${Lines} aim=${aim} of="headers" label="Headers" placeholder="accept-language: de" hint="Sent only to this site, and stored encrypted." />
    <${Lines} aim=${aim} of="cookies" label="Cookies" placeholder="session: …" hint="Sent only to this site, and stored encrypted." />
  <//>`;
}

function HowKept({ aim }: { aim: Signal<Aim> }): VNode {
  const { keepDays, keepVersions } = aim.value;
  return html`<${Group} title="What is kept of its past" isOpen=${keepDays !== "" || keepVersions !== ""}>
    <div class="aim-row">
      <${Line} aim=${aim} of="keepDays" label="Days" placeholder="90" hint="Versions that are older go." />
      <${Line} aim=${aim} of="keepVersions" label="Versions" placeholder="100" hint="At most so many. The latest one always stays." />
    </div>
  <//>`;
}

function Group({
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

function Line({ aim, of, label, hint, placeholder, type = "text" }: ControlProps): VNode {
  return html`<${Field} label=${label} hint=${hint}>
    <input name=${nameOf(of)} type=${type} value=${aim.value[of]} placeholder=${placeholder} maxlength="2000" onInput=${write(aim, of)} ...${plain} /><//>`;
}

function Lines({ aim, of, label, hint, placeholder }: ControlProps): VNode {
  return html`<${Field} label=${label} hint=${hint}>
    <textarea name=${nameOf(of)} rows="2" value=${aim.value[of]} placeholder=${placeholder} onInput=${write(aim, of)} ...${plain}></textarea><//>`;
}

function Choice({ aim, of, label, hint, options = [] }: ControlProps): VNode {
  return html`<${Field} label=${label} hint=${hint}><select name=${nameOf(of)} onChange=${write(aim, of)}>
    ${options.map(([value, name]) => html`<option key=${value} value=${value} selected=${value === aim.value[of]}>${name}</option>`)}
  </select><//>`;
}

function Switch({
  aim,
  of,
  label,
}: {
  aim: Signal<Aim>;
  of: "uniqueLines" | "screenshot";
  label: string;
}): VNode {
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
};
