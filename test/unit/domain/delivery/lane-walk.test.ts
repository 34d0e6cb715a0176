import { seeds } from "../../../support/long-run.ts";
import { manners, walk, walkFailing } from "./lane.walk.ts";

describe.each(manners)("%s, at random,", (_, manner) => {
  test.each(seeds(5, 100))("a moody endpoint gets every event or has it set aside (seed %d)", seed => {
    expect(() => walk(seed, manner, 1_000)).not.toThrow();
  });

  test.each(seeds(5, 100))(
    "one that fails one attempt in ten gets the events of a conversation in order (seed %d)",
    seed => {
      expect(() => walkFailing(seed, manner, 0.1, 1_500)).not.toThrow();
      expect(() => walkFailing(seed, manner, 0.02, 1_500)).not.toThrow();
    },
  );
});
