/** A part of `npm run check`: renders the overlays, holds every document to the schema of its kind, and reads the dashboard. */
import { dashboardText, problemsOfDashboard } from "./monitoring.ts";
import { problemsOf } from "./problems-of.ts";
import { overlays, render } from "./render.ts";

for (const overlay of overlays) await check(overlay);
for (const problem of problemsOfDashboard(dashboardText())) {
  process.stderr.write(`dashboard.json: ${problem}\n`);
  process.exitCode = 1;
}

async function check(overlay: (typeof overlays)[number]): Promise<void> {
  process.stderr.write(`Rendering k8s/overlays/${overlay}, and holding it to the schemas of its kinds …\n`);
  // The definition of a route is not in a package; gateway-api.test.ts holds it to that.
  const documents = render(overlay).filter(({ kind }) => kind !== "HTTPRoute");
  for (const document of documents)
    for (const problem of await problemsOf(document)) {
      process.stderr.write(`${overlay}: ${document.kind} ${document.metadata.name}: ${problem}\n`);
      process.exitCode = 1;
    }
  process.stdout.write(`k8s/overlays/${overlay}: ${documents.length} documents checked.\n`);
}
