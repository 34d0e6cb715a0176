import { trackerDeathsSuite } from "../suites/tracker-deaths.suite.ts";
import { openFolderTracker } from "../support/folder-tracker.ts";

trackerDeathsSuite("embedded", openFolderTracker);
