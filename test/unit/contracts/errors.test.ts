import { Errors } from "moleculer";
import { fail, isCallTimeout, isServiceUnavailable } from "../../../services/contracts/errors.ts";

const data = { action: "a.b", nodeID: "n" };

test.each<[string, unknown, boolean, boolean]>([
  ["a service that is missing", new Errors.ServiceNotFoundError(data), true, false],
  ["one that stops", new Errors.ServiceNotAvailableError(data), true, false],
  ["one that ended with the call", new Errors.RequestRejectedError(data), true, false],
  ["one that is full", new Errors.QueueIsFullError({ ...data, size: 1, limit: 1 }), true, false],
  ["a link that is down", new Errors.BrokerDisconnectedError("No link"), true, false],
  ["an answer that is late", new Errors.RequestTimeoutError(data), false, true],
  ["an error of the service", fail("not_found", "No such thing."), false, false],
  ["no error at all", null, false, false],
])("%s", (_, error, isUnavailable, isLate) => {
  expect([isServiceUnavailable(error), isCallTimeout(error)]).toEqual([isUnavailable, isLate]);
});
