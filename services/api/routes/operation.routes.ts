import { readiness, shape } from "../openapi/schemas.ts";
import { docs, docsFile } from "../own/docs.ts";
import { live } from "../own/live.ts";
import { metrics } from "../own/metrics.ts";
import { openapi } from "../own/openapi.ts";
import { ready } from "../own/ready.ts";
import type { Route } from "../route.ts";

const common = { method: "GET", auth: "none", status: 200, tag: "Operations" } as const;

export const operationRoutes: Route[] = [
  {
    ...common,
    path: "/health/live",
    action: live,
    summary: "Is the process alive",
    responses: { 200: { description: "It is.", schema: shape({ status: { const: "live" } }) } },
  },
  {
    ...common,
    path: "/health/ready",
    action: ready,
    summary: "Is the service ready",
    description:
      "Names what is missing and what to do about it. A part that is degraded leaves the service ready.",
    responses: { 200: { description: "Ready, perhaps with less than everything.", schema: readiness } },
    errors: ["overloaded"],
  },
  {
    ...common,
    path: "/metrics",
    action: metrics,
    summary: "Metrics for Prometheus",
    responses: { 200: { description: "Text format 0.0.4.", type: "text/plain" } },
  },
  {
    ...common,
    path: "/openapi.json",
    action: openapi,
    anyOrigin: true,
    summary: "This document",
    responses: { 200: { description: "OpenAPI 3.1.", schema: { type: "object" } } },
  },
  {
    ...common,
    path: "/docs",
    action: docs,
    summary: "This document, to read and try",
    responses: { 200: { description: "A page.", type: "text/html" } },
  },
  {
    ...common,
    path: "/docs/{file}",
    action: docsFile,
    hidden: true,
    summary: "A file of the page",
    responses: { 200: { description: "The file.", type: "application/octet-stream" } },
  },
];
