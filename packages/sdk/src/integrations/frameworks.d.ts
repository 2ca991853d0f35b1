// What the adapters use of each framework, so that no framework is a dependency of this workspace. The
// published types name the framework that the user installed. Tests compile them against the real ones.

declare module "langchain" {
  export interface AgentMiddleware {
    readonly name: string;
  }
  export interface LangChainToolCall {
    readonly name: string;
    readonly args: Record<string, unknown>;
    readonly id?: string;
  }
  export interface LangChainToolRequest {
    readonly toolCall: LangChainToolCall;
    readonly tool: object | undefined;
    readonly runtime: {
      readonly configurable?: { readonly thread_id?: string };
      readonly interrupt?: (value: unknown) => unknown;
      readonly signal?: AbortSignal;
    };
  }
  export class ToolMessage {
    readonly status?: "success" | "error";
    constructor(fields: {
      readonly content: string;
      readonly tool_call_id: string;
      readonly name: string;
      readonly status: "error";
    });
    static isInstance(value: unknown): value is ToolMessage;
  }
  /** A command goes to another node of the graph. */
  export type LangChainResult = ToolMessage | { readonly lg_name: string };
  export function createMiddleware(config: {
    readonly name: string;
    readonly wrapModelCall: <Request extends { readonly tools: readonly object[] }, Answer>(
      request: Request,
      handler: (request: Request) => Answer,
    ) => Answer;
    readonly wrapToolCall: (
      request: LangChainToolRequest,
      handler: (request: LangChainToolRequest) => Promise<LangChainResult>,
    ) => Promise<LangChainResult>;
  }): AgentMiddleware;
}

declare module "@google/adk" {
  export abstract class BasePlugin {
    constructor(name: string);
    beforeModelCallback(given: { llmRequest: object }): Promise<undefined>;
    beforeToolCallback(given: object): Promise<Record<string, unknown> | undefined>;
  }
}

declare module "@strands-agents/sdk" {
  export class TextBlock {
    constructor(text: string);
    readonly text: string;
  }
  export class ToolResultBlock {
    readonly status: "success" | "error";
    constructor(block: { toolUseId: string; status: "success" | "error"; content: TextBlock[] });
  }
}

declare module "@anthropic-ai/claude-agent-sdk" {
  /** The options of a query. */
  export interface Options {
    readonly hooks?: object;
    readonly extraArgs?: object;
    readonly permissionPromptToolName?: string;
    readonly settings?: string | Readonly<Record<string, unknown>>;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly canUseTool?: (
      tool: string,
      input: Record<string, unknown>,
      about: { readonly toolUseID: string },
    ) => Promise<object>;
  }
}
