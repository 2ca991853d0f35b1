import type { JsonObject } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";
import { answerRequest } from "./answer-request.ts";
import type { ExpectedDecision } from "./decision.ts";
import type { KillOrder } from "./kit-control.ts";
import { KitRefusal } from "./kit-refusal.ts";
import type { KitSettings } from "./kit-settings.ts";
import { TestGateway } from "./test-gateway.ts";

/**
 * The test gateway for hosts of another language: a script that needs ECMAScript alone and leaves one object
 * behind. Its host calls `begin` with the JSON text of a command. The work ends after that call, and mostly
 * before its host reads the result, which is memory that holds the JSON text of the reply: one step for the
 * host, however many promises there are. A reply that is too long, or not there yet, is read with `take`.
 */

/** Length of the longest reply that the memory holds, in units of UTF-16: several times that of a verdict. */
const MEMORY_UNITS = 16 * 1_024;

/** What a host asks for. Every member is as the host's own library checked it. */
type Command =
  | { readonly do: "open"; readonly settings: KitSettings; readonly forget: readonly number[] }
  | ({ readonly gateway: number } & GatewayCommand);

type GatewayCommand =
  | {
      readonly do: "request";
      readonly path: string;
      readonly body: string;
      readonly idempotency_key: string | null;
    }
  | { readonly do: "decisions" }
  | { readonly do: "expect"; readonly expected: ExpectedDecision }
  | { readonly do: "approve"; readonly approval: string | null; readonly args: JsonObject | null }
  | { readonly do: "deny_approval"; readonly approval: string | null }
  | { readonly do: "kill"; readonly order: KillOrder }
  | { readonly do: "end_kill"; readonly id: string }
  | { readonly do: "advance"; readonly ms: number }
  | { readonly do: "now" };

/** `refused`: the message is for the author of the test. `failed`: a defect of the kit. */
type Reply =
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "refused" | "failed"; readonly message: string };

class Host {
  readonly #gateways = new Map<number, TestGateway>();
  #opened = 0;
  #reply: string | null = null;
  /** The length of the reply, and then the reply. Length 0: `take` has what there is. */
  readonly #memory = new Uint16Array(1 + MEMORY_UNITS);

  begin(text: string): Uint16Array {
    this.#keep(null);
    this.#carryOut(parseJson(text) as Command).then(
      (value) => this.#keep({ kind: "done", value }),
      (error: unknown) => this.#keep(replyOf(error)),
    );
    return this.#memory;
  }

  /** Null: the work has not ended, which is a defect. */
  take(): string | null {
    return this.#reply;
  }

  #keep(reply: Reply | null): void {
    this.#reply = reply === null ? null : JSON.stringify(reply);
    const text = this.#reply === null || this.#reply.length > MEMORY_UNITS ? "" : this.#reply;
    // The host may read in another thread meanwhile. It reads nothing while the length is 0.
    Atomics.store(this.#memory, 0, 0);
    for (let at = 0; at < text.length; at += 1) this.#memory[1 + at] = text.charCodeAt(at);
    Atomics.store(this.#memory, 0, text.length);
  }

  async #carryOut(command: Command): Promise<unknown> {
    if (command.do === "open") {
      for (const id of command.forget) this.#gateways.delete(id);
      const opened = new TestGateway(command.settings);
      this.#opened += 1;
      this.#gateways.set(this.#opened, opened);
      return { gateway: this.#opened, warnings: opened.warnings };
    }
    const gateway = this.#gateways.get(command.gateway);
    if (gateway === undefined) throw new Error("the gateway was closed");
    switch (command.do) {
      case "request": {
        const { path, body, idempotency_key: idempotencyKey } = command;
        return answerRequest(gateway, { path, body, idempotencyKey });
      }
      case "decisions":
        return gateway.decisions;
      case "expect":
        return gateway.expectDecision(command.expected);
      case "approve":
        return gateway.approve(command.approval, command.args);
      case "deny_approval":
        return gateway.denyApproval(command.approval);
      case "kill":
        return gateway.kill(command.order);
      case "end_kill":
        return gateway.endKill(command.id);
      case "advance":
        return gateway.advance(command.ms);
      case "now":
        return gateway.clock.now().toISOString();
    }
  }
}

function replyOf(error: unknown): Reply {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: error instanceof KitRefusal ? "refused" : "failed", message };
}

/** What a gateway takes from its platform and ECMAScript does not have. */
interface Platform {
  crypto?: { getRandomValues<Bytes extends Uint8Array>(bytes: Bytes): Bytes };
  setTimeout?: () => number;
  clearTimeout?: () => void;
  svcTestGateway?: Host;
}

const platform = globalThis as unknown as Platform;

// Names of a test need to be different, and nobody has a reason to guess them.
platform.crypto ??= {
  getRandomValues: (bytes) => {
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.floor(Math.random() * 256);
    return bytes;
  },
};
// Nothing in memory is late, so no timer ever fires.
platform.setTimeout ??= () => 0;
platform.clearTimeout ??= () => undefined;
platform.svcTestGateway = new Host();
