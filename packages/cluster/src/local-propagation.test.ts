import { describe, expect, it } from "vitest";
import { localPropagation } from "./local-propagation.ts";

const NOBODY = { agents: [], sessions: [] };

function propagation(
  catchUp: () => Promise<number>,
  followedKeys: { readonly catchUp: () => Promise<number> } | null = null,
) {
  let nowMs = 0;
  const clock = {
    nowMs: () => {
      nowMs += 2;
      return nowMs;
    },
  };
  return localPropagation({
    gatewayId: "gw_1",
    gateway: {
      catchUp,
      catchUpPolicies: () => expect.unreachable("a switch waited for policies"),
      catchUpPolicy: async (org, id) => (org === "acme" && id === "p" ? 9 : expect.unreachable()),
      affected: () => NOBODY,
      sighting: () => null,
    },
    followedKeys,
    clock,
  });
}

describe("localPropagation", () => {
  // proves KEY-04
  it.each([
    [7, 7, 2],
    [7, 6, null],
    [6, 7, null],
  ])(
    "acknowledges a change of keys when the gateway (%i) and the keys (%i) have it",
    async (gateway, keys, acknowledged_ms) => {
      const announced = propagation(async () => gateway, { catchUp: async () => keys });
      expect(await announced.announceKeyChange(7, 100)).toEqual([{ id: "gw_1", acknowledged_ms }]);
    },
  );

  it("acknowledges when the gateway enforces the revision", async () => {
    const acknowledged = [{ id: "gw_1", acknowledged_ms: 2 }];
    expect(await propagation(async () => 7).announce(7)).toEqual(acknowledged);
    expect(await propagation(async () => 9).announce(7)).toEqual(acknowledged);
  });

  it.each([
    ["enforces an older revision only", async () => 6],
    ["cannot read the feed", () => Promise.reject(new Error("store down"))],
    ["does not answer in time", () => Promise.withResolvers<number>().promise],
  ])("S7: acknowledges nothing while the gateway %s", async (_name, catchUp) => {
    expect(await propagation(catchUp).announce(7)).toEqual([{ id: "gw_1", acknowledged_ms: null }]);
  });

  it("acknowledges a policy when the gateway decides by its latest version", async () => {
    const asked = propagation(() => expect.unreachable()).probePolicy("acme", "p");
    expect(await asked).toEqual([{ id: "gw_1", acknowledged_ms: 2 }]);
  });

  it("probes along the same path and reports who is affected", async () => {
    const probed = await propagation(async () => 1).probe({
      org: "default",
      scope: "account",
      targetId: null,
    });
    expect(probed).toEqual({
      gateways: [{ id: "gw_1", acknowledged_ms: 2 }],
      affected: NOBODY,
      sighting: null,
    });
  });
});
