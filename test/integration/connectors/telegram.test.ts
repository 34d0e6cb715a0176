import { openTelegram } from "../../fakes/telegram/telegram-network.ts";
import { socialConnectorSuite } from "../../suites/social-connector.suite.ts";

socialConnectorSuite("telegram", openTelegram);
