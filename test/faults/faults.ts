/** `npm run faults -- --seeds 1,2 --kills 20`: each part in turn, with the same options; ends with 1 when one fails. */
await import("./kill.ts");
await import("./deliveries.ts");
await import("./scrapes.ts");
await import("./crawls.ts");

export {};
