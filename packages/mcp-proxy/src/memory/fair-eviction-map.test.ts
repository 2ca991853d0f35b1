import { describe, expect, it } from "vitest";
import { FairEvictionMap } from "./fair-eviction-map.ts";

describe("FairEvictionMap", () => {
  it("evicts the oldest entry of the owner with the most, and nothing of others", () => {
    const gone: string[] = [];
    const map = new FairEvictionMap<number>(4, (key) => gone.push(key));
    map.set("a", "a1", 1);
    for (const key of ["b1", "b2", "b3", "b4", "b5"]) map.set("b", key, 2);
    expect(gone).toEqual(["b1", "b2"]);
    expect([map.get("a1"), map.get("b2"), map.get("b3")]).toEqual([1, undefined, 2]);
    expect(map.values()).toEqual([1, 2, 2, 2]);
  });

  it("setting a key again makes it the newest, and deleting one makes room", () => {
    const gone: string[] = [];
    const map = new FairEvictionMap<number>(2, (key) => gone.push(key));
    map.set(null, "1", 1);
    map.set(null, "2", 1);
    map.set(null, "1", 3);
    map.set(null, "3", 1);
    map.delete("1");
    map.delete("1");
    map.set(null, "4", 1);
    expect([gone, map.get("1"), map.get("3")]).toEqual([["2"], undefined, 1]);
  });
});
