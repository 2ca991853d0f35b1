import { startCheckgw } from "../../support/adapters/checkgw-process.ts";
import { send } from "../../support/server/api.ts";
import {
  CALLER,
  HARMLESS,
  type MessageCall,
  type MessageSeam,
  type ObservedMessage,
  refused,
  wentOn,
} from "../message.ts";
import { callerHeaders } from "./caller-headers.ts";
import { judging } from "./judging.ts";
import { chatCalls, chatCompletion } from "./model-wires.ts";

/** A webhook that is asked about an answer of a model. */
interface Hook {
  readonly name: string;
  readonly path: string;
  readonly carriesRewrites: boolean;
  readonly bodyOf: (calls: readonly MessageCall[]) => object;
  readonly seenBy: (told: Told, sent: readonly string[]) => ObservedMessage;
}

type Told = Readonly<Record<string, unknown>>;

const portkey: Hook = {
  name: "Portkey's webhook",
  path: "/guardrail/portkey",
  carriesRewrites: true,
  bodyOf: (calls) => ({
    eventType: "afterRequestHook",
    requestType: "chatComplete",
    request: { json: { model: "fake", messages: [] } },
    response: { json: JSON.parse(chatCompletion.write(calls)) as object },
  }),
  seenBy: ({ verdict, data, transformedData }, sent) => {
    const { decision, reason_code: code } = data as {
      readonly decision: string;
      readonly reason_code?: string;
    };
    if (verdict !== (decision === "allow")) throw new Error(`verdict ${String(verdict)} with ${decision}`);
    if (verdict !== true) return refused(decision, code ?? "");
    const rewritten = transformedData as { readonly response: { readonly json: object } } | undefined;
    if (rewritten === undefined) return wentOn(sent);
    return wentOn(chatCompletion.argumentsIn(JSON.stringify(rewritten.response.json)));
  },
};

const litellm: Hook = {
  name: "LiteLLM's webhook",
  path: "/beta/litellm_basic_guardrail_api",
  carriesRewrites: false,
  bodyOf: (calls) => ({ input_type: "response", texts: [], tool_calls: chatCalls(calls), model: "fake" }),
  seenBy: ({ action, blocked_reason: reason }, sent) => {
    if (action === "NONE") return wentOn(sent);
    if (action !== "BLOCKED") throw new Error(`action ${String(action)}`);
    return refusedIn(String(reason));
  },
};

const agentgateway: Hook = {
  name: "agentgateway's webhook",
  path: "/guardrail/agentgateway/response",
  carriesRewrites: false,
  bodyOf: (calls) => ({ body: JSON.parse(chatCompletion.write(calls)) as object }),
  seenBy: ({ action }, sent) => {
    const { body, status_code: status } = action as { readonly body?: string; readonly status_code?: number };
    return status === undefined ? wentOn(sent) : refusedIn(body ?? "");
  },
};

/** Decision and code from the one sentence that such a webhook has room for. */
function refusedIn(text: string): ObservedMessage {
  const [, decision = "", code = ""] = /\((\w+), (\w+)(?:, decision [^)]*)?\)$/.exec(text) ?? [];
  return refused(decision, code);
}

export const guardrailAnswers: readonly MessageSeam[] = [portkey, litellm, agentgateway].map((hook) => ({
  name: hook.name,
  carriesRewrites: hook.carriesRewrites,
  open: async (gatewayUrl, env) => {
    const checkgw = await startCheckgw(gatewayUrl, env);
    const url = `http://127.0.0.1:${String(checkgw.port)}${hook.path}`;
    const ask = async (calls: readonly MessageCall[]): Promise<ObservedMessage> => {
      const { body } = await send("POST", url, { body: hook.bodyOf(calls), headers: callerHeaders(CALLER) });
      return hook.seenBy(
        body,
        calls.map(({ args }) => JSON.stringify(args)),
      );
    };
    await judging(checkgw, async () => (await ask([HARMLESS])).decision === "allow");
    return { ask, close: () => checkgw.stop() };
  },
}));
