"""Refuses requests that LiteLLM shows to its guardrails only in part, or not at all.

litellm.yaml names `instance` as a callback; LiteLLM finds this file beside that one, and does not start without it.
It runs before the model gets the prompt. After the guardrail it runs again on answers that are not streams. The
lists are closed: a request with anything else is refused with 400 and a message that names it. A defect in this file
refuses too, because LiteLLM answers an exception of a callback with an error.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

from fastapi import HTTPException
from litellm.integrations.custom_logger import CustomLogger

# What LiteLLM itself adds to a request, or takes from headers that clients may send. No model reads any of it.
OWN_MEMBERS = frozenset(
    "_litellm_strip_stream_usage api_version client_side_timeout litellm_call_id litellm_logging_obj"
    " litellm_metadata litellm_session_id litellm_trace_id metadata num_retries provider_specific_header"
    " proxy_server_request secret_fields stream_timeout timeout".split()
)

COMMON = frozenset("model stream stream_options temperature top_p user service_tier".split())
SAMPLING = frozenset("n stop seed max_tokens presence_penalty frequency_penalty logit_bias".split())
CALLS = frozenset("tools tool_choice parallel_tool_calls".split())
KEEPING = frozenset("store safety_identifier prompt_cache_key".split())

CHAT = COMMON | SAMPLING | CALLS | KEEPING | {"messages", "max_completion_tokens", "response_format"}
CHAT |= {"reasoning_effort", "verbosity"}
COMPLETION = COMMON | SAMPLING | {"prompt", "best_of"}
MESSAGES = COMMON | CALLS | {"messages", "system", "max_tokens", "stop_sequences", "top_k"}
RESPONSES = COMMON | CALLS | KEEPING | {"input", "instructions", "max_output_tokens", "truncation", "text"}
RESPONSES |= {"reasoning", "include", "max_tool_calls"}
EMBEDDING = frozenset("model input dimensions encoding_format user".split())

# Members that are refused, except with the value that switches them off.
SWITCHED_OFF: Mapping[str, object] = {"logprobs": False, "background": False, "echo": False}

# The items of `input` that LiteLLM shows. It reads an item without a type as a message.
SHOWN_ITEMS = frozenset({"message", "function_call", "function_call_output", "reasoning"})

ANSWERED_ITEMS = frozenset({"message", "function_call", "reasoning"})
ANSWERED_BLOCKS = frozenset({"text", "tool_use", "thinking", "redacted_thinking"})


class Route(NamedTuple):
    """A kind of request. LiteLLM shows its texts, and the texts and calls of its answer."""

    call_type: str
    members: frozenset[str]
    # member with the texts that LiteLLM shows: messages, or with `plain` plain texts
    prompt: str
    plain: bool = False
    # types of tools whose calls LiteLLM shows before the client gets them; None stands for a tool without a type
    tool_types: frozenset[str | None] = frozenset()


FUNCTIONS: frozenset[str | None] = frozenset({"function"})
CHAT_ROUTE = Route("acompletion", CHAT, "messages", tool_types=FUNCTIONS)
COMPLETION_ROUTE = Route("atext_completion", COMPLETION, "prompt", plain=True)
MESSAGES_ROUTE = Route("anthropic_messages", MESSAGES, "messages", tool_types=frozenset({None, "custom"}))
RESPONSES_ROUTE = Route("aresponses", RESPONSES, "input", tool_types=FUNCTIONS)
EMBEDDING_ROUTE = Route("aembedding", EMBEDDING, "input", plain=True)

ROUTES: Mapping[str, Route] = {
    "/v1/chat/completions": CHAT_ROUTE,
    "/chat/completions": CHAT_ROUTE,
    "/v1/completions": COMPLETION_ROUTE,
    "/completions": COMPLETION_ROUTE,
    "/v1/messages": MESSAGES_ROUTE,
    "/v1/responses": RESPONSES_ROUTE,
    "/responses": RESPONSES_ROUTE,
    "/v1/embeddings": EMBEDDING_ROUTE,
    "/embeddings": EMBEDDING_ROUTE,
}


class RefuseUnjudged(CustomLogger):
    """Lets a request through if the guardrail sees everything that the model and the client will read."""

    # runs also where LiteLLM skips callbacks that only count and log
    enforces_request_content = True

    async def async_pre_call_hook(self, user_api_key_dict: Any, cache: Any, data: Any, call_type: str) -> None:
        path = getattr(user_api_key_dict, "request_route", None)
        route = ROUTES.get(path) if isinstance(path, str) else None
        if route is None or route.call_type != call_type:
            refuse(f"requests to {path} ({call_type})")
        refuse_members(data, route)
        refuse_prompt(data.get(route.prompt), route)
        refuse_tools(data.get("tools"), route)
        if route is RESPONSES_ROUTE:
            refuse_responses(data)


    async def async_post_call_success_hook(self, data: Any, user_api_key_dict: Any, response: Any) -> None:
        answer = response if isinstance(response, Mapping) else response.model_dump()
        for choice in entries("choices", answer.get("choices")):
            refuse_message(choice.get("message") or {})
        for item in entries("output", answer.get("output")):
            refuse_kind("an answer with an item", item.get("type"), ANSWERED_ITEMS)
            for part in entries("content", item.get("content")):
                refuse_kind("an answer with a part", part.get("type"), frozenset({"output_text"}))
            if item.get("summary"):
                refuse("an answer with a summary of its reasoning")
        for block in entries("content", answer.get("content")):
            refuse_kind("an answer with a block", block.get("type"), ANSWERED_BLOCKS)
            if block.get("thinking"):
                refuse("an answer with a text of its thinking")


instance = RefuseUnjudged()


def refuse(what: str) -> NoReturn:
    """Ends the request. The message tells the client which part is not judged."""
    raise HTTPException(status_code=400, detail=f"Refused, because the guardrail would not be shown it: {what}.")


def refuse_members(data: Mapping[str, Any], route: Route) -> None:
    for name, value in data.items():
        if value is None or name in route.members or name in OWN_MEMBERS:
            continue
        if name in SWITCHED_OFF and value is SWITCHED_OFF[name]:
            continue
        refuse(f"the member {name}")
    if not isinstance(data.get("stream", False), bool | None):
        refuse("a value of stream that is neither true nor false")
    # LiteLLM reads a comma as a list of models and answers with a list
    if not isinstance(data.get("model"), str) or "," in data["model"]:
        refuse("a model that is not one name")


def refuse_prompt(prompt: Any, route: Route) -> None:
    """LiteLLM asks its guardrails only about texts. Nobody is asked about a prompt without a text."""
    if isinstance(prompt, str) and prompt != "" and (route.plain or route is RESPONSES_ROUTE):
        return
    if route.plain:
        if not isinstance(prompt, list) or not prompt or not all(isinstance(text, str) and text for text in prompt):
            refuse(f"{route.prompt} that is not made of texts")
    elif not any([has_text(message.get("content")) for message in entries(route.prompt, prompt)]):
        refuse(f"{route.prompt} without a text")


def has_text(content: Any) -> bool:
    if isinstance(content, str):
        return content != ""
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, Mapping) and "text" in part]
    return any(isinstance(text, str) and text != "" for text in texts)


def refuse_tools(tools: Any, route: Route) -> None:
    for tool in entries("tools", tools):
        refuse_kind("calls of a tool", tool.get("type"), route.tool_types)


def refuse_responses(data: Mapping[str, Any]) -> None:
    items = data.get("input")
    for item in entries("input", None if isinstance(items, str) else items):
        refuse_kind("an item", item.get("type", "message"), SHOWN_ITEMS)
    reasoning = data.get("reasoning")
    if reasoning is not None:
        for name, value in reasoning.items():
            if name != "effort" and value is not None:
                refuse(f"the member reasoning.{name}")
    for name in data.get("include") or ():
        if name != "reasoning.encrypted_content":
            refuse(f"the value {name} of include")


def refuse_message(message: Mapping[str, Any]) -> None:
    """The answer of a chat completion. LiteLLM does not show calls of other forms to its guardrail."""
    for name in ("function_call", "audio"):
        if message.get(name) is not None:
            refuse(f"an answer with {name}")
    for call in entries("tool_calls", message.get("tool_calls")):
        refuse_kind("an answer with a call", call.get("type"), FUNCTIONS)


def refuse_kind(what: str, kind: Any, shown: frozenset[Any]) -> None:
    if kind not in shown:
        refuse(f"{what} of type {kind}")


def entries(name: str, value: Any) -> Iterator[Mapping[str, Any]]:
    """The entries of a list of objects. Refuses any other value."""
    if value is None:
        return
    if not isinstance(value, list):
        refuse(f"{name} that is not a list")
    for entry in value:
        if not isinstance(entry, Mapping):
            refuse(f"{name} with an entry that is not an object")
        yield entry
