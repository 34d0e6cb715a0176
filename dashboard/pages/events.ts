/* Live events. A screen reader reads the number of new events, not each of them. */
import { type Signal, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { type EventLog, headline, type LiveEvent, mostKept, pause, proceed } from "../events/event-log.ts";
import type { StreamState } from "../events/follow-stream.ts";
import { isDismissed } from "../events/judged.ts";
import { type LiveEvents, useLiveEvents } from "../events/live-events.ts";
import { typeName, typeNames } from "../events/type-names.ts";
import { WhatHappened } from "../events/what-happened.ts";
import { html } from "../html.ts";
import { KeyName } from "../jobs/key-cell.ts";
import { Dialog } from "../parts/dialog.ts";
import { Filters } from "../parts/list.ts";
import { Empty, Mark, type MarkKind } from "../parts/state.ts";
import { count, plural, Time } from "../parts/time.ts";
import { link, query } from "../shell/address.ts";
import { Head, type Page } from "../shell/page.ts";
import { hasKey } from "../shell/session.ts";

function Events(): VNode {
  const live = useLiveEvents({ type: query("type"), source: query("source") });
  const opened = useSignal<LiveEvent | undefined>(undefined);
  const { log } = live;
  const isPaused = log.value.waiting !== undefined;
  const lead = hasKey.value
    ? "The events of this key, as they happen."
    : "The events of all keys, as they happen.";
  return html`<${Head} title="Live events" lead=${lead}>
      <${Pause} live=${live} isPaused=${isPaused} />
    <//>
    <${Filters} filters=${filters} />
    <p class="stream-state"><${State} state=${live.state} isPaused=${isPaused} />
      <span class="number soft">${plural(log.value.events.length, "event")}${log.value.events.length === mostKept ? ", the newest" : ""}</span>
      ${live.sampled.value && html`<${Sampled} ...${live.sampled.value} />`}</p>
    <${Spoken} log=${log} />
    ${
      log.value.events.length > 0
        ? html`<ol class="events" aria-label="Events, the newest first">
          ${log.value.events.map(
            event =>
              html`<${Row} key=${`${event.key_id ?? ""} ${event.id}`} event=${event} onOpen=${() => {
                opened.value = event;
              }} />`,
          )}
        </ol>`
        : html`<${None} isFiltered=${query("type") !== "" || query("source") !== ""} />`
    }
    ${
      opened.value &&
      html`<${Opened} event=${opened.value} onClose=${() => {
        opened.value = undefined;
      }} />`
    }`;
}

const filters = [
  { name: "source", label: "Source" },
  { name: "type", label: "Type", options: [["", "Any type"], ...Object.entries(typeNames)] },
];

function Pause({ live, isPaused }: { live: LiveEvents; isPaused: boolean }): VNode {
  const { waitingCount } = live.log.value;
  if (!isPaused) return html`<button type="button" onClick=${() => live.change(pause)}>Pause</button>`;
  return html`<button type="button" class="is-main" onClick=${() => live.change(proceed)}>
    Continue${waitingCount > 0 && html` <span class="number">(${count(waitingCount)} new)</span>`}</button>`;
}

function State({ state, isPaused }: { state: Signal<StreamState>; isPaused: boolean }): VNode {
  const [kind, text] = wordsOf(state.value, isPaused);
  return html`<${Mark} kind=${kind}>${text}<//>`;
}

function wordsOf(state: StreamState, isPaused: boolean): [MarkKind, string] {
  switch (state.name) {
    case "connecting":
      return ["quiet", "Connecting"];
    case "live":
      return isPaused ? ["warn", "Paused"] : ["good", "Live"];
    case "gap":
      return ["warn", "Some events have expired"];
    case "waiting":
      return ["warn", `Disconnected; connects again in ${state.seconds} s`];
    case "ended":
      return ["bad", state.message];
  }
}

function Sampled({ sent, of }: { sent: number; of: number }): VNode {
  return html`<span class="soft">A sample: <span class="number">${count(sent)}</span> of
    <span class="number">${count(of)}</span> in the last second</span>`;
}

const spokenMs = 10_000;

/** Tells screen readers the number of new events, at most every 10 s and only when it changed. */
function Spoken({ log }: { log: Signal<EventLog> }): VNode {
  const text = useSignal("");
  useEffect(() => {
    let before = log.value.total;
    const timer = setInterval(() => {
      const { total } = log.peek();
      if (total !== before) text.value = `${plural(total - before, "new event")}.`;
      before = total;
    }, spokenMs);
    return () => clearInterval(timer);
  }, []);
  return html`<p class="unseen" role="status">${text.value}</p>`;
}

function Row({ event, onOpen }: { event: LiveEvent; onOpen: () => void }): VNode {
  const { type, timestamp, key_id, data } = event;
  const isQuiet = isDismissed(event);
  return html`<li class=${isQuiet ? "event is-dismissed" : "event"}>
    <button type="button" onClick=${onOpen} aria-haspopup="dialog">
      <span class="event-type">${typeName(type)}</span>
      <span class="event-source breaks">${data.source?.name ?? ""}</span>
      <span class="event-text">${isQuiet && html`<span class="event-judged">Not meaningful</span> `}${headline(event)}</span>
      <span class="event-time faint">${key_id && html`<span class="event-key"><${KeyName} id=${key_id} /></span> · `}<${Time} at=${timestamp} /></span>
    </button>
  </li>`;
}

function None({ isFiltered }: { isFiltered: boolean }): VNode {
  if (isFiltered)
    return html`<${Empty} title="No event matches yet"><p>Events that match the filters appear here.</p><//>`;
  return html`<${Empty} title="No event yet">
    <p>Events appear here as soon as a source has something new.</p>
    ${hasKey.value && html`<p><a href=${link("/sources")}>See the sources</a> or <a href=${link("/webhook")}>send a test event</a>.</p>`}
  <//>`;
}

function Opened({ event, onClose }: { event: LiveEvent; onClose: () => void }): VNode {
  return html`<${Dialog} title=${typeName(event.type)} isWide onClose=${onClose}>
    <p class="soft"><${Time} at=${event.timestamp} /> · <code>${event.id}</code></p>
    <${WhatHappened} event=${event} />
  <//>`;
}

export const eventsPage: Page = {
  path: "/events",
  title: "Live events",
  section: "watch",
  roles: ["admin", "owner", "key"],
  asKey: ["owner"],
  view: Events,
};
