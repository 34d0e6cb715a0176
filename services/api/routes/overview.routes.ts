import { allUsage } from "../../contracts/keys.contract.ts";
import { overview } from "../overview/overview.ts";
import type { Route } from "./route.ts";

const hour = (last: number) => [...new Array<number>(59).fill(0), last];

/** What an administrator sees of a whole installation. */
export const overviewRoutes: Route[] = [
  {
    name: "getOverview",
    auth: "admin",
    tag: "Administration",
    method: "GET",
    path: "/internal/overview",
    action: overview,
    status: 200,
    summary: "Show the state of the installation",
    description:
      "Health, what is stored and under way, and what happened by minute in the last hour. Each process counts for itself, from " +
      "its start; the numbers of a node that does not answer within a second are missing, and `nodes` says so.",
    responses: {
      200: {
        description: "The state.",
        example: {
          data: {
            ready: true,
            parts: [{ name: "keys", status: "ready", problem: null }],
            counts: {
              keys: 3,
              sources: 120,
              sources_failing: 2,
              endpoints: 3,
              endpoints_failed: 0,
              events_waiting: 0,
              scrapes_running: 1,
              scrapes_waiting: 0,
              crawls_running: 0,
            },
            rates: {
              from: "2025-03-25T08:31:00.000Z",
              step_s: 60,
              series: {
                requests: hour(12),
                events: hour(4),
                delivered: hour(4),
                failed: hour(0),
                polls: hour(20),
                scrapes: hour(2),
              },
            },
            nodes: [{ id: "host-4711-a1b2", services: ["api", "keys"], answered: true }],
          },
          message: "Overview.",
        },
      },
    },
  },
  {
    name: "getTotalUsage",
    auth: "admin",
    tag: "Administration",
    method: "GET",
    path: "/internal/usage",
    action: allUsage,
    status: 200,
    summary: "Requests of all keys per day",
    description: "The total by day, and the 20 keys with the most requests.",
    responses: {
      200: {
        description: "The counts.",
        example: {
          data: {
            days: ["2025-03-24", "2025-03-25"],
            total: [120, 80],
            keys: [
              { key_id: "01JQ4T5W6X7Y8Z9ABCDEFGHJKM", name: "production", owner: "ann", requests: [90, 75] },
            ],
          },
          message: "Usage listed.",
        },
      },
    },
  },
];
