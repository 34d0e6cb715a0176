/**
 * `node tools/sizes/image.ts`: builds the image with a browser as its Dockerfile says, weighs it beside its bar, and starts it as its
 * guide says: without root, capabilities or a writable root, confined by the profile. It shows a page in many scripts.
 * No registry of images is asked: what the Dockerfile begins with is made of Debian's packages, the packages of npm and
 * npm itself. Takes some minutes and 10 GB, and needs root, Debian and the programs below. The screenshot stays.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { removeFolder } from "../../test/support/folders.ts";
import { buildImage, type Image, whatIsMissing } from "./image-build.ts";
import { showPage } from "./image-run.ts";
import { type Part, weigh } from "./image-weight.ts";

/** As container engines count: what the files hold, in millions of bytes. */
const barMb = 600;

const missing = whatIsMissing();
if (missing.length > 0) {
  console.error(`tools/sizes/image.ts needs ${missing.join(", ")}: nothing was built or weighed.`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "magpie-image-"));
let image: Image | undefined;
try {
  const built = await showProgress("Building the image", () => buildImage(folder));
  image = built;
  const parts = weigh(built.root, built.base);
  for (const part of parts) console.log(line(part));
  const total: Part = {
    what: "together",
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    blocks: parts.reduce((sum, { blocks }) => sum + blocks, 0),
  };
  console.log(`${line(total)} (bar ${barMb} MB)`);
  if (total.bytes > barMb * 1e6) {
    console.log(`  FAILED: it is held at ${barMb} MB`);
    process.exitCode = 1;
  }
  const shown = await showProgress("Showing a page", () => showPage(built, folder));
  const picture = join(tmpdir(), "magpie-image.png");
  writeFileSync(picture, shown.screenshot);
  console.log(`a page with a script: ${shown.text}; its screenshot: ${picture}`);
  if (shown.text !== "no script is without letters, and WebGL draws") process.exitCode = 1;
} finally {
  await image?.remove();
  await removeFolder(folder);
}

function line({ what, bytes, blocks }: Part): string {
  return `${what}: ${(bytes / 1e6).toFixed(1)} MB, on disk ${(blocks / 2 ** 20).toFixed(0)} MiB`;
}
