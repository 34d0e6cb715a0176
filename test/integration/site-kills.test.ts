import { siteKillsSuite } from "../suites/site-kills.suite.ts";

siteKillsSuite("embedded");
