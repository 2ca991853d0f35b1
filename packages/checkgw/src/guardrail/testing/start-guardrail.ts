import { startTestCheckgw, type TestAnswer, type TestCheckgw } from "../../testing/start-checkgw.ts";
import { createGuardrail } from "../guardrail.ts";
import { GuardrailThread } from "../guardrail-thread.ts";

export interface TestGuardrail extends TestCheckgw {
  /** Why workers were given up. */
  readonly lost: readonly string[];
  /** Sends a JSON body for agent-1. */
  post(target: string, body: unknown): Promise<TestAnswer>;
}

export interface TestGuardrailOptions {
  /** Milliseconds from arrival to answer. */
  readonly budgetMs?: number;
  readonly workerUrl?: URL;
  readonly idleEndMs?: number;
}

/** A budget in milliseconds that no healthy request comes near, also on a busy machine. */
const AMPLE_BUDGET_MS = 20_000;

/** The worker with doors for tests. */
export const STALLING_WORKER = new URL("./stalling-worker.ts", import.meta.url);

/** Starts the adapter on a free port with the real judging thread, which asks the given gateway. */
export async function startTestGuardrail(
  gatewayUrl: string,
  { budgetMs = AMPLE_BUDGET_MS, workerUrl, idleEndMs }: TestGuardrailOptions = {},
): Promise<TestGuardrail> {
  const lost: string[] = [];
  const thread = new GuardrailThread({
    settings: {
      gatewayUrl,
      apiKey: null,
      orgId: null,
      timeoutMs: budgetMs,
      fixed: { agentId: null, namespace: null },
    },
    onFault: () => {},
    onLost: (reason) => lost.push(reason),
    ...(workerUrl === undefined ? {} : { workerUrl }),
    ...(idleEndMs === undefined ? {} : { idleEndMs }),
  });
  const guardrail = createGuardrail({
    thread,
    budgetMs,
    monotonicMs: () => performance.now(),
    onDefect: () => {},
  });
  const checkgw = await startTestCheckgw(undefined, {}, guardrail);
  return {
    ...checkgw,
    lost,
    post: (target, body) =>
      checkgw.send({
        method: "POST",
        target,
        headers: [
          ["content-type", "application/json"],
          ["x-svc-agent-id", "agent-1"],
        ],
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    close: async () => {
      await checkgw.close();
      await thread.close();
    },
  };
}
