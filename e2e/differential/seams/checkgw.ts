import type { Verdict } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import { startCheckgw } from "../../support/adapters/checkgw-process.ts";
import { type Answer, send } from "../../support/server/api.ts";
import {
  ANNOUNCED,
  executeBody,
  type Observed,
  observedOf,
  type Seam,
  type SeamCall,
  wireText,
} from "../seam.ts";
import { callerHeaders } from "./caller-headers.ts";

/** The verdict in JSON, for a caller that runs the call itself. */
export const verdict: Seam = {
  name: "/verdict",
  lacks: {},
  keyed: true,
  open: async (gatewayUrl, env) => {
    const checkgw = await startCheckgw(gatewayUrl, env);
    const url = `http://127.0.0.1:${String(checkgw.port)}/verdict`;
    return {
      ask: async (call, key) => {
        const { body } = await send("POST", url, {
          body: wireText(executeBody(call)),
          headers: keyHeader(key),
        });
        return observedOf(body as unknown as Verdict, call.args);
      },
      close: () => checkgw.stop(),
    };
  },
};

/** An auth hook: nothing but status and headers count for it, and it cannot replace what it asked about. */
export const check: Seam = {
  name: "/check",
  lacks: { rewrite: "announced" },
  keyed: true,
  open: openCheck,
};

export const strictCheck: Seam = {
  name: "/check, strict",
  lacks: { rewrite: "denied" },
  most: 500,
  open: (gatewayUrl, env = {}) => openCheck(gatewayUrl, { ...env, SVC_SHAPING_STRICT: "true" }),
};

async function openCheck(gatewayUrl: string, env: Readonly<Record<string, string>> = {}) {
  const checkgw = await startCheckgw(gatewayUrl, env);
  const url = `http://127.0.0.1:${String(checkgw.port)}/check`;
  return {
    ask: async (call: SeamCall, key?: string) =>
      seenBy(await send("GET", url, { headers: { ...hookHeaders(call), ...keyHeader(key) } }), call.args),
    close: () => checkgw.stop(),
  };
}

function keyHeader(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { "x-svc-idempotency-key": key };
}

function hookHeaders(call: SeamCall): Record<string, string> {
  const { tool, args, costUsd } = call;
  return {
    ...callerHeaders(call),
    "x-svc-tool": tool,
    "x-svc-args-b64": Buffer.from(JSON.stringify(args)).toString("base64url"),
    ...(costUsd === null ? {} : { "x-svc-cost-usd": costUsd }),
  };
}

/** Decision and rule as the headers say them; the code is in the body alone. */
function seenBy({ status, headers, body }: Answer, args: JsonObject): Observed {
  const told = observedOf(body as unknown as Verdict, args);
  const decision = String(headers["x-svc-decision"]);
  if ((status === 200) !== (decision === "allow"))
    throw new Error(`status ${String(status)} with ${decision}`);
  const ruleId = headers["x-svc-rule-id"];
  const seen = { ...told, decision, ruleId: ruleId === undefined ? null : String(ruleId) };
  return decision === "allow" && headers["x-svc-shaping-required"] === "true"
    ? { ...seen, args: ANNOUNCED }
    : seen;
}
