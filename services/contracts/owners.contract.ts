import { action, repeatable } from "./action.ts";
import { adminKey, days, keyBounds, keyName, ownerName, usageAndQuotas } from "./keys.contract.ts";
import { pageOfNames, pageWith } from "./paging.ts";
import { count, type Infer, named, nothing, rule, text, time, withMessage } from "./schema.ts";

const ownerSummary = named("Owner", {
  owner: text,
  keys: { ...count, description: "Its API keys." },
  has_password: { type: "boolean", description: "Whether it can sign in." },
});
export type OwnerSummary = Infer<typeof ownerSummary>;

/** Owners in the order of their names, without regard to case. */
export const listOwners = repeatable("keys.listOwners", {
  params: {
    ...pageOfNames,
    query: {
      type: "string",
      trim: true,
      min: 1,
      max: 100,
      optional: true,
      description: "Only owners whose name begins so, in any case of letters.",
    },
  },
  result: pageWith(ownerSummary),
});

const link = named("OwnerLink", {
  path: { ...text, description: "Where the owner sets its password, once. What follows `#` is the secret." },
  expires_at: time,
});

/** Makes the link by which an owner sets its password. An earlier link of the owner ends. */
export const createLink = action("keys.createLink", {
  params: { owner: ownerName },
  result: withMessage(link),
});

/** Takes an owner's password away and ends its sessions. */
export const removePassword = action("keys.removePassword", {
  params: { owner: ownerName },
  result: nothing,
});

/*
 * What an owner does with its own keys, after it has signed in.
 */

const id = rule({ type: "string", min: 1, max: 64, description: "`id` of one of your keys." });

/** The owner's keys, newest first. */
export const listOwnKeys = repeatable("keys.listOwn", { params: pageOfNames, result: pageWith(adminKey) });

/** Generates a key with the default limits. */
export const createOwnKey = action("keys.createOwn", {
  params: { name: keyName, ...keyBounds },
  result: withMessage(adminKey),
});

/** Changes the name, the scopes or the end of a key. */
export const renameOwnKey = repeatable("keys.renameOwn", {
  params: { id, name: { ...keyName, optional: true }, ...keyBounds },
  result: withMessage(adminKey),
});

export const deleteOwnKey = action("keys.deleteOwn", { params: { id }, result: nothing });

export const ownKeyUsage = repeatable("keys.ownUsage", {
  params: { id, days },
  result: usageAndQuotas,
});
