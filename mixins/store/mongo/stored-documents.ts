import { randomBytes } from "node:crypto";
import type { Collection } from "mongodb";
import type { Doc, Index } from "../store.ts";

/** A document as the server stores it. */
export interface StoredDoc extends Doc {
  /** The version: every write gives another one. */
  _v: string;
  /** The transaction that holds the document; no one else changes it. */
  _lock?: string;
  /** A placeholder: it reserves its identity and its unique values for the transaction that holds it. */
  _new?: true;
}

/** A collection on the server. */
export interface StoredCollection {
  /** The service's name for it. */
  name: string;
  stored: Collection<StoredDoc>;
  /** The declared indexes that are unique. */
  uniques: Index[];
}

export const unlocked = { _lock: { $exists: false } } as const;
export const visible = { _new: { $exists: false } } as const;

const process = randomBytes(9).toString("base64url");
let count = 0;

/** A version, or the identity of a transaction, that no process has used before. */
export function newVersion(): string {
  count += 1;
  return `${process}${count.toString(36)}`;
}

export function stamped(doc: Doc, _v = newVersion()): StoredDoc {
  if (typeof doc._id !== "string") throw new TypeError("A document needs a string _id");
  return { ...doc, _v };
}

/** The document as its service knows it. */
export function withoutMarks({ _v, _lock, _new, ...doc }: StoredDoc): Doc {
  return doc;
}
