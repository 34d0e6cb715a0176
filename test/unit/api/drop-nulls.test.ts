import { dropNulls } from "../../../services/api/request/drop-nulls.ts";
import { dispatch } from "../../../services/contracts/admin.contract.ts";
import { createKey, setMessengerDefaultKey } from "../../../services/contracts/keys.contract.ts";
import { scrape } from "../../../services/contracts/scraper.contract.ts";
import { changeWebhook } from "../../../services/contracts/webhook.contract.ts";

type Json = Record<string, unknown>;

test.each<[string, Json, Json, Json]>([
  ["of what may be left out", dispatch.params, { post: null, posts: null }, {}],
  ["of fields of fields", createKey.params, { limits: { requestsPerMinute: null } }, { limits: {} }],
  ["but not of what is required", createKey.params, { owner: null, limits: null }, { owner: null }],
  ["nor where it is a value", setMessengerDefaultKey.params, { apiKeyId: null }, { apiKeyId: null }],
  ["nor where it is a fault", changeWebhook.params, { url: null, rotate_secret: null }, { url: null }],
  ["nor of what is unknown", createKey.params, { colour: null }, { colour: null }],
  [
    "nor within what has no fields of its own",
    scrape.params,
    { timeout: null, output: { json: { prompt: null, json_schema: { default: null } } } },
    { output: { json: { json_schema: { default: null } } } },
  ],
  ["nor within lists", dispatch.params, { posts: [null, { a: null }] }, { posts: [null, { a: null }] }],
])("nulls are dropped %s", (_, params, body, expected) => {
  expect(dropNulls(params, body)).toEqual(expected);
});
