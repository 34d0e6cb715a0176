import type { Monitor, MonitorCheck, MonitorPage } from "../../contracts/monitors.contract.ts";

export const monitorNameExample = { id: "mon_01JQ4T5W6X7Y8Z9ABCDEFGHJKM", name: "Prices" };

export const monitorCheckExample: MonitorCheck = {
  id: "chk_01JQ4T5W6X7Y8Z9ABCDEFGHJKP",
  monitor_id: monitorNameExample.id,
  status: "completed",
  trigger: "scheduled",
  scheduled_for: "2025-03-25T09:30:00.000Z",
  started_at: "2025-03-25T09:30:00.120Z",
  ended_at: "2025-03-25T09:30:01.480Z",
  counts: { pages: 1, same: 0, new: 0, changed: 1, moved: 0, removed: 0, failed: 0 },
  error: null,
};

export const monitorPageExample: MonitorPage = {
  id: "5f0c6d1e8a9b4c2d7e3f1a0b9c8d7e6f",
  target: "shop",
  source_id: "5f8a1c9e-0b7d-4a3c-9e21-7d6f5e4c3b2a",
  url: "https://example.com/lamp",
  title: "Desk lamp",
  status: "changed",
  http_status: 200,
  error: null,
  moved_from: null,
  version: "01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
  previous_version: "01JQ1T5W6X7Y8Z9ABCDEFGHJKM",
  change: {
    title: "Desk lamp",
    added: ["\u20ac 39.90"],
    removed: ["\u20ac 49.90"],
    diff: "@@ -1,2 +1,2 @@\n # Desk lamp\n-\u20ac 49.90\n+\u20ac 39.90\n",
    url: "https://example.com/lamp",
  },
  at: "2025-03-25T09:30:01.000Z",
};

export const monitorExample: Monitor = {
  ...monitorNameExample,
  tag: `monitor:${monitorNameExample.id}`,
  paused: false,
  schedule: { cron: "0-59/30 * * * *", text: "every 30 minutes", time_zone: "UTC" },
  targets: [{ id: "shop", source: "web", sids: ["https://example.com/lamp"] }],
  sources: 1,
  goal: null,
  judge: false,
  retention_days: 30,
  page_events: false,
  next_check_at: "2025-03-25T10:00:00.000Z",
  current_check: null,
  last_check: monitorCheckExample,
  created_at: "2025-03-01T08:00:00.000Z",
  updated_at: "2025-03-01T08:00:00.000Z",
};
