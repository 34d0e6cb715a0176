import { type LogEventRows, nothing } from "./log-event.ts";

/** Events of a node of a cluster: its servers, the bus and its health port. */
export const clusterLogEvents = {
  "node.joined": {
    level: "info",
    meaning: "The node has found its three servers and works. `health` is the address of its health port.",
    action: nothing,
  },
  "nats.awaited": {
    level: "warn",
    meaning: "The node waits for the server at `NATS_URL`; `reason` says why it cannot use it.",
    action: "Check that the server runs and that `NATS_URL` is right.",
  },
  "redis.misconfigured": {
    level: "warn",
    meaning: "Redis works, and one of its settings puts data at risk.",
    action: "Do what `warning` says.",
  },
  "redis.failed": {
    level: "warn",
    meaning: "The connection to Redis broke or a command failed. The node connects again by itself.",
    action: "If it lasts, check the server at `REDIS_URL`.",
  },
  "bus.connected": {
    level: "warn",
    meaning: "The link to NATS is back.",
    action: nothing,
  },
  "bus.disconnected": {
    level: "warn",
    meaning: "The link to NATS broke. Calls that may be repeated are rejected at once, and repeated.",
    action: "If no `bus.connected` follows, check the server at `NATS_URL`.",
  },
  "bus_message.failed": {
    level: "warn",
    meaning: "A message of another node could not be received or read.",
    action: "If it repeats, check whether all nodes run the same version and have their memory.",
  },
  "foreign_node.refused": {
    level: "warn",
    meaning: "Messages of the node `sender` are ignored: it belongs to another cluster on the same bus.",
    action: "Give each cluster a `CLUSTER_NAMESPACE` of its own.",
  },
  "health_answer.failed": {
    level: "error",
    meaning: "A request to the health port ended with an error.",
    action: "Report it if it repeats.",
  },
  "health_server.failed": {
    level: "error",
    meaning: "The health port could not accept a connection.",
    action: "Look at the number of open files and connections of the process.",
  },
} as const satisfies LogEventRows;
