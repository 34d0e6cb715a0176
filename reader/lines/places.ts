import { type ElementNode, isElement } from "../html/tree.ts";
import { isStable } from "../recipe/selector-for.ts";

/** Classes that say how a thing is, not what it is. */
const states = new Set(
  (
    "active open opened closed selected current hidden visible show shown in out loading loaded lazy lazyload lazyloaded lazyloading " +
    "disabled enabled focus hover expanded collapsed first last odd even new sold unread read checked animated fade sticky fixed " +
    "no-js js clearfix row col container wrapper inner outer left right center"
  ).split(" "),
);
const stateName =
  /^(?:is|has|was|not)-|[-_]{1,2}(?:active|open|closed|selected|current|hidden|visible|loading|loaded|disabled|sold|available|unavailable)$/;
const landmarks = new Set(["main", "body"]);
/** Characters of a path; what is deeper is named by a number. */
const maxPath = 200;

/** Names each element by its path: equal at each check, while what is around it stays. */
export class Places {
  private readonly places = new WeakMap<ElementNode, string>();
  private readonly keys = new Map<string, string>();
  private readonly anchors = new Map<string, number>();

  constructor(body: ElementNode) {
    this.places.set(body, "body");
    this.name(body, "body");
  }

  of(element: ElementNode): string {
    return this.places.get(element) ?? "";
  }

  private name(parent: ElementNode, path: string): void {
    let counts: Map<string, number> | undefined;
    for (const child of parent.childNodes) {
      if (!isElement(child)) continue;
      const anchor = this.anchorOf(child);
      let place = anchor;
      if (place === undefined) {
        counts ??= new Map();
        const key = this.keyOf(child);
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        place = short(`${path}>${key}${count === 1 ? "" : `:${count}`}`);
      }
      this.places.set(child, place);
      if (child.childNodes.length > 0) this.name(child, place);
    }
  }

  private anchorOf({ name, attributes }: ElementNode): string | undefined {
    const id = attributes.size === 0 ? undefined : attributes.get("id");
    const anchor = id !== undefined && isStable(id) ? `#${id}` : landmarks.has(name) ? name : undefined;
    if (anchor === undefined) return undefined;
    const count = (this.anchors.get(anchor) ?? 0) + 1;
    this.anchors.set(anchor, count);
    return count === 1 ? anchor : `${anchor}:${count}`;
  }

  private keyOf({ name, attributes }: ElementNode): string {
    const classes = attributes.size === 0 ? undefined : attributes.get("class");
    if (classes === undefined) return name;
    const known = `${name} ${classes}`;
    let key = this.keys.get(known);
    if (key === undefined) {
      const own = classes
        .split(/\s+/)
        .find(each => isStable(each) && !states.has(each) && !stateName.test(each));
      key = own === undefined ? name : `${name}.${own}`;
      this.keys.set(known, key);
    }
    return key;
  }
}

function short(path: string): string {
  if (path.length <= maxPath) return path;
  const end = path.lastIndexOf(">", maxPath / 2);
  return `${path.slice(0, end)}>~${hashOf(path.slice(end))}`;
}

/** FNV-1a, twice. */
function hashOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x1000193];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b + code, 0x85ebca6b) ^ (b >>> 13);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}
