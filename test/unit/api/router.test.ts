import type { Method, Route } from "../../../services/api/route.ts";
import { createRouter } from "../../../services/api/router.ts";
import { codeOf } from "../../../services/contracts/errors.ts";

const row = (method: Method, path: string): Route => ({
  method,
  path,
  action: { name: "room.verb", params: {} },
  auth: "none",
  status: 200,
  responses: {},
  tag: "",
  summary: `${method} ${path}`,
});

const router = createRouter([
  row("GET", "/a"),
  row("POST", "/a"),
  row("GET", "/a/{id}"),
  row("DELETE", "/a/{id}"),
  row("GET", "/a/{id}/b"),
  row("POST", "/only"),
]);

test.each([
  ["GET", "/a", "GET /a", {}],
  ["HEAD", "/a", "GET /a", {}],
  ["POST", "/a/", "POST /a", {}],
  ["GET", "/a/1", "GET /a/{id}", { id: "1" }],
  ["DELETE", "/a/%40name", "DELETE /a/{id}", { id: "@name" }],
  ["GET", "/a/x%2Fy/b", "GET /a/{id}/b", { id: "x/y" }],
  ["GET", "/a/__proto__", "GET /a/{id}", { id: "__proto__" }],
])("%s %s is answered by %s", (method, path, summary, params) => {
  const match = router.match(method, path);
  expect(match.route.summary).toBe(summary);
  expect(match.params).toEqual(params);
});

test.each([
  ["GET", "/", "not_found"],
  ["GET", "/b", "not_found"],
  ["GET", "//a", "not_found"],
  ["GET", "/a//b", "not_found"],
  ["GET", "/a/1/b/c", "not_found"],
  ["GET", "/constructor", "not_found"],
  ["GET", "*", "not_found"],
  ["GET", "http://else.example/a", "not_found"],
  ["GET", "/a/%", "validation_failed"],
  ["GET", "/%ff", "validation_failed"],
  ["PUT", "/a", "method_not_allowed"],
  ["HEAD", "/only", "method_not_allowed"],
  ["TRACE", "/a", "method_not_allowed"],
])("%s %s is refused as %s", (method, path, code) => {
  let thrown: unknown;
  try {
    router.match(method, path);
  } catch (error) {
    thrown = error;
  }
  expect(codeOf(thrown)).toBe(code);
});

test("tells which methods a path takes", () => {
  expect(router.allowed("/a")).toEqual(["GET", "POST", "HEAD", "OPTIONS"]);
  expect(router.allowed("/only")).toEqual(["POST", "OPTIONS"]);
  expect(router.allowed("/a/5")).toEqual(["GET", "DELETE", "HEAD", "OPTIONS"]);
});
