import type { ErrorCode } from "../../contracts/errors.ts";
import * as contract from "../../contracts/monitors.contract.ts";
import { monitorsTool, runMonitorTool } from "../mcp/site-tools.ts";
import { monitorCheckExample, monitorExample, monitorPageExample } from "../openapi/monitor-examples.ts";
import { page, type Route } from "./route.ts";

const errors: ErrorCode[] = ["not_found"];
const common = { auth: "key", tag: "Monitors", status: 200, errors } as const;

const { id } = monitorExample;

/** Sources of a key that are checked together. */
export const monitorRoutes: Route[] = [
  {
    ...common,
    name: "createMonitor",
    scopes: ["track"],
    method: "POST",
    path: "/monitors",
    action: contract.createMonitor,
    status: 201,
    errors: ["key_limit_reached"],
    idempotent: true,
    summary: "Make a monitor",
    description:
      "Pages, sites and searches that are checked together, at the times of a schedule. Nothing is read yet: the first check " +
      "tracks them, as sources of the key with the tag `monitor:<id>`, and later ones compare. What is found becomes " +
      "events of these sources, and the end of each check is an event `monitor.checked`; an endpoint with the tag gets " +
      "both. A key has up to 100 monitors, and their sources count as others do.",
    examples: {
      "two pages": {
        name: "Prices",
        schedule: { text: "every 30 minutes" },
        targets: [{ source: "web", sids: ["https://example.com/lamp", "https://example.com/desk"] }],
      },
      "a site": {
        name: "Documentation",
        schedule: { cron: "0 9 * * mon-fri", time_zone: "Europe/Vienna" },
        targets: [{ source: "site", sids: ["https://example.com/docs/"], options: { limit: 200 } }],
      },
      "a search": {
        name: "Crows",
        schedule: { text: "daily at 9:00" },
        targets: [{ source: "search", sids: ["crows bend wire"], options: { window: "week" } }],
      },
    },
    responses: {
      201: {
        description: "The monitor.",
        example: { data: { ...monitorExample, last_check: null }, message: "The monitor is made." },
      },
    },
  },
  {
    ...common,
    name: "listMonitors",
    scopes: ["read", "track"],
    method: "GET",
    path: "/monitors",
    action: contract.listMonitors,
    tool: monitorsTool,
    errors: [],
    summary: "List the monitors of the key",
    description: "The latest first.",
    responses: page("The monitors.", monitorExample),
  },
  {
    ...common,
    name: "getMonitor",
    scopes: ["read", "track"],
    method: "GET",
    path: "/monitors/{id}",
    action: contract.readMonitor,
    summary: "Get a monitor",
    description: "Its targets, its times, when it is checked next, and how the last check ended.",
    responses: {
      200: {
        description: "The monitor.",
        example: { data: monitorExample, message: "This is the monitor." },
      },
    },
  },
  {
    ...common,
    name: "changeMonitor",
    scopes: ["track"],
    method: "PATCH",
    path: "/monitors/{id}",
    action: contract.changeMonitor,
    summary: "Change or pause a monitor",
    description:
      "What is not named stays. Targets are replaced as a whole: sources that are in both stay as they are, with their past.",
    examples: { pause: { paused: true }, "another time": { schedule: { text: "hourly" } } },
    responses: {
      200: {
        description: "As it is now.",
        example: { data: monitorExample, message: "The monitor is changed." },
      },
    },
  },
  {
    ...common,
    name: "deleteMonitor",
    scopes: ["track"],
    method: "DELETE",
    path: "/monitors/{id}",
    action: contract.removeMonitor,
    summary: "Delete a monitor",
    description:
      "With its checks; its sources are no longer tracked, and its endpoints (`monitor` of `GET /webhooks`) are removed.",
    responses: {
      200: {
        description: "It is gone.",
        example: { message: "The monitor is deleted; its sources are no longer tracked." },
      },
    },
  },
  {
    ...common,
    name: "runMonitor",
    scopes: ["track"],
    method: "POST",
    path: "/monitors/{id}/run",
    action: contract.runMonitor,
    tool: runMonitorTool,
    status: 202,
    errors: ["not_found", "conflict"],
    summary: "Check a monitor now",
    description: "Also while it is paused. There is one check at a time.",
    responses: {
      202: {
        description: "The check has begun.",
        example: {
          data: { ...monitorCheckExample, status: "running", trigger: "manual", ended_at: null },
          message: "The check has begun.",
        },
      },
    },
  },
  {
    ...common,
    name: "listMonitorChecks",
    scopes: ["read", "track"],
    method: "GET",
    path: "/monitors/{id}/checks",
    action: contract.listMonitorChecks,
    summary: "List the checks of a monitor",
    description: "Newest first.",
    examples: { failed: { id, status: "partial" } },
    responses: page("The checks.", monitorCheckExample),
  },
  {
    ...common,
    name: "getMonitorCheck",
    scopes: ["read", "track"],
    method: "GET",
    path: "/monitors/{id}/checks/{check}",
    action: contract.readMonitorCheck,
    tool: monitorsTool,
    summary: "Get a check and its pages",
    description:
      "A page of the pages; `status` chooses among them. Pages of a site that are as they were are counted and not listed.",
    examples: { changes: { id, check: monitorCheckExample.id, status: "changed" } },
    responses: {
      200: {
        description: "The check.",
        example: {
          data: { ...monitorCheckExample, pages: [monitorPageExample], next_cursor: null },
          message: "This is the check.",
        },
      },
    },
  },
];
