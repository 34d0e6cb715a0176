/** `npm run sdk`: writes what both SDKs generate from the service's document. Needs Python 3.11. */
import { copySdks, generate, installPython, installTypescript, takeGenerated } from "./sdk-workshop.ts";

await copySdks();
await installTypescript();
await installPython();
await generate();
await takeGenerated();
