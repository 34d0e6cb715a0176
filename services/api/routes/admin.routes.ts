import { createKey, deleteKey, keyUsage, listKeys, updateKey } from "../../contracts/keys.contract.ts";
import { adminKey, usageDay, withMessage } from "../openapi/schemas.ts";
import type { Route } from "../route.ts";

const common = { auth: "admin", tag: "Administration" } as const;

export const adminRoutes: Route[] = [
  {
    ...common,
    method: "GET",
    path: "/internal/keys",
    action: listKeys,
    status: 200,
    summary: "List keys",
    description: "Every key, or those of one owner, newest first.",
    responses: { 200: { description: "The keys.", schema: withMessage({ type: "array", items: adminKey }) } },
  },
  {
    ...common,
    method: "POST",
    path: "/internal/keys",
    action: createKey,
    status: 201,
    summary: "Generate a key",
    description: "The value is generated here. Limits that are left out take the defaults.",
    examples: {
      plain: { owner: "acme", name: "production" },
      limited: { owner: "acme", name: "trial", limits: { requestsPerMinute: 60, concurrentScrapes: 2 } },
    },
    responses: { 201: { description: "The new key.", schema: withMessage(adminKey) } },
    errors: ["key_limit_reached"],
  },
  {
    ...common,
    method: "PATCH",
    path: "/internal/keys/{id}",
    action: updateKey,
    status: 200,
    summary: "Rename a key or change its limits",
    examples: { rename: { name: "staging" }, limits: { limits: { requestsPerMinute: 1200 } } },
    responses: { 200: { description: "The key as it is now.", schema: withMessage(adminKey) } },
    errors: ["not_found"],
  },
  {
    ...common,
    method: "DELETE",
    path: "/internal/keys/{id}",
    action: deleteKey,
    status: 204,
    summary: "Delete a key",
    description: "It stops working on every node within a second.",
    responses: { 204: { description: "It is gone." } },
    errors: ["not_found"],
  },
  {
    ...common,
    method: "GET",
    path: "/internal/keys/{id}/usage",
    action: keyUsage,
    status: 200,
    summary: "Requests of a key per day",
    description: "Days are UTC, newest first; days without a request are left out.",
    responses: {
      200: { description: "The counts.", schema: withMessage({ type: "array", items: usageDay }) },
    },
    errors: ["not_found"],
  },
];
