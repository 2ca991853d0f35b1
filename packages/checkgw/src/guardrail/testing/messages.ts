/** Bodies as the callers send them. */

export function toolCall(name: string, args: string, id = "call_1"): object {
  return { id, type: "function", function: { name, arguments: args } };
}

const EMPTY_RESPONSE = { json: {}, text: "", statusCode: null, isTransformed: false };

export function portkeyBefore(json: unknown, requestType = "chatComplete"): Record<string, unknown> {
  return {
    request: { json, text: "", isStreamingRequest: false, isTransformed: false },
    response: EMPTY_RESPONSE,
    provider: "openai",
    requestType,
    metadata: {},
    eventType: "beforeRequestHook",
  };
}

export function portkeyAfter(json: unknown, requestType = "chatComplete"): Record<string, unknown> {
  return {
    ...portkeyBefore({ model: "gpt-5", messages: [] }, requestType),
    response: { json, text: "", statusCode: 200, isTransformed: false },
    eventType: "afterRequestHook",
  };
}

/** A completion that says something or calls tools. */
export function completion(content: string | null, toolCalls: readonly object[] = []): object {
  const message = {
    role: "assistant",
    content,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  return { id: "c1", model: "gpt-5", choices: [{ index: 0, message, finish_reason: "stop" }], usage: {} };
}

export function litellmRequest(texts: readonly string[], more: object = {}): Record<string, unknown> {
  return {
    input_type: "request",
    litellm_call_id: "call-7",
    litellm_trace_id: "trace-7",
    texts,
    request_data: { user_api_key_hash: "88dc" },
    additional_provider_specific_params: {},
    model: "assistant",
    ...more,
  };
}

export function litellmResponse(
  texts: readonly string[],
  toolCalls: readonly object[] | null = null,
): Record<string, unknown> {
  return { ...litellmRequest(texts), input_type: "response", tool_calls: toolCalls };
}
