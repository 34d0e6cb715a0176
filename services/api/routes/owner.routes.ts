import { getErasure, startErasure } from "../../contracts/erasure.contract.ts";
import * as contract from "../../contracts/owners.contract.ts";
import { keyExample as key, usageExample } from "../openapi/examples.ts";
import type { Route } from "./route.ts";

const own = { auth: "owner", tag: "Owner", dashboard: true } as const;

/** An owner's own keys. No API key may ask for these: one that leaked could make others. */
export const ownerRoutes: Route[] = [
  {
    ...own,
    name: "listOwnKeys",
    method: "GET",
    path: "/owner/keys",
    action: contract.listOwnKeys,
    status: 200,
    summary: "List your keys",
    description: "Newest first, with masked values.",
    responses: {
      200: {
        description: "The keys.",
        example: { data: [key], next_cursor: null, message: "API keys listed." },
      },
    },
  },
  {
    ...own,
    name: "createOwnKey",
    method: "POST",
    path: "/owner/keys",
    action: contract.createOwnKey,
    status: 201,
    idempotent: true,
    summary: "Generate a key",
    description: "The answer is the only one that has the value. The limits are the defaults.",
    examples: {
      plain: { name: "production" },
      "to read only": { name: "reports", scopes: ["read"], expires_at: "2030-01-31T00:00:00Z" },
    },
    responses: {
      201: {
        description: "The new key.",
        example: { data: { ...key, key: "mk_…" }, message: "API key generated." },
      },
    },
    errors: ["key_limit_reached"],
  },
  {
    ...own,
    name: "renameOwnKey",
    method: "PATCH",
    path: "/owner/keys/{id}",
    action: contract.renameOwnKey,
    status: 200,
    summary: "Rename a key, or change its scopes or its end",
    description: "What the body leaves out stays as it is; `null` takes scopes or an end away.",
    examples: { rename: { name: "staging" }, scopes: { scopes: ["scrape", "read"] } },
    responses: {
      200: { description: "The key as it is now.", example: { data: key, message: "API key updated." } },
    },
    errors: ["not_found"],
  },
  {
    ...own,
    name: "deleteOwnKey",
    method: "DELETE",
    path: "/owner/keys/{id}",
    action: contract.deleteOwnKey,
    status: 204,
    summary: "Delete a key",
    description: "It stops working on every node within a second.",
    responses: { 204: { description: "It is gone." } },
    errors: ["not_found"],
  },
  {
    ...own,
    name: "getOwnKeyUsage",
    method: "GET",
    path: "/owner/keys/{id}/usage",
    action: contract.ownKeyUsage,
    status: 200,
    summary: "Requests of a key per day",
    description: "Days are UTC, newest first; days without a request are left out.",
    responses: { 200: { description: "The counts.", example: usageExample } },
    errors: ["not_found"],
  },
];

const erasureExample = {
  id: "era_01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
  subject: "owner",
  dry_run: false,
  state: "running",
  step: "count",
  found: [],
  created_at: "2025-03-25T09:30:00.000Z",
  ended_at: null,
};

const administration = { auth: "admin", tag: "Administration" } as const;

/** Owners, for the administrator. */
export const ownerAdminRoutes: Route[] = [
  {
    ...administration,
    name: "listOwners",
    method: "GET",
    path: "/internal/owners",
    action: contract.listOwners,
    status: 200,
    summary: "List owners",
    description: "In the order of their names: those with keys, and those who were sent a link.",
    responses: {
      200: {
        description: "The owners.",
        example: {
          data: [{ owner: "acme", keys: 2, has_password: true }],
          next_cursor: null,
          message: "Owners listed.",
        },
      },
    },
  },
  {
    ...administration,
    name: "createOwnerLink",
    dashboard: true,
    method: "POST",
    path: "/internal/owners/{owner}/link",
    action: contract.createLink,
    status: 201,
    summary: "Let an owner in",
    description:
      "A link by which the owner sets its password, once, within 24 hours. The owner may be a new one. An earlier link " +
      "ends; a password that the owner has holds until the link is used.",
    responses: {
      201: {
        description: "The link, without the gateway's own address.",
        example: {
          data: { path: "/dashboard/welcome#qk3v…", expires_at: "2025-03-26T09:30:00.000Z" },
          message: "Send this link to the owner. It works once, for 24 hours.",
        },
      },
    },
  },
  {
    ...administration,
    name: "deleteOwnerPassword",
    dashboard: true,
    method: "DELETE",
    path: "/internal/owners/{owner}/password",
    action: contract.removePassword,
    status: 204,
    summary: "Take an owner's password away",
    description: "Its sessions end within a second, and so does its link. Its keys stay.",
    responses: { 204: { description: "It is gone." } },
    errors: ["not_found"],
  },
  {
    ...administration,
    name: "startErasure",
    method: "POST",
    path: "/internal/erasures",
    action: startErasure,
    status: 202,
    summary: "Erase what is kept of a key, an owner or a source",
    description:
      "Deletes the key, or the owner with all its keys, and everything that is kept of them: results, pictures, sources, " +
      "history, events, endpoints, deliveries, usage. With `source` and `eid` it is a source that goes, for all keys: with its history, its " +
      "state and the content of its events, which stay as `event.erased`. It runs by itself and goes on after a crash. With `dry_run` it only counts.",
    examples: {
      key: { key_id: "01JQ4T5W6X7Y8Z9ABCDEFGHJKM" },
      "a source, for all keys": { source: "rss", eid: "https://example.com/feed.xml" },
      "count what an owner has": { owner: "acme", dry_run: true },
    },
    responses: {
      202: {
        description: "It has begun.",
        example: { data: erasureExample, message: "The erasure has begun." },
      },
    },
  },
  {
    ...administration,
    name: "getErasure",
    method: "GET",
    path: "/internal/erasures/{id}",
    action: getErasure,
    status: 200,
    summary: "Show an erasure",
    description: "How far it is, and how many of each kind were found before.",
    responses: {
      200: {
        description: "The erasure.",
        example: {
          data: {
            ...erasureExample,
            state: "completed",
            step: null,
            found: [{ kind: "scrapes", count: 12 }],
            ended_at: "2025-03-25T09:30:07.000Z",
          },
          message: "The erasure has ended.",
        },
      },
    },
    errors: ["not_found"],
  },
];
