/** Runs in a thread of its own: compiling the lists takes some 300 MB, which go when the thread ends. */
import { parentPort } from "node:worker_threads";
import { buildAdFilters } from "./build-ad-filters.ts";

parentPort?.postMessage(buildAdFilters());
