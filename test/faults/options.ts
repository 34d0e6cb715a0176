import { parseArgs } from "node:util";

/** What all parts of `npm run faults` take; each part uses what it needs. */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1" },
    kills: { type: "string", default: "20" },
    pages: { type: "string", default: "5000" },
    concurrency: { type: "string", default: "8" },
    disk: { type: "boolean", default: false },
  },
});

export const seeds = values.seeds.split(",").map(Number);
export const kills = Number(values.kills);
/** Of the site that is crawled. */
export const pages = Number(values.pages);
/** Pages of a crawl that are read at a time. */
export const concurrency = Number(values.concurrency);
/** The disk falls ill, and nothing else happens. */
export const onlyDisk = values.disk;
