import { jest } from "@jest/globals";
import { RequestBudget } from "../../../../reader/text/request-budget.ts";
import { checkPageOptions } from "../../../../services/domain/page-options/page-options.ts";

const rest = { output: { formats: ["markdown"] }, js_render: { enabled: true } };
const hosts = Array.from({ length: 1000 }, (_, at) => `h${at}.site.example`);

test("the options of a thousand hosts are checked once", () => {
  const spend = jest.spyOn(RequestBudget.prototype, "spend");
  const tags = Array.from({ length: 50 }, (_, at) => `.banner-${at}, #ad-${at}`);
  const request = { include_tags: tags, exclude_tags: tags };
  expect(checkPageOptions({ ...rest, request }, hosts, 60_000)).toBeNull();
  expect(spend).toHaveBeenCalledTimes(100);
  spend.mockRestore();
});

test.each([
  ["h7.site.example", null],
  [".site.example", null],
  ["other.example", "request.cookies.0.domain"],
  ["example", "request.cookies.0.domain"],
])("a cookie for %s is meant for one of the hosts, or refused", (domain, field) => {
  const request = { cookies: [{ name: "a", value: "b", domain }] };
  expect(checkPageOptions({ ...rest, request }, hosts, 60_000)?.field ?? null).toBe(field);
});

test("a cookie for no host is refused beside one that is for some", () => {
  const cookies = [
    { name: "a", value: "b", domain: "h1.site.example" },
    { name: "c", value: "d", domain: "nowhere.example" },
  ];
  expect(checkPageOptions({ ...rest, request: { cookies } }, hosts, 60_000)).toMatchObject({
    field: "request.cookies.1.domain",
    code: "other_site",
  });
});

test("there are at most a hundred cookies, in either form", () => {
  const cookies = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`c${at}`, "v"]));
  expect(checkPageOptions({ ...rest, request: { cookies } }, hosts, 60_000)).toMatchObject({
    field: "request.cookies",
    code: "too_many",
  });
});

test("selectors, waits, actions, schema and recipe share one budget", () => {
  const long = `${".abc ".repeat(99)}a`;
  const request = { include_tags: Array.from({ length: 38 }, () => long) };
  const js_render = { enabled: true, wait_for: { selector: long } };
  const json = { recipe: { version: 1, fields: { title: { selector: long } } } };
  const all = { request, js_render, output: { formats: ["json"], json } };
  expect(checkPageOptions(all, ["site.example"], 60_000)).toMatchObject({
    field: expect.stringMatching(/recipe/),
  });
  expect(checkPageOptions({ ...all, ...rest }, ["site.example"], 60_000)).toBeNull();
});
