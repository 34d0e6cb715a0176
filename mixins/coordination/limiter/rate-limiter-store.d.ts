// The extension point of rate-limiter-flexible: its own types leave out what a store implements. Stores here need no more.
declare module "rate-limiter-flexible/lib/RateLimiterStoreAbstract.js" {
  import { RateLimiterRes, RateLimiterStoreAbstract } from "rate-limiter-flexible";

  export default abstract class RateLimiterStore<Stored> extends RateLimiterStoreAbstract {
    protected abstract _upsert(
      key: string,
      points: number,
      msDuration: number,
      forceExpire: boolean,
    ): Promise<Stored>;
    protected abstract _getRateLimiterRes(key: string, points: number, stored: Stored): RateLimiterRes;
  }
}
