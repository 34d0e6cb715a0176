/** Loaded into a node before all else (`node --import`): what it sends bears its process id as `x-node`. */
import { subscribe } from "node:diagnostics_channel";
import process from "node:process";

interface Sent {
  addHeader(name: string, value: string): void;
}

subscribe("undici:request:create", message => {
  (message as { request: Sent }).request.addHeader("x-node", String(process.pid));
});
