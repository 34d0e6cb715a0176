import { changesPastSuite } from "../suites/changes-past.suite.ts";
import { openFolderTracker } from "../support/folder-tracker.ts";

changesPastSuite("embedded", openFolderTracker);
