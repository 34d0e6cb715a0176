import { PNG } from "pngjs";
import { joinPictures } from "../../../../services/scraper/render/join-pictures.ts";

const width = 37;
const opaque = 2;
const transparent = 6;

/** A picture whose pixels follow no simple rule, so that each filter has something to do. */
function pixels(height: number, seed: number): Buffer {
  const data = Buffer.alloc(width * height * 4);
  let state = seed;
  for (let at = 0; at < data.length; at++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    data[at] = at % 4 === 3 ? 255 : (at + (state >> 16)) & 255;
  }
  return data;
}

function encoded(data: Buffer, filterType: number, colorType: 2 | 6): Buffer {
  const png = new PNG({ width, height: data.length / width / 4 });
  data.copy(png.data);
  return PNG.sync.write(png, { filterType, colorType });
}

async function* each(parts: Buffer[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

describe("pictures are joined as they are, whatever filter their first rows have", () => {
  const filters = [0, 1, 2, 3, 4];
  test.each(filters.flatMap(filter => ([opaque, transparent] as const).map(type => [filter, type] as const)))(
    "filter %i, colour type %i",
    async (filter, type) => {
      const parts = [5, 1, 8].map((height, n) => pixels(height, n + 1));
      const joined = await joinPictures(each(parts.map(part => encoded(part, filter, type))));
      const { width: wide, height, data } = PNG.sync.read(Buffer.from(joined));
      expect([wide, height, data.equals(Buffer.concat(parts))]).toEqual([width, 14, true]);
    },
  );
});

test("what does not fit is refused", async () => {
  const parts = [encoded(pixels(3, 1), 0, opaque), encoded(pixels(3, 2), 0, transparent)];
  await expect(joinPictures(each(parts))).rejects.toMatchObject({ type: "upstream_error" });
});

test("a picture ends where it has enough bytes, and no further part is asked for", async () => {
  const part = encoded(pixels(8, 1), 0, opaque);
  let asked = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      asked += 1;
      yield part;
    }
  }
  const joined = await joinPictures(endless(), 100_000);
  const { height } = PNG.sync.read(Buffer.from(joined));
  expect(height).toBe(8 * asked);
  expect(joined.length).toBeGreaterThan(100_000 / 2);
  expect(joined.length).toBeLessThan(2 * 100_000);
});
