import { Validators } from "moleculer";

type Check = ReturnType<Validators.Fastest["compile"]>;

/**
 * Compiles the rules of an action with its first call. All actions together take a fifth of a start, and most of them are
 * not called in the life of a process.
 */
export class LazyValidator extends Validators.Fastest {
  override compile(rules: Record<string, unknown>): Check {
    let check: Check | undefined;
    return (params, options) => {
      check ??= super.compile(rules);
      return check(params, options);
    };
  }
}
