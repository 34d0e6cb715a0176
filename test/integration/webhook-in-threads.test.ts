import { threadLimits } from "../../services/webhook-dispatcher/threads/threaded-lanes.ts";

// Deliveries behave alike in threads: the same tests, with threads from the start.
threadLimits.many = 0;
await import("./webhook.test.ts");
