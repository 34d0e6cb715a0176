/** `node tools/release/notes.ts v0.2.0`: prints what CHANGELOG says of a version; fails where the tree has another one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { versions } from "./version.ts";

const [tag = ""] = process.argv.slice(2);
const version = tag.replace(/^v/, "");
const others = versions().filter(place => !place.endsWith(`: ${version}`));
if (others.length > 0) throw new Error(`The tag is ${tag}, and the tree has ${others.join(", ")}.`);
const sections = readFileSync(join(import.meta.dirname, "../../CHANGELOG.md"), "utf8").split(/^## /m);
const notes = sections.find(section => section.startsWith(`[${version}]`));
if (notes === undefined) throw new Error(`CHANGELOG.md has no [${version}].`);
console.log(notes.slice(notes.indexOf("\n")).trim());
