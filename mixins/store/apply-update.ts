import type { Doc } from "./store.ts";

interface AnyUpdate {
  $set?: Record<string, unknown>;
  $unset?: Record<string, unknown>;
  $inc?: Record<string, unknown>;
}

type Node = Record<string, unknown>;

/** A copy of the document after the update. The operators mean what MongoDB's operators of the same names mean. */
export function applyUpdate<D extends Doc>(doc: D, update: AnyUpdate): D {
  return changeBy(structuredClone(doc), update);
}

/** The same, but changes the document itself. */
export function changeBy<D extends Doc>(doc: D, { $set, $unset, $inc, ...unknown }: AnyUpdate): D {
  const [operator] = Object.keys(unknown);
  if (operator !== undefined) throw new TypeError(`Unknown update operator ${operator}`);
  const { _id } = doc;
  for (const [path, value] of Object.entries($set ?? {})) if (value !== undefined) set(doc, path, value);
  for (const path of Object.keys($unset ?? {})) unset(doc, path);
  for (const [path, by] of Object.entries($inc ?? {})) increment(doc, path, by);
  if (doc._id !== _id) throw new TypeError("The _id of a document never changes");
  return doc;
}

function set(doc: object, path: string, value: unknown): void {
  const [parent, name] = slot(doc, path);
  parent[name] = value;
}

function unset(doc: object, path: string): void {
  const names = path.split(".");
  const last = names.pop() ?? path;
  let node: unknown = doc;
  for (const name of names) node = isNode(node) && Object.hasOwn(node, name) ? node[name] : undefined;
  if (isNode(node)) delete node[last];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function increment(doc: object, path: string, by: unknown): void {
  const [parent, name] = slot(doc, path);
  const before = parent[name] ?? 0;
  if (typeof before !== "number" || typeof by !== "number")
    throw new TypeError(`${path}: only numbers can be incremented`);
  parent[name] = before + by;
}

/** The object that holds the last name of the path, created when it is missing. */
function slot(doc: object, path: string): [Node, string] {
  const names = path.split(".");
  const last = names.pop() ?? path;
  let node = doc as Node;
  for (const name of names) {
    if (!Object.hasOwn(node, name) || node[name] === null) node[name] = {};
    const child = node[name];
    if (typeof child !== "object") throw new TypeError(`${path}: ${name} holds no object`);
    node = child as Node;
  }
  return [node, last];
}
