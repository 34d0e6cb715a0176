import type { Service, ServiceSchema } from "moleculer";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { historyMixin, type WithHistory } from "../../mixins/history/history.mixin.ts";
import { sitePagesMixin, type WithSitePages } from "../../mixins/site-pages/site-pages.mixin.ts";
import { actions, call } from "../contracts/action.ts";
import { fail } from "../contracts/errors.ts";
import { forgetPast } from "../contracts/held-source.contract.ts";
import * as contract from "../contracts/history.contract.ts";
import { screenshot } from "../contracts/scraper.contract.ts";
import { operations, service } from "../contracts/service.ts";
import { listSitePages, readSiteTree } from "../contracts/site-pages.contract.ts";
import { listChecks } from "./checks.ts";
import { type HistoryContext, openAddress, openSource } from "./context.ts";
import { diffVersions } from "./diff.ts";
import { openHistoryReader } from "./history-reader.ts";
import { rehearse, rehearseView } from "./rehearsal/rehearse.ts";
import { searchHistory } from "./search.ts";
import { listPages, readTree } from "./site-pages.ts";
import { readSource } from "./sources.ts";
import { listValues } from "./values.ts";
import { listVersions, pictureOf, readForm, readVersion } from "./versions.ts";

interface Added extends WithHistory, WithSitePages {
  context: HistoryContext;
  closing: AbortController;
}

type HistoryService = Service & Added;

const { internal, published } = operations(({ context }: HistoryService) => context);

/** What the sources of a key said: their checks, versions and values, how versions differ, and what a search finds. */
export function historyService(
  config: Pick<Config, "dataDir" | "pollMinIntervalMs" | "cluster">,
  now: () => number = Date.now,
): ServiceSchema {
  return service<Added>({
    name: "history",
    mixins: [historyMixin(config), sitePagesMixin(config)],
    actions: actions(
      published(contract.readSource, async (context, { id }, call) => ({
        data: await readSource(await openSource(context, id, call)),
        message: "This is the source.",
      })),
      published(contract.listChecks, async (context, { id, ...page }, call) => ({
        ...(await listChecks(await openSource(context, id, call), page)),
        message: "Checks listed.",
      })),
      published(contract.listVersions, async (context, { id, ...wanted }, call) => ({
        ...(await listVersions(await openSource(context, id, call), wanted)),
        message: "Versions listed.",
      })),
      published(listSitePages, async (context, { id, ...wanted }, call) => ({
        ...(await listPages(await openSource(context, id, call), wanted)),
        message: "Pages listed.",
      })),
      published(readSiteTree, async (context, { id, ...wanted }, call) => ({
        ...(await readTree(await openSource(context, id, call), wanted)),
        message: "This is one level of the site.",
      })),
      published(contract.readVersion, async (context, { id, version, as }, { caller, ctx }) => {
        const reading = await openSource(context, id, { caller, ctx });
        if (as === "json")
          return { data: await readVersion(reading, version), message: "This is what the source said." };
        if (as !== "picture") return await readForm(reading, version, as);
        return await call(ctx, screenshot, { key: await pictureOf(reading, version) });
      }),
      published(contract.diffVersions, async (context, { id, ...wanted }, call) => {
        const compared = await diffVersions(await openSource(context, id, call), wanted);
        return typeof compared === "string"
          ? compared
          : { ...compared, message: "The versions are compared." };
      }),
      published(contract.listValues, async (context, { id, ...wanted }, call) => {
        const series = await listValues(await openSource(context, id, call), wanted);
        return typeof series === "string" ? series : { ...series, message: "Values listed." };
      }),
      published(contract.rehearse, async (context, { id, ...wanted }, call) => {
        const data = await rehearse(await openSource(context, id, call), wanted);
        return { data, message: data.why };
      }),
      internal(contract.tryView, async (context, { keyId, kind, externalId, view, days }, { ctx }) => {
        const reading = await openAddress(context, { keyId, kind, externalId }, ctx);
        if (reading === null || (kind !== "web" && kind !== "rss")) return { past: null };
        const { from, checks, fired, why } = await rehearseView(reading, { view, days });
        return { past: from === null ? null : { days, checks, fired, why } };
      }),
      published(contract.searchHistory, async (context, wanted, call) => ({
        ...(await searchHistory(context, wanted, call)),
        message: "Passages listed.",
      })),
      published(contract.eraseVersions, (_, { id }, { caller: { keyId }, ctx }) =>
        call(ctx, forgetPast, { keyId, id }),
      ),
    ),
    created() {
      this.closing = new AbortController();
    },
    async started() {
      const { history, sitePages, closing } = this;
      const { pollMinIntervalMs: minIntervalMs } = config;
      const reader = openHistoryReader();
      this.context = { history, sitePages, reader, now, minIntervalMs, closing: closing.signal };
    },
    async stopped() {
      this.closing.abort(fail("overloaded", "The service is stopping; try again."));
      await this.context?.reader.close();
    },
  });
}

export default (): ServiceSchema => historyService(configFromEnv());
