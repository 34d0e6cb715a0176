/**
 * JSON as a tree that opens and closes by mouse and keyboard: `<${JsonTree} value=${event} open=${2} />`. `open` is the number
 * of levels that are open at first. Closed levels have no elements.
 */
import { type ComponentChild, h } from "preact";
import { useState } from "preact/hooks";

/** The number of entries of a list or object that are shown at a time. */
const step = 100;

interface Props {
  value: unknown;
  /** The name or index within the parent. */
  name?: string | undefined;
  open?: number;
}

export function JsonTree({ value, name, open = 1 }: Props): ComponentChild {
  return h("div", { class: "json" }, h(Branch, { value, name, open }));
}

function Branch({ value, name, open = 0 }: Props): ComponentChild {
  const [isOpen, setOpen] = useState(open > 0);
  const [shown, setShown] = useState(step);
  const entries = entriesOf(value);
  if (entries === undefined) return h("div", { class: "json-leaf" }, [label(name), leaf(value)]);
  const toggle = (event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open);
  return h("details", { open: isOpen, onToggle: toggle }, [
    h("summary", {}, [label(name), h("span", { class: "json-count" }, outline(value, entries.length))]),
    isOpen && [
      ...entries
        .slice(0, shown)
        .map(([key, each]) => h(Branch, { key, name: key, value: each, open: open - 1 })),
      entries.length > shown &&
        h(
          "button",
          { type: "button", class: "small", onClick: () => setShown(shown + step) },
          `Show ${Math.min(step, entries.length - shown)} more of ${entries.length}`,
        ),
    ],
  ]);
}

/** The entries of a list or an object; undefined for other values. */
function entriesOf(value: unknown): [string, unknown][] | undefined {
  return typeof value === "object" && value !== null ? Object.entries(value) : undefined;
}

function outline(value: unknown, count: number): string {
  const what = Array.isArray(value) ? ["entry", "entries"] : ["field", "fields"];
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open} ${count} ${count === 1 ? what[0] : what[1]} ${close}`;
}

function label(name: string | undefined): ComponentChild {
  return name === undefined ? null : h("span", { class: "json-name" }, `${name}: `);
}

function leaf(value: unknown): ComponentChild {
  const kind = value === null ? "null" : typeof value;
  return h("span", { class: `json-${kind}` }, JSON.stringify(value) ?? "undefined");
}
