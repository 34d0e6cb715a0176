/*
 * The options of a watch as fields of a form, in groups that open.
 *
 *   html`<${AimFields} aim=${aim} kind="web" />`     `aim` is a signal, so that pointing at a page writes into it
 */
import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import type { SourceKind } from "../../services/contracts/source.ts";
import { html } from "../html.ts";
import type { Aim } from "./aim.ts";
import { Choice, Group, Line, Lines, Switch } from "./aim-controls.ts";
import { AwkwardPages } from "./awkward-fields.ts";

interface FieldsProps {
  aim: Signal<Aim>;
  kind: SourceKind;
}

export function AimFields({ aim, kind }: FieldsProps): VNode {
  return html`<div class="aim"><${Tags} aim=${aim} />${groups[kind](aim)}</div>`;
}

const groups: Record<SourceKind, (aim: Signal<Aim>) => VNode> = {
  web: aim => html`<${Goal} aim=${aim} /><${Where} aim=${aim} isPage /><${When} aim=${aim} isPage hasLines />
    <${HowOften} aim=${aim} /><${HowRead} aim=${aim} isPage hasLines /><${AwkwardPages} aim=${aim} isPage /><${HowKept} aim=${aim} />`,
  rss: aim => html`<${Goal} aim=${aim} /><${Choice} aim=${aim} of="content" label="Content of its items" options=${[
    ["", "As the feed has it"],
    ["full", "The whole text of each item's page"],
  ]} /><${When} aim=${aim} /><${HowOften} aim=${aim} /><${HowRead} aim=${aim} />
    <${HowKept} aim=${aim} />`,
  site: aim => html`<${Goal} aim=${aim} /><${WhichPages} aim=${aim} /><${Where} aim=${aim} /><${When} aim=${aim} hasLines />
    <${HowOften} aim=${aim} /><${HowRead} aim=${aim} hasLines /><${AwkwardPages} aim=${aim} /><${HowKept} aim=${aim} />`,
  search:
    aim => html`<${Goal} aim=${aim} /><${WhichResults} aim=${aim} /><${When} aim=${aim} /><${HowOften} aim=${aim} />
    <${HowKept} aim=${aim} />`,
  microblog: aim => html`<${Edits} aim=${aim} />`,
  chatserver: aim => html`<${Edits} aim=${aim} />`,
  messenger: aim => html`<${Edits} aim=${aim} />`,
};

/** A page offers more to choose than a site, and both offer more than a feed. */
interface GroupProps {
  aim: Signal<Aim>;
  isPage?: boolean;
  hasLines?: boolean;
}

function Tags({ aim }: { aim: Signal<Aim> }): VNode {
  return html`<${Line} aim=${aim} of="tags" label="Tags" hint="Words to sort by, with commas between them." />`;
}

function Edits({ aim }: { aim: Signal<Aim> }): VNode {
  return html`<${Switch} aim=${aim} of="edits" label="Also what is edited and deleted, where the network says so" />`;
}

function Goal({ aim }: { aim: Signal<Aim> }): VNode {
  return html`<${Group} title="What you want to know" isOpen=${aim.value.goal !== ""}>
    <${Lines} aim=${aim} of="goal" label="In words" placeholder="Prices, terms and deadlines; no typos and no new pictures"
      hint="A language model judges each change by it and says so in the event. Nothing is thrown away: endpoints choose whether they want all changes or those that concern it." />
  <//>`;
}

function WhichPages({ aim }: { aim: Signal<Aim> }): VNode {
  const { limit, include, exclude, depth, wholeDomain, subdomains, noSitemaps, rounds } = aim.value;
  const isOpen =
    [limit, include, exclude, depth].some(Boolean) || wholeDomain || subdomains || noSitemaps || rounds;
  return html`<${Group} title="Which pages" isOpen=${isOpen}>
    <div class="aim-row">
      <${Line} aim=${aim} of="limit" label="Pages at most" placeholder="1000" hint="At most 50,000." />
      <${Line} aim=${aim} of="depth" label="Links from the entry page" placeholder="10" />
    </div>
    <${Lines} aim=${aim} of="include" label="Only addresses like" placeholder="/docs/**" hint="Patterns, one a line, as a crawl takes them. Empty: all." />
    <${Lines} aim=${aim} of="exclude" label="No addresses like" placeholder="/docs/archive/**" />
    <${Switch} aim=${aim} of="wholeDomain" label="The whole host, not only what is below the entry page" />
    <${Switch} aim=${aim} of="subdomains" label="Subdomains, too" />
    <${Switch} aim=${aim} of="noSitemaps" label="Not the pages that only its sitemaps name" />
    <${Switch} aim=${aim} of="rounds" label="An event after each round, also where nothing has changed" />
  <//>`;
}

function WhichResults({ aim }: { aim: Signal<Aim> }): VNode {
  const { domains, window } = aim.value;
  return html`<${Group} title="Which results" isOpen=${domains !== "" || window !== ""}>
    <${Lines} aim=${aim} of="domains" label="Only on these domains" placeholder="example.com" hint="One a line, with what is below them. Empty: everywhere." />
    <${Choice} aim=${aim} of="window" label="Published" options=${[
      ["", "At any time"],
      ["day", "In the last day"],
      ["week", "In the last week"],
      ["month", "In the last month"],
      ["year", "In the last year"],
    ]} />
  <//>`;
}

function Where({ aim, isPage = false }: GroupProps): VNode {
  const { select, remove, content, schema, items } = aim.value;
  const isOpen = [select, remove, content, schema, items].some(Boolean);
  return html`<${Group} title=${isPage ? "Which part of the page" : "Which parts of its pages"} isOpen=${isOpen}>
    ${
      isPage &&
      html`<${Lines} aim=${aim} of="select" label="Only these parts" placeholder=".price"
      hint="CSS selectors or XPath, one a line. Empty: the whole page." />`
    }
    <${Lines} aim=${aim} of="remove" label="Without these parts" placeholder=".advert" hint="CSS selectors or XPath, one a line." />
    <${Choice} aim=${aim} of="content" label=${isPage ? "Without a choice of parts" : "Of the rest"} options=${[
      ["", "All of the page but advertisements, navigation and what is only related"],
      ["main", "The main content alone"],
    ]} />
    ${
      isPage &&
      html`<${Line} aim=${aim} of="items" label="Items" placeholder="auto" hint="Of a list page, each new entry is told by itself: the selector of the entries, or auto. The preview lists what is found." />
    <${Lines} aim=${aim} of="schema" label="Fields, as a JSON Schema"
      hint="Each event then has the value of every field before and after the change." />`
    }
  <//>`;
}

function When({ aim, isPage = false, hasLines = false }: GroupProps): VNode {
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
    ${isPage && html`<${Numbers} aim=${aim} />`}
    ${hasLines && html`<${Switch} aim=${aim} of="uniqueLines" label="Ignore lines that were there before" />`}
  <//>`;
}

function Numbers({ aim }: { aim: Signal<Aim> }): VNode {
  return html`<${Line} aim=${aim} of="valueSelect" label="Number to compare" hint="The selector of a price or a count, for the limits below. Empty: the first number of the watched text." />
    <div class="aim-row">
      <${Line} aim=${aim} of="below" label="Falls below" />
      <${Line} aim=${aim} of="above" label="Rises above" />
      <${Line} aim=${aim} of="changedBy" label="Changes by %" />
    </div>`;
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

function HowRead({ aim, isPage = false, hasLines = false }: GroupProps): VNode {
  const { render, headers, cookies, screenshot } = aim.value;
  return html`<${Group} title="How Magpie reads it" isOpen=${[render, headers, cookies].some(Boolean) || screenshot}>
    ${
      hasLines &&
      html`<${Choice} aim=${aim} of="render" label="In a browser" options=${[
        ["", "When needed"],
        ["never", "Never"],
        ["always", "Always"],
      ]} />`
    }
    ${isPage && html`<${Switch} aim=${aim} of="screenshot" label="Keep screenshots of each change" />`}
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
