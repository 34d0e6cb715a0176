import { belowDashboard, dashboard } from "../dashboard/page.ts";
import type { Route } from "./route.ts";

const page = {
  method: "GET",
  auth: "none",
  dashboard: true,
  status: 200,
  tag: "Operations",
  summary: "The dashboard",
  description:
    "A page for browsers. It signs in with `POST /session`, and does nothing that this API cannot.",
  responses: { 200: { description: "A page.", type: "text/html" } },
} as const;

const below = { ...page, action: belowDashboard, hidden: true };

/** The dashboard and its files. It is a client of the other rows, so the document says no more than where it is. */
export const dashboardRoutes: Route[] = [
  { ...page, name: "openDashboard", path: "/dashboard", action: dashboard },
  { ...below, name: "getDashboardFile", path: "/dashboard/{first}" },
  { ...below, name: "getDashboardFileBelow", path: "/dashboard/{first}/{second}" },
  { ...below, name: "getDashboardFileFarBelow", path: "/dashboard/{first}/{second}/{third}" },
];
