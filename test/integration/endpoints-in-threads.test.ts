import { threadLimits } from "../../services/webhook-dispatcher/threads/threaded-lanes.ts";

// Several endpoints of a key behave alike in threads: the same tests, with threads from the start.
threadLimits.many = 0;
await import("./webhook-endpoints.test.ts");
await import("./webhook-expressions.test.ts");
