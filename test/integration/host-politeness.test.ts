import { openEmbeddedHostPoliteness } from "../../mixins/coordination/host-politeness/embedded.host-politeness.ts";
import { hostPolitenessSuite } from "../suites/host-politeness.suite.ts";

hostPolitenessSuite("embedded", () => ({ open: () => openEmbeddedHostPoliteness(), isShared: false }));
