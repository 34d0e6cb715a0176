import { command, gateway } from "./settings/access.settings.ts";
import { networks, platforms } from "./settings/platforms.settings.ts";
import { cluster, data, log, secrets, system, traces } from "./settings/process.settings.ts";
import type { Settings } from "./settings/setting.ts";
import { storage } from "./settings/storage.settings.ts";
import { egress, scraping, tracking } from "./settings/work.settings.ts";

export type { Setting } from "./settings/setting.ts";

/** Every setting by its variable. */
export const settings = {
  ...gateway,
  ...data,
  ...storage,
  ...secrets,
  ...cluster,
  ...egress,
  ...tracking,
  ...scraping,
  ...platforms,
  ...networks,
  ...command,
  ...log,
  ...traces,
  ...system,
};

/** All settings by subject, in the order of the reference. */
export const sections: Record<string, Settings> = {
  Gateway: gateway,
  Data: { ...data, ...storage },
  "Keys and secrets": secrets,
  Cluster: cluster,
  "Outgoing requests": egress,
  "Tracking and webhooks": tracking,
  "Scraping and crawling": scraping,
  "Social platforms": platforms,
  "Credentials and addresses of networks": networks,
  "Command line": command,
  Log: log,
  Traces: traces,
  "Read from the system": system,
};
