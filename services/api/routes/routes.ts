import { auditRoutes, backupRoutes, inspectionRoutes, postRoutes } from "./admin.routes.ts";
import { batchRoutes } from "./batch.routes.ts";
import { compatRoutes } from "./compat.routes.ts";
import { crawlRoutes, mapRoutes } from "./crawl.routes.ts";
import { dashboardRoutes } from "./dashboard.routes.ts";
import { feedRoutes } from "./feed.routes.ts";
import { guideRoutes } from "./guide.routes.ts";
import { historyRoutes } from "./history.routes.ts";
import { jobListRoutes } from "./job-lists.routes.ts";
import { keyAdminRoutes, keyRoutes } from "./key.routes.ts";
import { mailRoutes } from "./mail.routes.ts";
import { monitorRoutes } from "./monitor.routes.ts";
import { mcpRoutes, operationRoutes, websubRoutes } from "./operation.routes.ts";
import { opmlRoutes } from "./opml.routes.ts";
import { overviewRoutes } from "./overview.routes.ts";
import { ownerAdminRoutes, ownerRoutes } from "./owner.routes.ts";
import { platformRoutes } from "./platforms.routes.ts";
import type { Route } from "./route.ts";
import { webRoutes } from "./scrape.routes.ts";
import { sessionRoutes } from "./session.routes.ts";
import { socialTrackingRoutes } from "./social-tracking.routes.ts";
import { sourceListRoutes } from "./source-lists.routes.ts";
import { streamRoutes } from "./stream.routes.ts";
import { trackBatchRoutes } from "./track-batch.routes.ts";
import { trackingRoutes } from "./tracking.routes.ts";
import { webhookRoutes } from "./webhook.routes.ts";
import { webhookEndpointRoutes } from "./webhook-endpoint.routes.ts";

/** Every public endpoint. A new one is a row in the file of its service, and nothing else. */
export const routes: Route[] = [
  ...trackBatchRoutes,
  ...monitorRoutes,
  ...opmlRoutes,
  ...trackingRoutes,
  ...socialTrackingRoutes,
  ...platformRoutes,
  ...webhookRoutes,
  ...webhookEndpointRoutes,
  ...websubRoutes,
  ...streamRoutes,
  ...feedRoutes,
  ...mailRoutes,
  ...webRoutes,
  ...crawlRoutes,
  ...batchRoutes,
  ...mapRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  ...keyAdminRoutes,
  ...ownerRoutes,
  ...ownerAdminRoutes,
  ...postRoutes,
  ...backupRoutes,
  ...sourceListRoutes,
  ...historyRoutes,
  ...jobListRoutes,
  ...inspectionRoutes,
  ...auditRoutes,
  ...overviewRoutes,
  ...mcpRoutes,
  ...operationRoutes,
  ...dashboardRoutes,
  ...guideRoutes,
  ...compatRoutes,
];
