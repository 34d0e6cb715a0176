import { Validators } from "moleculer";
import { fieldErrors, type InvalidParameter } from "../../../services/api/response/public-error.ts";
import { startCrawl } from "../../../services/contracts/crawler.contract.ts";
import { createKey } from "../../../services/contracts/keys.contract.ts";
import { scrape } from "../../../services/contracts/scraper.contract.ts";
import { trackUser } from "../../../services/contracts/tracker.contract.ts";
import { createEndpoint } from "../../../services/contracts/webhook-dispatcher.contract.ts";

const scrapeOf = (body: unknown) => fieldErrors(errorsOf(scrape.params, body));

test.each([
  [{}, [{ field: "url", code: "required", message: "`url` is required." }]],
  [{ url: 5 }, [{ field: "url", code: "string", message: "`url` must be a string." }]],
  [{ url: "" }, [{ field: "url", code: "string_min", message: "`url` must not be empty." }]],
  [
    { url: "u", timeout: 5 },
    [{ field: "timeout", code: "number_min", message: "`timeout` must be at least 1000." }],
  ],
  [
    { url: "u", mode: "later" },
    [{ field: "mode", code: "not_allowed", message: "`mode` must be one of: sync, async." }],
  ],
  [
    { url: "u", output: { formats: ["html", "pdf"] } },
    [
      {
        field: "output.formats.1",
        code: "not_allowed",
        message:
          "`output.formats.1` must be one of: html, raw_html, markdown, links, images, summary, screenshot, json, changes.",
      },
    ],
  ],
  [
    { url: "u", proxy: { city: "Wien" } },
    [
      {
        field: "proxy.city",
        code: "unknown_field",
        message: "`proxy.city` is not a known field. Known are: location, sticky_session.",
      },
    ],
  ],
])("%j is told as %j", (body, details) => {
  expect(scrapeOf(body)).toEqual(details);
});

test("tells what has to be given where a form is required", () => {
  const message =
    "`username` must be 1 to 15 letters, digits and underscores, without the @; or an account of a named network, such as bluesky:ada.example.";
  expect(fieldErrors(errorsOf(trackUser.params, { username: "@ann" }))).toEqual([
    { field: "username", code: "string_pattern", message },
  ]);
  const [other] = scrapeOf({ url: "u", proxy: { location: "Austria" } });
  expect(other?.message).toBe("`proxy.location` does not have the required form.");
});

test("names every unknown field, and each error of a field once", () => {
  const told = scrapeOf({ url: "u", a: 1, b: 2, request: { cookies: "a=b" } });
  expect(told.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
    "a unknown_field",
    "b unknown_field",
    "request.cookies array",
    "request.cookies record",
  ]);
});

test.each([
  [scrape, "onlyMainContent", "request.only_main_content"],
  [scrape, "urll", "url"],
  [scrape, "output.format", "output.formats"],
  [startCrawl, "limit", "crawler.limit"],
  [createEndpoint, "types", "event_types"],
  [scrape, "colour", undefined],
])("case %#: says which field may have been meant", ({ params }, name, meant) => {
  const body = name.split(".").reduceRight<unknown>((value, part) => ({ [part]: value }), 1) as object;
  const [unknown] = fieldErrors(errorsOf(params, { url: "u", ...body }), params).filter(
    ({ code }) => code === "unknown_field",
  );
  expect(unknown?.field).toBe(name);
  expect(/Did you mean `([^`]*)`\?/.exec(unknown?.message ?? "")?.[1]).toBe(meant);
});

test("does not grow with what is sent", () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, n]));
  expect(scrapeOf({ url: "u", ...many })).toHaveLength(50);
  const [long] = fieldErrors(errorsOf(createKey.params, { owner: "o", name: "n", ["x".repeat(5000)]: 1 }));
  expect(long?.field.length).toBeLessThan(200);
  const [odd] = scrapeOf({ url: "u", request: { headers: { ["[".repeat(200_000)]: 1 } } });
  expect(odd?.field.length).toBeLessThan(200);
});

function errorsOf(schema: Record<string, unknown>, body: unknown): InvalidParameter[] {
  const result = new Validators.Fastest().compile(schema)(structuredClone(body) as Record<string, unknown>);
  return Array.isArray(result) ? result : [];
}
