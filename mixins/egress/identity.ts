import { createRequire } from "node:module";

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

/** Name and version, without the last part of it: receivers of webhooks need not learn a new one with each mend. */
export const product = `Magpie/${version.split(".").slice(0, 2).join(".")}`;

/**
 * How Magpie names itself where it asks as a program that obeys robots.txt: for feeds, robots.txt, sitemaps, and the pages of
 * crawls and sites (RFC 9110, 10.1.5; RFC 9309, 2.2.1).
 */
export const programAgent = `Mozilla/5.0 (compatible; ${product})`;
