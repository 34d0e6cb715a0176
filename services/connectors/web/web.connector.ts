import type { PolledConnector } from "../connector.ts";
import { pollPage } from "./poll-page.ts";
import { resolvePage } from "./resolve-page.ts";

/** Pages that have no feed: their main content is compared. */
export const webConnector: PolledConnector = { resolve: resolvePage, poll: pollPage };
