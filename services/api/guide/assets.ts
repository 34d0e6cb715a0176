import { basename, join } from "node:path";
import { fail } from "../../contracts/errors.ts";
import { type DashboardFile, dashboardFile, readBrowserFile } from "../dashboard/files.ts";
import { keptReply } from "../response/kept.ts";
import type { OwnAnswer, OwnReply } from "../routes/route.ts";
import { theGuide } from "./guide.ts";

const own = (name: string) => readBrowserFile(join(import.meta.dirname, "browser", name));

/** Files of the pages of `/`, `/guide` and `/docs`: their own, and those of the dashboard's design. */
const files: Record<string, () => DashboardFile | undefined> = {
  "tokens.css": () => dashboardFile("tokens.css"),
  "first-paint.js": () => dashboardFile("first-paint.ts"),
  "icon.svg": () => dashboardFile("icon.svg"),
  "guide.css": () => own("guide.css"),
  "reference.css": () => own("reference.css"),
  "guide.js": () => own("guide.ts"),
};

const read = new Map<string, OwnReply>();

/** The files of the pages and the pictures of the documentation, and no others. Each is read once. */
export const asset: OwnAnswer = {
  kind: "own",
  params: { file: { type: "string", max: 64 } },
  async answer(_gateway, { file }) {
    const name = String(file);
    const reply = read.get(name) ?? (await readAsset(name));
    if (!reply) throw fail("not_found", "The pages have no such file.");
    read.set(name, reply);
    return reply;
  },
};

async function readAsset(name: string): Promise<OwnReply | undefined> {
  const file = Object.hasOwn(files, name) ? files[name]?.() : undefined;
  return file ? keptReply(file) : await pictureOf(name);
}

async function pictureOf(name: string): Promise<OwnReply | undefined> {
  const { images } = await theGuide();
  const path = [...images.keys()].find(each => basename(each) === name);
  const body = path && images.get(path);
  return body ? keptReply({ type: path.endsWith(".png") ? "image/png" : "image/webp", body }) : undefined;
}
