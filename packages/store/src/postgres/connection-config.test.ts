import { describe, expect, it } from "vitest";
import { connectionConfig } from "./connection-config.ts";

describe("the settings of a connection", () => {
  it("compiles no statement to machine code, whatever the address says", () => {
    const { options } = connectionConfig("postgres://svc@db/svc?options=-c%20jit%3Don");
    expect(options?.startsWith("-c jit=on ")).toBe(true);
    expect(options?.endsWith(" -c jit=off")).toBe(true);
  });
});
