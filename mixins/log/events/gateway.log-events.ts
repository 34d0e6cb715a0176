import { type LogEventRows, nothing, retried } from "./log-event.ts";

/** Events of the service `api`. */
export const gatewayLogEvents = {
  "request.failed": {
    level: "error",
    meaning: "A request ended with 500: an error of Magpie.",
    action: "Report the line with its `requestId`.",
  },
  "request.refused": {
    level: "warn",
    meaning: "A request ended with 501 to 599 but not 500: a server, a site or capacity was missing.",
    action: "Look at `status` and `error`; `/health/ready` says what is missing.",
  },
  "http_answer.failed": {
    level: "error",
    meaning: "A request could not be answered at all; its connection was closed.",
    action: "Report the line.",
  },
  "http_server.failed": {
    level: "error",
    meaning: "The gateway could not accept a connection.",
    action: "Look at the number of open files and connections of the process.",
  },
  "client_check.failed": {
    level: "error",
    meaning: "The check for clients that do not take their answers failed.",
    action: retried,
  },
  "usage_count.failed": {
    level: "warn",
    meaning: "Requests could not be added to the usage of their keys. They are kept and added later.",
    action: "Check whether the service `keys` runs and its store can be written.",
  },
  "session.opened": {
    level: "info",
    meaning: "Somebody signed in to the dashboard.",
    action: nothing,
  },
  "session.refused": {
    level: "warn",
    meaning: "A sign-in to the dashboard was refused: a wrong key or password.",
    action: "Look at `client` if there are many.",
  },
  "guessing.detected": {
    level: "warn",
    meaning: "A client has tried so many wrong keys or passwords that further wrong ones get 429.",
    action: "Look who `client` is; block it in front of the gateway if it continues.",
  },
  "stream.failed": {
    level: "error",
    meaning: "An open stream of events ended with an error. Its client connects again and misses nothing.",
    action: retried,
  },
  "stream_upgrade.failed": {
    level: "error",
    meaning: "A WebSocket could not be opened.",
    action: "Report the line if it repeats.",
  },
  "stream_client.failed": {
    level: "debug",
    meaning: "The connection of a WebSocket client broke, or it sent what is no WebSocket frame.",
    action: nothing,
  },
  "stream_key_check.failed": {
    level: "warn",
    meaning: "It could not be checked whether the keys of open streams still exist. The streams continue.",
    action: "Check whether the service `keys` runs.",
  },
  "stream_read.failed": {
    level: "warn",
    meaning: "New events could not be read for the streams of `/internal/events`.",
    action: retried,
  },
  "mcp_message.refused": {
    level: "debug",
    meaning: "A message of a client of the Model Context Protocol was not valid.",
    action: nothing,
  },
  "mcp_message.failed": {
    level: "error",
    meaning: "A message of the Model Context Protocol ended with an error of Magpie.",
    action: "Report the line with its `requestId`.",
  },
} as const satisfies LogEventRows;
