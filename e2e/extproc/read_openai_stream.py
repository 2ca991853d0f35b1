"""Asks for a streamed answer as an agent does, and prints the tool calls that OpenAI's Python library reads."""

import json
import sys

import openai


def read_chat(client):
    with client.chat.completions.stream(model="m", messages=PROMPT) as stream:
        message = stream.get_final_completion().choices[0].message
    return [(call.function.name, call.function.arguments) for call in message.tool_calls or []]


def read_responses(client):
    with client.responses.stream(model="m", input=PROMPT) as stream:
        output = stream.get_final_response().output
    return [(item.name, item.arguments) for item in output if item.type == "function_call"]


PROMPT = [{"role": "user", "content": "Refund order 7."}]
origin, interface = sys.argv[1:]
client = openai.OpenAI(base_url=f"{origin}/v1", api_key="none", max_retries=0)
try:
    calls = {"chat": read_chat, "responses": read_responses}[interface](client)
    print(json.dumps({"calls": [{"tool": tool, "args": json.loads(args)} for tool, args in calls]}))
except openai.APIStatusError as error:
    print(json.dumps({"status": error.status_code}))
