import { fail } from "../../services/contracts/errors.ts";
import type { ContextOptions, PollConnector } from "../../services/tracker/context.ts";

/** The ports of a tracker that polls by this function; what a test does not replace does nothing. */
export function trackerPorts(
  pollConnector: PollConnector,
): Omit<
  ContextOptions,
  | "log"
  | "history"
  | "leases"
  | "leaseTokens"
  | "closing"
  | "minIntervalMs"
  | "onConnectorError"
  | "now"
  | "random"
> {
  const nothing = () => undefined;
  const noVault = () => Promise.reject(fail("overloaded", "This tracker has no vault."));
  return {
    pollConnector,
    pollViews: views => Promise.all(views.map(({ source, state }) => pollConnector(source, state))),
    vault: { seal: noVault, unseal: noVault },
    keepLogin: noVault,
    keyUses: async () => new Map(),
    onOtherPolicy: nothing,
    unfollow: async () => undefined,
    onPendingUnfollow: nothing,
    forgetPictures: nothing,
    onUnfollowFailed: nothing,
    onJoinRequested: nothing,
    onEntriesAdded: nothing,
    hasModel: false,
    onMonitorDue: nothing,
    onMonitorError: nothing,
    sitePages: async () => ({ urls: [], next: null }),
    removeEndpoints: async () => undefined,
    onRetagged: nothing,
  };
}
