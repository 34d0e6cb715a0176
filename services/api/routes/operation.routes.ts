import { receiveDelivery, verifyIntent } from "../../contracts/connectors.contract.ts";
import { live, metrics, ready } from "../http/health.ts";
import { docs, docsFile, openapi } from "../openapi/docs.ts";
import type { Route } from "./route.ts";

const common = { method: "GET", auth: "none", status: 200, tag: "Operations" } as const;

export const operationRoutes: Route[] = [
  {
    ...common,
    name: "checkLiveness",
    path: "/health/live",
    action: live,
    summary: "Check that the process is alive",
    responses: { 200: { description: "The process is alive." } },
  },
  {
    ...common,
    name: "checkReadiness",
    path: "/health/ready",
    action: ready,
    summary: "Check that the service is ready",
    description:
      "Names what is missing and what to do about it. A degraded part does not make the service unready.",
    responses: { 200: { description: "Ready, perhaps with degraded parts." } },
    errors: ["overloaded"],
  },
  {
    ...common,
    name: "getMetrics",
    path: "/metrics",
    action: metrics,
    summary: "Metrics for Prometheus",
    responses: { 200: { description: "Text format 0.0.4.", type: "text/plain" } },
  },
  {
    ...common,
    name: "getOpenApi",
    path: "/openapi.json",
    action: openapi,
    anyOrigin: true,
    summary: "This document",
    responses: { 200: { description: "OpenAPI 3.1." } },
  },
  {
    ...common,
    name: "readDocs",
    path: "/docs",
    action: docs,
    summary: "This document as a page to read and try",
    responses: { 200: { description: "A page.", type: "text/html" } },
  },
  {
    ...common,
    name: "getDocsFile",
    path: "/docs/{file}",
    action: docsFile,
    hidden: true,
    summary: "A file of the page",
    responses: { 200: { description: "The file.", type: "application/octet-stream" } },
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
