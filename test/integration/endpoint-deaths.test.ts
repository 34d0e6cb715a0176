import { endpointDeathsSuite } from "../suites/endpoint-deaths.suite.ts";
import { madeOnceDeathsSuite } from "../suites/made-once.suite.ts";
import { openEndpointStore } from "../support/endpoint-store.ts";

endpointDeathsSuite("embedded", openEndpointStore);
madeOnceDeathsSuite("embedded", openEndpointStore<never>);
