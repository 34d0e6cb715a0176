import { jest } from "@jest/globals";
import { watchRequests } from "../../../../services/scraper/render/page-load.ts";

type Traffic = ReturnType<typeof watchRequests>;
type Type = "Document" | "Fetch" | "Font" | "Image" | "Media" | "Script" | "Stylesheet" | "XHR";

const request = (traffic: Traffic, requestId: string, type: Type) =>
  traffic.started({ requestId, loaderId: "doc", frameId: "main", type } as Parameters<Traffic["started"]>[0]);
const answer = (traffic: Traffic, requestId: string, status: number) =>
  traffic.answered({ requestId, response: { status } } as Parameters<Traffic["answered"]>[0]);
const finish = (traffic: Traffic, requestId: string) =>
  traffic.finished({ requestId } as Parameters<Traffic["finished"]>[0]);
const fail = (traffic: Traffic, requestId: string, errorText: string) =>
  traffic.failed({ requestId, errorText } as Parameters<Traffic["failed"]>[0]);

test.each(["Script", "Stylesheet", "XHR", "Fetch"] as const)("a %s on its way makes a page busy", type => {
  const traffic = watchRequests("main");
  request(traffic, "part", type);
  expect([traffic.isBusy(), traffic.isConnected()]).toEqual([true, true]);
  finish(traffic, "part");
  expect([traffic.isBusy(), traffic.isConnected()]).toEqual([false, false]);
});

test("a WebSocket connects a page for good", () => {
  const traffic = watchRequests("main");
  traffic.socketOpened();
  expect([traffic.isBusy(), traffic.isConnected()]).toEqual([false, true]);
});

test("data on its way makes a page busy, a picture does not", () => {
  const traffic = watchRequests("main");
  request(traffic, "picture", "Image");
  expect([traffic.isBusy(), traffic.quietSince()]).toEqual([false, Number.POSITIVE_INFINITY]);
  request(traffic, "data", "Fetch");
  expect(traffic.isBusy()).toBe(true);
  // A redirect.
  request(traffic, "data", "Fetch");
  finish(traffic, "data");
  expect(traffic.isBusy()).toBe(false);
  fail(traffic, "picture", "net::ERR_FAILED");
  expect([traffic.failures(), Number.isFinite(traffic.quietSince())]).toEqual([0, true]);
});

test.each([
  ["Image", { all: 1, load: 1, picture: 2 }],
  ["Font", { all: 1, load: 1, picture: 2 }],
  ["Media", { all: 1, load: 1, picture: 1 }],
  ["Script", { all: 2, load: 2, picture: 2 }],
  ["Fetch", { all: 2, load: 0, picture: 0 }],
] as const)("who hears of the bytes of a %s", (type, heard) => {
  const clock = jest.spyOn(Date, "now").mockReturnValue(0);
  const traffic = watchRequests("main");
  clock.mockReturnValue(1);
  request(traffic, "part", type);
  clock.mockReturnValue(2);
  traffic.received({ requestId: "part" } as Parameters<Traffic["received"]>[0]);
  const heardAt = (of: "all" | "load" | "picture") => traffic.heardAt(of);
  expect({ all: heardAt("all"), load: heardAt("load"), picture: heardAt("picture") }).toEqual(heard);
  clock.mockRestore();
});

test("the document of the top frame has the status, and is left by the next one", () => {
  const traffic = watchRequests("main");
  request(traffic, "doc", "Document");
  answer(traffic, "doc", 404);
  expect([traffic.status(), traffic.isBusy()]).toEqual([404, true]);
  traffic.settled();
  expect(traffic.isBusy()).toBe(false);
  request(traffic, "doc", "Document");
  fail(traffic, "doc", "net::ERR_ABORTED");
  expect([traffic.isBusy(), traffic.failures()]).toEqual([false, 0]);
});

test.each([
  ["an error that is sent", 503, undefined, 1],
  ["a script that the browser drops for its status", 404, "net::ERR_ABORTED", 1],
  ["no connection", 0, "net::ERR_CONNECTION_REFUSED", 1],
  ["what is blocked here", 0, "net::ERR_BLOCKED_BY_CLIENT", 0],
  ["what the page gives up", 0, "net::ERR_ABORTED", 0],
  ["an answer", 200, undefined, 0],
])("counts scripts and data that fail: %s", (_, status, errorText, failures) => {
  const traffic = watchRequests("main");
  request(traffic, "script", "Script");
  if (status > 0) answer(traffic, "script", status);
  if (errorText === undefined) finish(traffic, "script");
  else fail(traffic, "script", errorText);
  expect(traffic.failures()).toBe(failures);
});
