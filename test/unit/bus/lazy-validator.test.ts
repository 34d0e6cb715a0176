import { jest } from "@jest/globals";
import { ServiceBroker, Validators } from "moleculer";
import { LazyValidator, prepareAction } from "../../../mixins/bus/lazy-validator.ts";

const rules = { count: { type: "number", integer: true, default: 3 }, name: "string" };

test("rules are compiled with the first call, and once", () => {
  const compile = jest.spyOn(Validators.Fastest.prototype, "compile");
  try {
    const check = new LazyValidator().compile(rules);
    expect(compile).not.toHaveBeenCalled();
    for (const _call of [1, 2]) expect(check({ name: "a", count: 1 })).toBe(true);
    expect(compile).toHaveBeenCalledTimes(1);
  } finally {
    compile.mockRestore();
  }
});

test("a broker checks by them as by Moleculer's own: mistakes are refused, defaults filled in", async () => {
  const broker = new ServiceBroker({ logger: false, validator: new LazyValidator() });
  broker.createService({
    name: "math",
    actions: { add: { params: rules, handler: ({ params }) => params } },
  });
  await broker.start();
  try {
    expect(await broker.call("math.add", { name: "a" })).toEqual({ name: "a", count: 3 });
    const refusal = { type: "VALIDATION_ERROR", data: [{ type: "string", field: "name" }] };
    for (const _call of [1, 2])
      await expect(broker.call("math.add", { name: 1 })).rejects.toMatchObject(refusal);
  } finally {
    await broker.stop();
  }
});

test("an action can be prepared: its first call compiles nothing", async () => {
  const broker = new ServiceBroker({ logger: false, validator: new LazyValidator() });
  broker.createService({
    name: "math",
    actions: { add: { params: { ...rules }, handler: ({ params }) => params } },
  });
  await broker.start();
  const compile = jest.spyOn(Validators.Fastest.prototype, "compile");
  try {
    prepareAction(broker, "math.add");
    prepareAction(broker, "math.unknown");
    expect(compile).toHaveBeenCalledTimes(1);
    expect(await broker.call("math.add", { name: "a" })).toEqual({ name: "a", count: 3 });
    expect(compile).toHaveBeenCalledTimes(1);
  } finally {
    compile.mockRestore();
    await broker.stop();
  }
});
