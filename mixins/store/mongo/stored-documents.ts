import { randomBytes } from "node:crypto";
import type { Collection } from "mongodb";
import type { Doc, Index } from "../store.ts";
import { withOwnNames, withSafeNames } from "./safe-names.ts";

/** A document as the server stores it. */
export interface StoredDoc extends Doc {
  /** The version: every write gives another one. */
  _v: string;
}

/** A collection on the server. */
export interface StoredCollection {
  /** The service's name for it. */
  name: string;
  stored: Collection<StoredDoc>;
  /** The declared indexes that are unique. */
  uniques: Index[];
}

const process = randomBytes(9).toString("base64url");
let count = 0;

/** A version that no process has used before. */
export function newVersion(): string {
  count += 1;
  return `${process}${count.toString(36)}`;
}

export function stamped(doc: Doc, _v = newVersion()): StoredDoc {
  if (typeof doc._id !== "string") throw new TypeError("A document needs a string _id");
  return { ...withSafeNames(doc), _v };
}

/** The document as its service knows it. */
export function withoutVersion({ _v, ...doc }: StoredDoc): Doc {
  return withOwnNames(doc);
}
