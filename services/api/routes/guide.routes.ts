import { guideIndex, guidePage } from "../guide/answers.ts";
import { asset } from "../guide/assets.ts";
import { llms, llmsFull } from "../guide/llms.ts";
import { home } from "../home/home.ts";
import type { Route } from "./route.ts";

const common = { method: "GET", auth: "none", status: 200, tag: "Operations" } as const;

export const guideRoutes: Route[] = [
  {
    ...common,
    name: "home",
    path: "/",
    action: home,
    summary: "What this is, whether it is well, and where to continue",
    description: "JSON, or a page for a client that asks for `text/html`.",
    responses: {
      200: {
        description: "The state and the links.",
        also: "text/html",
        example: {
          name: "Magpie",
          summary: "Tracks sources, delivers what is new, and scrapes and crawls the public web.",
          status: "ready",
          links: { docs: "http://localhost:3000/docs", guide: "http://localhost:3000/guide" },
        },
      },
    },
  },
  {
    ...common,
    name: "searchGuide",
    path: "/guide",
    action: guideIndex,
    summary: "The guide, or a search in it",
    description:
      "A page. With `q` the places that hold these words: JSON, or a page for a client that asks for `text/html`.",
    responses: {
      200: {
        description: "A page, or the places found.",
        also: "text/html",
        example: {
          data: [
            {
              title: "Webhooks",
              heading: "Verify a signature",
              url: "/guide/webhooks#verify-a-signature",
              excerpt: [
                { text: "Each delivery has a ", match: false },
                { text: "signature", match: true },
              ],
            },
          ],
          message: "1 places hold these words.",
        },
      },
    },
  },
  {
    ...common,
    name: "readGuide",
    path: "/guide/{page}",
    action: guidePage,
    summary: "A page of the guide, or its Markdown",
    description: "`/guide/webhooks` is a page for people, `/guide/webhooks.md` its Markdown.",
    responses: {
      200: { description: "A page; with `.md` its Markdown.", type: "text/html", also: "text/markdown" },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    name: "getLlmsIndex",
    path: "/llms.txt",
    action: llms,
    summary: "The pages of the guide for language models",
    description: "As https://llmstxt.org describes it, with absolute links to Markdown.",
    responses: { 200: { description: "Markdown.", type: "text/plain" } },
  },
  {
    ...common,
    name: "getLlmsText",
    path: "/llms-full.txt",
    action: llmsFull,
    summary: "The guide in one text",
    description: "All pages as Markdown, one after another, for language models with room for them.",
    responses: { 200: { description: "Markdown.", type: "text/plain" } },
  },
  {
    ...common,
    name: "getAsset",
    path: "/assets/{file}",
    action: asset,
    hidden: true,
    summary: "A file of these pages",
    responses: { 200: { description: "The file.", type: "application/octet-stream" } },
    errors: ["not_found"],
  },
];
