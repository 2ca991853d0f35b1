import { expect, it } from "vitest";
import { takeTurns } from "./take-turns.ts";

it("alternates the sides and keeps their results apart", async () => {
  const order: string[] = [];
  const side = (name: string) => (): Promise<string> => {
    order.push(name);
    return Promise.resolve(`${name}${order.length}`);
  };
  const results = await takeTurns(3, [side("a"), side("b")]);
  expect(order).toEqual(["a", "b", "a", "b", "a", "b"]);
  expect(results).toEqual([
    ["a1", "a3", "a5"],
    ["b2", "b4", "b6"],
  ]);
});
