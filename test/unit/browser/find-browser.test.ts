import process from "node:process";
import { findBrowser } from "../../../mixins/browser/find-browser.ts";

const machine = { searchPath: "", dataDir: "nowhere" };

test("a configured browser is taken, and one that is not there is named", async () => {
  expect(await findBrowser(process.execPath, machine)).toMatchObject({ executablePath: process.execPath });
  await expect(findBrowser("/nowhere/chromium", machine)).rejects.toThrow(
    "BROWSER_PATH names no program that can be started: /nowhere/chromium",
  );
});
