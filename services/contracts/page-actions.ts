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

/** What to do in a page to sign in. */
const loginAction = rule({
  ...pageAction,
  name: "LoginAction",
  props: {
    ...pageAction.props,
    type: {
      type: "enum",
      values: ["wait", "click", "type", "press", "scroll"],
      description: "As actions of pages; `type` needs `selector`, and `text` or `totp`.",
    },
    totp: {
      type: "string",
      pattern: "^[A-Za-z2-7 ]{16,200}=*$",
      optional: true,
      description:
        "The seed of one-time passwords (RFC 6238: SHA-1, six digits, 30 s) in Base32: the one of the moment is typed.",
      messages: { stringPattern: "must be the seed of one-time passwords in Base32" },
    },
  },
});
export type LoginAction = Infer<typeof loginAction>;

/** How to sign in at a site. */
export const login = rule({
  type: "object",
  name: "Login",
  strict: true,
  props: {
    actions: {
      type: "array",
      min: 1,
      max: 25,
      items: loginAction,
      description:
        "Carried out in order at the form that the site shows, or at `url`, within the site alone; their waits take 20 s at most.",
    },
    url: {
      type: "string",
      min: 1,
      max: 2048,
      optional: true,
      description: "The page of the login, at the same site, where the site does not lead there by itself.",
    },
    when: {
      ...selector,
      optional: true,
      description:
        "CSS selector that a page matches when nobody is signed in. Login forms in place of a page, and a 401, are known by themselves.",
    },
  },
});
export type Login = Infer<typeof login>;

/** The jar of a key for a site, by its name. */
export const session = rule({
  type: "object",
  name: "SessionOptions",
  strict: true,
  optional: true,
  description:
    "Keeps cookies and local storage between visits, in a jar of the key for the page's site (its registrable domain, or the host where there is none).",
  props: {
    name: {
      type: "string",
      pattern: "^[\\w.-]{1,64}$",
      description: "Letters, digits, `_`, `.` and `-`. Each site has a jar of its own by this name.",
      messages: { stringPattern: "must be 1 to 64 letters, digits, _, . or -" },
    },
    login: {
      ...login,
      optional: true,
      description:
        "Kept encrypted with the jar, so that later requests need the name alone; it replaces the former one. Carried out when the site asks for a login, at most once an hour.",
    },
  },
});
export type SessionOptions = Infer<typeof session>;

/** The session of a watch as it is kept and shown. */
export const namedSession = {
  type: "object",
  name: "NamedSession",
  strict: true,
  description: "The session that it is read in.",
  props: { name: session.props.name },
} as const;
export type NamedSession = Infer<typeof namedSession>;

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
