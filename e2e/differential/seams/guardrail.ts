import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { startCheckgw } from "../../support/adapters/checkgw-process.ts";
import { send } from "../../support/server/api.ts";
import { type Observed, passed, type Seam, type SeamCall, wireText } from "../seam.ts";
import { callerHeaders } from "./caller-headers.ts";
import { judging } from "./judging.ts";

/** Portkey's webhook after the model has answered with one tool call. */
export const guardrail: Seam = {
  name: "guardrail webhook",
  lacks: { cost: true, wouldBe: true },
  open: async (gatewayUrl, env) => {
    const checkgw = await startCheckgw(gatewayUrl, env);
    const url = `http://127.0.0.1:${String(checkgw.port)}/guardrail/portkey`;
    const ask = async (call: SeamCall): Promise<Observed> => {
      const answer = completion(call);
      const body = {
        eventType: "afterRequestHook",
        requestType: "chatComplete",
        request: { json: { model: "fake", messages: [] } },
        response: { json: answer },
      };
      const { body: told } = await send("POST", url, { body, headers: callerHeaders(call) });
      return seenBy(told as unknown as HookAnswer, answer);
    };
    await judging(checkgw, async () => (await ask(UNGOVERNED)).reasonCode === "no_policy");
    return {
      ask,
      close: () => checkgw.stop(),
    };
  },
};

/** A call of an agent that no policy governs. */
const UNGOVERNED: SeamCall = {
  index: -1,
  agent: "nobody",
  session: null,
  namespace: null,
  tool: "crm.read",
  args: {},
  costUsd: null,
};

interface Completion {
  readonly choices: readonly {
    readonly message: {
      readonly tool_calls: readonly {
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
    };
  }[];
}

interface HookAnswer {
  readonly verdict: boolean;
  readonly data: {
    readonly decision: string;
    readonly reason_code?: string;
    readonly rule_id?: string | null;
  };
  readonly transformedData?: { readonly response: { readonly json: Completion } };
}

/** What the model is said to have answered. */
function completion({ index, tool, args }: SeamCall): Completion {
  const call = {
    id: `call_${String(index)}`,
    type: "function",
    function: { name: tool, arguments: wireText(args) },
  };
  const message = { role: "assistant", content: null, tool_calls: [call] };
  return { choices: [{ message }] };
}

/** Portkey uses the transformed answer if there is one, else the one of the model. */
function seenBy({ verdict, data, transformedData }: HookAnswer, answer: Completion): Observed {
  const { decision, reason_code: reasonCode = null, rule_id: ruleId = null } = data;
  if (verdict !== (decision === "allow")) throw new Error(`verdict ${String(verdict)} with ${decision}`);
  if (verdict) return passed(argumentsIn(transformedData?.response.json ?? answer));
  return { decision, reasonCode, ruleId, wouldBe: null, args: null };
}

function argumentsIn({ choices }: Completion): string {
  const [call] = choices[0]?.message.tool_calls ?? [];
  return canonicalJson(JSON.parse(call?.function.arguments ?? "") as JsonObject);
}
