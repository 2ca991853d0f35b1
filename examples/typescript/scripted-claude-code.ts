/**
 * Stands in for Claude Code, so that an example needs neither a key nor the program. It speaks its control
 * protocol to the Claude Agent SDK, makes calls of tools by a script, and treats the answers of hooks as
 * Claude Code does.
 */
import { EventEmitter } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { Options } from "@anthropic-ai/claude-agent-sdk";

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

type Message = Record<string, any>;

/** For `spawnClaudeCodeProcess`. The result of the run is the list of what the model read, as JSON. */
export function scriptedClaudeCode(
  calls: readonly ScriptedCall[],
  session: string,
): NonNullable<Options["spawnClaudeCodeProcess"]> {
  return () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const child = Object.assign(new EventEmitter(), { stdin, stdout, killed: false, exitCode: null });
    const end = (): boolean => {
      stdout.end();
      return child.emit("exit", 0, null);
    };
    new Standin(stdin, stdout, session).play(calls).then(end, (error: unknown) => child.emit("error", error));
    return Object.assign(child, { kill: end });
  };
}

class Standin {
  readonly #out: PassThrough;
  readonly #session: string;
  readonly #answers = new Map<string, (response: Message) => void>();
  readonly #started = Promise.withResolvers<void>();
  #hooks: Message = {};
  #asked = 0;

  constructor(input: PassThrough, out: PassThrough, session: string) {
    this.#out = out;
    this.#session = session;
    createInterface({ input }).on("line", (line) => this.#read(JSON.parse(line) as Message));
  }

  async play(calls: readonly ScriptedCall[]): Promise<void> {
    await this.#started.promise;
    for (const server of new Set(calls.map(({ name }) => serverOf(name)))) await this.#connect(server);
    const read = await Promise.all(calls.map((call) => this.#make(call)));
    const result = { type: "result", subtype: "success", is_error: false, result: JSON.stringify(read) };
    const counted = { duration_ms: 1, duration_api_ms: 1, num_turns: 1, total_cost_usd: 0, usage: {} };
    const uuid = "00000000-0000-4000-8000-000000000000";
    this.#send({ ...result, ...counted, session_id: this.#session, uuid });
  }

  async #make(call: ScriptedCall): Promise<string> {
    const { denied, args } = await this.#askHooks("PreToolUse", call, { tool_input: call.args });
    if (denied !== null) return denied;
    const params = { name: call.name.split("__")[2], arguments: args };
    const { result, error } = await this.#askServer(serverOf(call.name), call.id, "tools/call", params);
    const text = String(result?.content?.[0]?.text ?? error?.message);
    const event = error !== undefined || result?.isError === true ? "PostToolUseFailure" : "PostToolUse";
    await this.#askHooks(event, call, { tool_input: args, tool_response: text });
    return text;
  }

  /** What Claude Code cannot read, or what fails without `onFailure: "block"`, does not stop a call. */
  async #askHooks(event: string, { id, name, args }: ScriptedCall, more: Message) {
    const about = { hook_event_name: event, session_id: this.#session, transcript_path: "", cwd: "/" };
    const input = { ...about, tool_name: name, tool_use_id: id, ...more };
    let denied: string | null = null;
    let kept: Message = args;
    for (const { hookCallbackIds, onFailure } of this.#hooks[event] ?? [])
      for (const callback_id of hookCallbackIds) {
        const asked = { subtype: "hook_callback", callback_id, input, tool_use_id: id };
        const { subtype, response } = await this.#request(asked);
        const output = response?.hookSpecificOutput ?? {};
        if (subtype !== "success" && onFailure === "block") denied ??= "A hook failed.";
        if (output.hookEventName !== "PreToolUse") continue;
        if (["deny", "ask"].includes(output.permissionDecision)) denied ??= output.permissionDecisionReason;
        kept = output.updatedInput ?? kept;
      }
    return { denied, args: kept };
  }

  async #connect(server: string): Promise<void> {
    const clientInfo = { name: "scripted", version: "1" };
    await this.#askServer(server, "init", "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo,
    });
    const message = { jsonrpc: "2.0", method: "notifications/initialized" };
    await this.#request({ subtype: "mcp_message", server_name: server, message });
  }

  async #askServer(server_name: string, id: string, method: string, params: Message): Promise<Message> {
    const message = { jsonrpc: "2.0", id, method, params };
    const { response } = await this.#request({ subtype: "mcp_message", server_name, message });
    return response?.mcp_response ?? {};
  }

  #request(request: Message): Promise<Message> {
    const request_id = `scripted-${(this.#asked += 1)}`;
    this.#send({ type: "control_request", request_id, request });
    return new Promise((resolve) => void this.#answers.set(request_id, resolve));
  }

  #read(message: Message): void {
    if (message["type"] === "control_response") {
      this.#answers.get(message["response"].request_id)?.(message["response"]);
      return;
    }
    if (message["type"] === "user") this.#started.resolve();
    if (message["type"] !== "control_request") return;
    const { request_id, request } = message;
    if (request.subtype === "initialize") this.#hooks = request.hooks ?? {};
    const known = { hook_on_failure_supported: true, hooks_applied: true };
    const response = { commands: [], models: [], account: {}, output_style: "", agents: [], ...known };
    this.#send({ type: "control_response", response: { subtype: "success", request_id, response } });
  }

  #send(message: Message): void {
    this.#out.write(`${JSON.stringify(message)}\n`);
  }
}

function serverOf(name: string): string {
  return name.split("__")[1] ?? "";
}
