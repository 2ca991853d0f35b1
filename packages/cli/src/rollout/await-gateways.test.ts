import type { GatewayAcknowledgement } from "@svc/contract/acknowledgement";
import { describe, expect, it } from "vitest";
import type { ControlClient } from "../connection/control-client.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import { awaitGateways } from "./await-gateways.ts";

type Answer = { readonly version: number; readonly gateways: readonly GatewayAcknowledgement[] } | Error;

/** A client that gives these answers, the last one again and again. */
function answering(...answers: readonly Answer[]): Pick<ControlClient, "ask"> {
  const pending = [...answers];
  const ask = async () => {
    const answer = pending.length > 1 ? pending.shift() : pending[0];
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error("nothing was to be asked");
    return { kind: "json", status: 200, body: { policy_id: "p", enabled: true, ...answer } };
  };
  return { ask: ask as unknown as ControlClient["ask"] };
}

const done = (id: string) => ({ id, acknowledged_ms: 3.2 });
const silent = (id: string) => ({ id, acknowledged_ms: null });
const DOWN = new CommandFailure("unreachable", "the control plane does not answer");

function waiting(
  client: Pick<ControlClient, "ask">,
  known: readonly GatewayAcknowledgement[],
  { waitMs = 60_000, signal = new AbortController().signal } = {},
) {
  const wait = { id: "p", version: 4, known, sentMs: performance.now(), waitMs, signal };
  return awaitGateways(client, wait, { progress: () => undefined });
}

describe("awaitGateways", () => {
  // proves CLI-43
  it("asks nothing when the answer to the change names every gateway", async () => {
    expect(await waiting(answering(), [done("a"), done("b")])).toEqual({
      confirmed: true,
      gateways: [
        { id: "a", confirmed_ms: 4, listed: true },
        { id: "b", confirmed_ms: 4, listed: true },
      ],
      unconfirmed_because: null,
    });
  });

  // proves CLI-43
  it("waits for a silent gateway, over a server that restarts", async () => {
    const client = answering(
      DOWN,
      { version: 4, gateways: [done("a"), silent("b")] },
      { version: 5, gateways: [done("a"), done("b")] },
    );
    const { confirmed, gateways } = await waiting(client, [done("a"), silent("b")]);
    expect([confirmed, gateways.map(({ id }) => id)]).toEqual([true, ["a", "b"]]);
  });

  // proves CLI-43
  it.each<[string, readonly Answer[]]>([
    ["stays silent", [{ version: 4, gateways: [done("a"), silent("b")] }]],
    ["is not listed any more", [{ version: 4, gateways: [done("a")] }]],
    ["confirms an earlier version", [{ version: 3, gateways: [done("a"), done("b")] }]],
    ["is unknown because no server answers", [DOWN]],
  ])("is not confirmed while a gateway %s", async (_name, answers) => {
    const { confirmed, gateways, unconfirmed_because } = await waiting(
      answering(...answers),
      [done("a"), silent("b")],
      { waitMs: 50 },
    );
    expect(confirmed).toBe(false);
    expect(gateways.find(({ id }) => id === "b")?.confirmed_ms).toBe(null);
    expect(unconfirmed_because).toEqual(expect.any(String));
  });

  // proves CLI-43
  it("is not confirmed when no gateway is known at all", async () => {
    const client = answering({ version: 4, gateways: [] });
    expect(await waiting(client, [], { waitMs: 50 })).toMatchObject({ confirmed: false, gateways: [] });
  });

  // proves CLI-43
  it("ends when it is interrupted, and when the key is refused", async () => {
    const controller = new AbortController();
    controller.abort();
    const { unconfirmed_because } = await waiting(answering(), [silent("a")], { signal: controller.signal });
    expect(unconfirmed_because).toBe("the wait was interrupted");
    const refused = answering(new CommandFailure("refused", "the key was revoked"));
    expect(await waiting(refused, [silent("a")])).toMatchObject({
      confirmed: false,
      unconfirmed_because: "the key was revoked",
    });
  });
});
