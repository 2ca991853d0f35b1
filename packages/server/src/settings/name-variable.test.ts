import { ListenError } from "@svc/http-edge/listen";
import { describe, expect, it } from "vitest";
import { nameVariable } from "./name-variable.ts";

const ADDRESSES = {
  variables: ["SVC_A_LISTEN", "SVC_A_METRICS_LISTEN"],
  env: { SVC_A_METRICS_LISTEN: "127.0.0.1:9" },
} as const;

describe("nameVariable", () => {
  it.each([
    { address: "127.0.0.1:9", variable: "SVC_A_METRICS_LISTEN" },
    { address: "127.0.0.1:1", variable: "SVC_A_LISTEN" },
  ])("names $variable when $address is taken", async ({ address, variable }) => {
    const starting = Promise.reject(new ListenError(address, new Error("in use")));
    await expect(nameVariable(ADDRESSES, starting)).rejects.toThrow(
      `${variable}: cannot listen on ${address}: in use`,
    );
  });

  it("leaves other faults and what has started as they are", async () => {
    const fault = new Error("SVC_A: expected another value");
    await expect(nameVariable(ADDRESSES, Promise.reject(fault))).rejects.toBe(fault);
    expect(await nameVariable(ADDRESSES, Promise.resolve(7))).toBe(7);
  });
});
