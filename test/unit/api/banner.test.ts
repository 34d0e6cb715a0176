import { toConfig } from "../../../mixins/config/config.ts";
import { banner } from "../../../services/api/banner.ts";

describe("the banner", () => {
  const finding = {
    service: "scraper",
    name: "browser",
    status: "missing" as const,
    detail: "Install chromium.",
  };
  const state = {
    status: "degraded" as const,
    services: {},
    missing: Array.from({ length: 9 }, () => finding),
  };

  test("is short, names what is missing, and holds no secret", () => {
    const config = { ...toConfig({}), dataDir: "/data/it's", adminKey: "very-secret-admin-key" };
    const lines = banner(config, "http://0.0.0.0:3000", state);
    const text = lines.join("\n");
    expect(lines.length).toBeLessThanOrEqual(12);
    expect(text).toContain("Install chromium.");
    expect(text).toContain("dashboard: http://127.0.0.1:3000/dashboard, guide: http://127.0.0.1:3000/guide");
    expect(text).toContain("/data/it's/credentials.json");
    expect(text).toContain("ADMIN_KEY");
    expect(text).not.toContain("very-secret-admin-key");
  });

  test("names no dashboard where there is none", () => {
    const lines = banner({ ...toConfig({}), dashboard: false }, "http://127.0.0.1:1", state);
    expect(lines).toContain("Magpie listens on http://127.0.0.1:1, guide: http://127.0.0.1:1/guide");
  });

  test("takes the key from the environment when it came from there", () => {
    const lines = banner(
      { ...toConfig({}), bootstrapApiKey: "the-first-key-value" },
      "http://127.0.0.1:1",
      state,
    );
    expect(lines.join("\n")).toContain('"x-api-key: $BOOTSTRAP_API_KEY"');
    expect(lines.join("\n")).not.toContain("the-first-key-value");
  });
});
