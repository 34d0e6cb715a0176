import { keyScopes } from "../../contracts/key-scopes.ts";
import {
  aboutMe,
  createKey,
  deleteKey,
  keyUsage,
  listKeys,
  listMyKeys,
  myUsage,
  setMessengerDefaultKey,
  updateKey,
} from "../../contracts/keys.contract.ts";
import { keyExample, ownKeyExample, usageExample } from "../openapi/examples.ts";
import { page, type Route } from "./route.ts";

const usageDescription =
  "Days are UTC, newest first; days without a request are left out. `quotas` are those that are set.";

export const keyRoutes: Route[] = [
  {
    name: "me",
    scopes: keyScopes,
    method: "GET",
    path: "/users/me",
    action: aboutMe,
    auth: "key",
    status: 200,
    tag: "API keys",
    summary: "The calling key",
    description: "Its name, owner, scopes, end, limits and quotas, and the requests of today.",
    responses: {
      200: {
        description: "The key.",
        example: {
          data: {
            key: { ...ownKeyExample, key: keyExample.key },
            owner: keyExample.owner,
            limits: keyExample.limits,
            quotas: keyExample.quotas,
            requests_today: 37,
          },
          message: "This is you.",
        },
      },
    },
  },
  {
    name: "getUsage",
    scopes: ["read"],
    method: "GET",
    path: "/users/me/usage",
    action: myUsage,
    auth: "key",
    status: 200,
    tag: "API keys",
    summary: "Requests of the calling key per day, and its quotas",
    description: usageDescription,
    responses: { 200: { description: "The counts.", example: usageExample } },
  },
  {
    name: "listApiKeys",
    scopes: [],
    method: "GET",
    path: "/users/me/api-keys",
    action: listMyKeys,
    auth: "key",
    status: 200,
    tag: "API keys",
    summary: "List the owner's keys",
    description:
      "Every key that belongs to the same owner as the calling key, newest first, with its value: for keys without scopes.",
    responses: {
      200: {
        description: "The keys.",
        example: {
          data: { apiKeys: [ownKeyExample], messengerDefaultApiKeyId: null },
          message: "API keys listed.",
        },
      },
    },
  },
  {
    name: "setMessengerDefaultKey",
    scopes: [],
    method: "PUT",
    path: "/users/me/messenger-default-key",
    action: setMessengerDefaultKey,
    auth: "key",
    status: 200,
    tag: "API keys",
    summary: "Choose the messenger bot's key",
    description: "`null` chooses none. A key of another owner is a 404.",
    examples: {
      choose: { apiKeyId: "01JQ4T5W6X7Y8Z9ABCDEFGHJKM" },
      none: { apiKeyId: null },
    },
    responses: {
      200: {
        description: "The choice.",
        example: {
          data: { messengerDefaultApiKeyId: ownKeyExample.id },
          message: "The messenger bot uses this key.",
        },
      },
    },
    errors: ["not_found"],
  },
];

const administration = { auth: "admin", tag: "Administration" } as const;

export const keyAdminRoutes: Route[] = [
  {
    ...administration,
    name: "listAllApiKeys",
    method: "GET",
    path: "/internal/keys",
    action: listKeys,
    status: 200,
    summary: "List keys",
    description:
      "Newest first, with masked values. With `query`, keys whose owner begins so, in the order of owners, and after them " +
      "those whose name does, in the order of names; upper and lower case are the same.",
    responses: page("The keys.", keyExample),
  },
  {
    ...administration,
    name: "createApiKey",
    method: "POST",
    path: "/internal/keys",
    action: createKey,
    status: 201,
    idempotent: true,
    summary: "Generate a key",
    description:
      "The service generates the value; this answer is the only one that has it. Limits that are left out have the defaults, and there are no scopes, no end and no quota unless they are set.",
    examples: {
      plain: { owner: "acme", name: "production" },
      "to read only": {
        owner: "acme",
        name: "reports",
        scopes: ["read"],
        expires_at: "2030-01-31T00:00:00Z",
      },
      limited: { owner: "acme", name: "trial", limits: { requestsPerMinute: 60, concurrentScrapes: 2 } },
    },
    responses: {
      201: {
        description: "The new key.",
        example: { data: { ...keyExample, key: ownKeyExample.key }, message: "API key generated." },
      },
    },
    errors: ["key_limit_reached"],
  },
  {
    ...administration,
    name: "updateApiKey",
    method: "PATCH",
    path: "/internal/keys/{id}",
    action: updateKey,
    status: 200,
    summary: "Change a key",
    description: "What the body leaves out stays as it is; `null` takes scopes or an end away.",
    examples: {
      scopes: { scopes: ["scrape", "read"] },
      end: { expires_at: "2030-01-31T00:00:00Z" },
      rename: { name: "staging" },
      limits: { limits: { requestsPerMinute: 1200 } },
      quotas: { quotas: { day: { pages: 1000 }, month: { rendered: null } } },
    },
    responses: {
      200: {
        description: "The key as it is now.",
        example: { data: keyExample, message: "API key updated." },
      },
    },
    errors: ["not_found"],
  },
  {
    ...administration,
    name: "deleteApiKey",
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
    ...administration,
    name: "getApiKeyUsage",
    method: "GET",
    path: "/internal/keys/{id}/usage",
    action: keyUsage,
    status: 200,
    summary: "Requests of a key per day, and its quotas",
    description: usageDescription,
    responses: {
      200: { description: "The counts.", example: usageExample },
    },
    errors: ["not_found"],
  },
];
