import { type Infer, rule } from "./schema.ts";

/** A CSS selector. `checkPageOptions` sees whether it parses. */
export const selector = rule({ type: "string", min: 1, max: 500, description: "CSS selector." });

const milliseconds = rule({ type: "number", integer: true, min: 0, max: 60_000 });

const named =
  "Enter|Tab|Escape|Backspace|Delete|Space|Home|End|PageUp|PageDown|Arrow(?:Up|Down|Left|Right)|F(?:[1-9]|1[0-2])";

/**
 * What to do in a page: data, never scripts. One object for all types, so that a refusal names the field that is missing
 * or too much; `checkPageOptions` sees which fields belong together.
 */
const pageAction = rule({
  type: "object",
  name: "PageAction",
  strict: true,
  props: {
    type: {
      type: "enum",
      values: ["wait", "click", "type", "press", "scroll", "screenshot"],
      description:
        "`wait` needs `ms` or `selector`, `click` needs `selector`, `type` needs `text` and types into `selector` or where the focus is, `press` needs `key`, `scroll` needs `direction` and scrolls `selector` or the page by its height, `screenshot` may have `full_page`.",
    },
    selector: { ...selector, optional: true, description: "CSS selector: the first element that matches." },
    ms: { ...milliseconds, optional: true, description: "Milliseconds." },
    text: { type: "string", min: 1, max: 2000, optional: true, description: "Typed as if by a keyboard." },
    key: {
      type: "string",
      pattern: `^(?:${named}|[!-~])$`,
      optional: true,
      description: "Name of a key, such as `Enter`, `Tab` or `ArrowDown`, or one character of ASCII.",
      messages: { stringPattern: "must be the name of a key, such as Enter, or one character" },
    },
    direction: { type: "enum", values: ["up", "down"], optional: true, description: "Where to scroll." },
    full_page: { type: "boolean", optional: true, description: "The whole page, not only what is in view." },
  },
});
export type PageAction = Infer<typeof pageAction>;

/** What to wait for before a page is read. */
export const waitFor = rule({
  type: "object",
  name: "WaitFor",
  strict: true,
  optional: true,
  description:
    "Waits before the page is read, with both for both. A selector that no element matches in time is 422 `element_not_found`.",
  props: {
    selector: { ...selector, optional: true, description: "CSS selector: until an element matches." },
    ms: { ...milliseconds, optional: true, description: "Milliseconds, after the page has loaded." },
  },
});

/** What to do before a page is read. */
export const pageActions = rule({
  type: "array",
  max: 25,
  items: pageAction,
  optional: true,
  description:
    "Carried out in order before the page is read, which is then rendered in any case. Together they take 60 s at most. An element that is missing is 422 `element_not_found`.",
});
