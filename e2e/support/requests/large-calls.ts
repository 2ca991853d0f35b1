import { Agent, request } from "undici";
import { authorizationFor } from "../server/role-keys.ts";

/** Most connections at once: a flood of large calls comes over as many. */
const MAX_CONNECTIONS = 4_000;

/** Milliseconds that a test waits for an answer under a flood. */
const ANSWER_TIMEOUT_MS = 60_000;

/** Bytes of a body that is nearly as large as bodies may be. */
const LARGE_BYTES = 255 * 1024;

/** What a large call was answered, and whether it says when to come again. */
export interface LargeAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The decision, or the code of the refusal. */
  readonly outcome: string;
}

/** A body of the largest kind, of texts, numbers or keys. */
export function largeBody(agentId: string, kind: "text" | "numbers" | "keys"): Buffer {
  const args = { text: largeText, numbers: largeNumbers, keys: largeKeys }[kind]();
  return Buffer.from(`{"agent_id":"${agentId}","tool":"payments.refund","args":${args}}`);
}

/** A body as large as a small call may be, of text on which detectors work long. */
export function longestSmallBody(agentId: string): Buffer {
  const args = JSON.stringify({ t: "4111 1111 1111 11".repeat(900) });
  return Buffer.from(`{"agent_id":"${agentId}","tool":"payments.refund","args":${args}}`);
}

/** Sends large calls, each over a connection that no other call uses meanwhile. */
export class LargeCalls {
  readonly #agent = new Agent({
    connections: MAX_CONNECTIONS,
    pipelining: 1,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  });
  readonly #url: string;

  constructor(serverUrl: string) {
    this.#url = `${serverUrl}/api/v1/gateway/execute`;
  }

  async send(body: Buffer): Promise<LargeAnswer> {
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(this.#url, {
      dispatcher: this.#agent,
      method: "POST",
      headers: { "content-type": "application/json", ...(await authorizationFor("POST", this.#url)) },
      body,
    });
    const { decision, code } = (await answer.json()) as { decision?: string; code?: string };
    const retryAfter = headers["retry-after"];
    return {
      status: statusCode,
      retryAfter: typeof retryAfter === "string" ? retryAfter : undefined,
      outcome: decision ?? code ?? "none",
    };
  }

  /** Keeps so many calls on their way until it is stopped. Resolves with what they were answered. */
  keepSending(
    body: Buffer,
    inFlight: number,
  ): { readonly answers: readonly LargeAnswer[]; stop(): Promise<readonly LargeAnswer[]> } {
    const answers: LargeAnswer[] = [];
    let running = true;
    const work = async (): Promise<void> => {
      while (running) answers.push(await this.send(body));
    };
    // A failed test ends its calls; only `stop` reports that.
    const workers = Promise.allSettled(Array.from({ length: inFlight }, work));
    return {
      answers,
      stop: async () => {
        running = false;
        const failed = (await workers).find(({ status }) => status === "rejected");
        if (failed?.status === "rejected") throw failed.reason;
        return answers;
      },
    };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function largeText(): string {
  return JSON.stringify({ t: "de12 5 ".repeat(LARGE_BYTES / 7) });
}

function largeNumbers(): string {
  return JSON.stringify({ t: Array.from({ length: LARGE_BYTES / 3 }, () => 10) });
}

function largeKeys(): string {
  const keys = Array.from({ length: LARGE_BYTES / 9 }, (_, at) => [
    `k${at.toString(36).padStart(3, "0")}`,
    1,
  ]);
  return JSON.stringify(Object.fromEntries(keys));
}
