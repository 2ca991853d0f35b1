import { describe, expect, it } from "vitest";
import { ShutdownStack } from "./shutdown-stack.ts";

describe("ShutdownStack", () => {
  it("closes what needs others before those others, and what stands side by side together", async () => {
    const closed: string[] = [];
    const part = (name: string) => ({ close: async () => void closed.push(name) });
    const layers = new ShutdownStack();
    layers.add(part("store"));
    layers.add(part("adapter"), part("other adapter"));
    layers.add(part("proxy"));
    await layers.close();
    expect(closed).toEqual(["proxy", "adapter", "other adapter", "store"]);
  });

  it("closes everything, also above and below a part that fails, and reports its fault", async () => {
    const closed: string[] = [];
    const layers = new ShutdownStack();
    layers.add({ close: async () => void closed.push("store") });
    layers.add(
      { close: () => Promise.reject(new Error("stuck")) },
      { close: async () => void closed.push("b") },
    );
    await expect(layers.close()).rejects.toThrow("stuck");
    expect(closed).toEqual(["b", "store"]);
  });
});
