import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./pages.ts";
import { sdkDocument } from "./sdk-document.ts";

test("the SDKs are generated from the document as it is; `npm run sdk` writes it and them", () => {
  const committed = JSON.parse(readFileSync(join(root, "sdk", "openapi.json"), "utf8"));
  expect(committed).toEqual(JSON.parse(sdkDocument()));
});
