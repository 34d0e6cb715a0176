import type { Config } from "../../mixins/config/config.ts";
import {
  type OwnListWorld,
  ownListOverrides,
  ownListServices,
  ownListSuite,
} from "../suites/own-list.suite.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

let magpie: Magpie;
let world: OwnListWorld;

beforeAll(async () => {
  const services = (config: Config) => [...new Set(ownListServices)].map(service => service(config));
  magpie = await startMagpie(ownListOverrides, services);
  world = { magpie };
});
afterAll(() => magpie.stop());

ownListSuite(() => world);
