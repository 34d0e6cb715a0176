import { openEmbeddedManners } from "../../mixins/manners/embedded.manners.ts";
import { mannersSuite } from "../suites/manners.suite.ts";

mannersSuite("embedded", () => ({ open: () => openEmbeddedManners(), isShared: false }));
