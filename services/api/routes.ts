import type { Route } from "./route.ts";
import { adminRoutes } from "./routes/admin.routes.ts";
import { crawlRoutes } from "./routes/crawl.routes.ts";
import { inspectionRoutes } from "./routes/inspection.routes.ts";
import { keyRoutes } from "./routes/key.routes.ts";
import { operationRoutes } from "./routes/operation.routes.ts";
import { platformRoutes } from "./routes/platforms.routes.ts";
import { postRoutes } from "./routes/posts.routes.ts";
import { socialTrackingRoutes } from "./routes/social-tracking.routes.ts";
import { streamRoutes } from "./routes/stream.routes.ts";
import { trackingRoutes } from "./routes/tracking.routes.ts";
import { webRoutes } from "./routes/web.routes.ts";
import { webhookRoutes } from "./routes/webhook.routes.ts";
import { websubRoutes } from "./routes/websub.routes.ts";

/** Everything that the service publishes. A new endpoint is a row in the file of its room, and nothing else. */
export const routes: Route[] = [
  ...trackingRoutes,
  ...socialTrackingRoutes,
  ...platformRoutes,
  ...webhookRoutes,
  ...websubRoutes,
  ...streamRoutes,
  ...webRoutes,
  ...crawlRoutes,
  ...keyRoutes,
  ...adminRoutes,
  ...postRoutes,
  ...inspectionRoutes,
  ...operationRoutes,
];
