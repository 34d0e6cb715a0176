import { monitorDeathsSuite } from "../suites/monitor-deaths.suite.ts";
import { openFolderTracker } from "../support/folder-tracker.ts";

monitorDeathsSuite("embedded", openFolderTracker);
