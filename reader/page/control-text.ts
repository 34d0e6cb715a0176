import { type ElementNode, findElement, isElement } from "../html/tree.ts";

const buttons = new Set(["submit", "button", "reset", "image"]);
const unshown = new Set(["hidden", "password", "file", "color"]);

/** The kind of an `input`: what it shows is a label, a value, a state, or nothing. */
export function inputKind(element: ElementNode): "button" | "box" | "value" | "none" {
  const type = element.getAttribute("type").toLowerCase();
  if (unshown.has(type)) return "none";
  if (buttons.has(type)) return "button";
  return type === "checkbox" || type === "radio" ? "box" : "value";
}

/**
 * What a browser shows of an element that holds no text for it: the label of a button, the value of a field or a meter, the
 * texts of a drawing, the name of an icon. Empty where it shows nothing.
 */
export function controlText(element: ElementNode): string {
  switch (element.name) {
    case "button":
      return hasWords(element) ? element.textContent : nameOf(element);
    case "input":
      return inputText(element);
    case "meter":
    case "progress":
      return measureText(element);
    case "svg":
      return nameOf(element) || element.textContent;
    case "img":
      return element.getAttribute("alt") || element.getAttribute("title");
    case "textarea":
      return element.textContent;
    case "time":
      return hasWords(element) ? element.textContent : element.getAttribute("datetime");
    default:
      return isIcon(element) ? nameOf(element) : "";
  }
}

function inputText(element: ElementNode): string {
  const kind = inputKind(element);
  if (kind === "button" && element.getAttribute("type").toLowerCase() === "image")
    return element.getAttribute("alt");
  return kind === "button" || kind === "value" ? element.getAttribute("value") : "";
}

function measureText(element: ElementNode): string {
  const [value, max] = [element.getAttribute("value"), element.getAttribute("max")];
  const name = nameOf(element);
  if (value === "") return name;
  return `${name === "" ? "" : `${name} `}${value}${max === "" || max === "1" ? "" : ` / ${max}`}`;
}

/** What an element is called for those who do not see it. */
export function nameOf(element: ElementNode): string {
  return element.getAttribute("aria-label") || element.getAttribute("title");
}

const unnamed = new Set(
  (
    "html body main head title meta link base iframe video audio source track area map object embed param template br hr col " +
    "td tr ul ol table tbody input img option form nav section article header footer pre code"
  ).split(" "),
);

/** Whether an element has a name in place of words: an icon, stars, a coloured dot. */
export function isIcon(element: ElementNode): boolean {
  if (element.attributes.size === 0 || unnamed.has(element.name) || hasWords(element)) return false;
  return findElement(element, ({ name }) => name === "img" || name === "input") === undefined;
}

/** Whether there is a letter, a digit or a picture below. */
export function hasWords(element: ElementNode): boolean {
  return element.childNodes.some(child =>
    isElement(child) ? child.name === "img" || hasWords(child) : /[\p{L}\p{N}]/u.test(child.text),
  );
}
