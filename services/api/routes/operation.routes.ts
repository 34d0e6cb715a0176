import { directoryType } from "../../../mixins/egress/bot-identity.ts";
import { receiveDelivery, verifyIntent } from "../../contracts/connectors.contract.ts";
import { keyScopes } from "../../contracts/key-scopes.ts";
import { botDirectory } from "../http/bot-directory.ts";
import { live, metrics, ready } from "../http/health.ts";
import { asyncapi } from "../openapi/asyncapi.ts";
import { docs, docsChapter, openapi } from "../openapi/docs.ts";
import type { Route } from "./route.ts";

const common = { method: "GET", auth: "none", status: 200, tag: "Operations" } as const;

const finding = {
  name: "browser",
  status: "degraded",
  detail: "There is no browser here: pages are read as the server sends them.",
};

const states = {
  scraper: { status: "degraded", findings: [finding] },
  keys: { status: "ready", findings: [] },
};

export const operationRoutes: Route[] = [
  {
    ...common,
    name: "checkLiveness",
    path: "/health/live",
    action: live,
    summary: "Check that the process is alive",
    description: "Asks nothing of other services. For the liveness probe of an orchestrator.",
    responses: { 200: { description: "The process is alive.", example: { status: "live" } } },
  },
  {
    ...common,
    name: "checkReadiness",
    path: "/health/ready",
    action: ready,
    summary: "Check that the service is ready",
    description:
      "Names what is missing and what to do about it. A degraded part does not make the service unready.",
    responses: {
      200: {
        description: "Ready, perhaps with degraded parts.",
        example: {
          status: "degraded",
          services: states,
          rooms: states,
          missing: [{ service: "scraper", room: "scraper", ...finding }],
        },
      },
    },
    errors: ["overloaded"],
  },
  {
    ...common,
    name: "getMetrics",
    path: "/metrics",
    action: metrics,
    summary: "Metrics for Prometheus",
    description:
      "Counters and gauges of this process: requests, deliveries, queues, memory. In a cluster each node has them on its " +
      "health port, and here is nothing.",
    responses: {
      200: {
        description: "Text format 0.0.4.",
        type: "text/plain",
        example: "# TYPE magpie_queue_waiting gauge\nmagpie_queue_waiting 0\n",
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    name: "getOpenApi",
    path: "/openapi.json",
    action: openapi,
    anyOrigin: true,
    summary: "This document",
    description:
      "For generators of clients, and for tools that read OpenAPI. Pages of any origin may read it.",
    responses: {
      200: {
        description: "OpenAPI 3.1.",
        example: { openapi: "3.1.0", info: { title: "Magpie", version: "1.0.0" }, paths: {} },
      },
    },
  },
  {
    ...common,
    name: "getAsyncApi",
    path: "/asyncapi.json",
    action: asyncapi,
    anyOrigin: true,
    summary: "What webhooks receive and streams carry, as AsyncAPI",
    description: "For generators and tools that read AsyncAPI. Pages of any origin may read it.",
    responses: {
      200: {
        description: "AsyncAPI 3.0.",
        example: { asyncapi: "3.0.0", info: { title: "Magpie", version: "1.0.0" }, channels: {} },
      },
    },
  },
  {
    ...common,
    name: "readDocs",
    path: "/docs",
    action: docs,
    summary: "This document as pages to read",
    description: "Every operation in a line; each chapter has a page with fields, examples and errors.",
    responses: { 200: { description: "A page.", type: "text/html" } },
  },
  {
    ...common,
    name: "readDocsChapter",
    path: "/docs/{chapter}",
    action: docsChapter,
    hidden: true,
    summary: "A chapter of the reference",
    responses: { 200: { description: "A page.", type: "text/html" } },
  },
  {
    ...common,
    name: "getBotDirectory",
    path: "/.well-known/http-message-signatures-directory",
    action: botDirectory,
    anyOrigin: true,
    hidden: true,
    summary: "The keys that sign requests to sites",
    responses: { 200: { description: "A JWK set, signed.", type: directoryType } },
    errors: ["not_found"],
  },
];

const callback = { auth: "none", tag: "Operations", path: "/websub/{token}", hidden: true } as const;

/** Hubs call these (W3C WebSub). Only hubs know the tokens, so the document leaves them out. */
export const websubRoutes: Route[] = [
  {
    ...callback,
    name: "verifyWebsub",
    method: "GET",
    action: verifyIntent,
    status: 200,
    summary: "Verify a subscription",
    responses: { 200: { description: "The challenge.", type: "text/plain; charset=utf-8" } },
    errors: ["not_found"],
  },
  {
    ...callback,
    name: "receiveWebsub",
    method: "POST",
    action: receiveDelivery,
    raw: { headers: { signature: "x-hub-signature" } },
    status: 202,
    summary: "Distribute content",
    responses: { 202: { description: "Taken, or ignored." } },
    errors: ["expired"],
  },
];

const protocol = {
  scopes: keyScopes,
  path: "/mcp",
  action: { kind: "mcp", params: {} },
  auth: "key",
  status: 200,
  tag: "Operations",
  hidden: true,
} as const;

/** The Model Context Protocol: the rows with a `tool` as tools for language models. */
export const mcpRoutes: Route[] = [
  {
    ...protocol,
    name: "mcp",
    method: "POST",
    summary: "Tools for language models",
    description: "Messages of the Model Context Protocol, revisions 2026-07-28 and 2025.",
    responses: { 200: { description: "The answer to the message." } },
  },
  {
    ...protocol,
    name: "streamMcpNotifications",
    method: "GET",
    summary: "Notifications for a client of 2025",
    responses: { 200: { description: "Server-sent events.", type: "text/event-stream" } },
    errors: ["not_found", "method_not_allowed"],
  },
  {
    ...protocol,
    name: "endMcpSession",
    method: "DELETE",
    status: 204,
    summary: "End the session of a client of 2025",
    responses: { 204: { description: "It has ended." } },
    errors: ["not_found", "method_not_allowed"],
  },
];
