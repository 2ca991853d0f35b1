"""openai-agents: one run with the MCP server and the model at the two addresses given; prints how it ended."""

import asyncio
import json
import sys

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from openai import AsyncOpenAI

TOLD = {"failure_error_function": lambda _context, error: str(error)}


async def run(mcp_url, model_url, settings):
    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=model_url, api_key="none", max_retries=0)
    model = OpenAIChatCompletionsModel(model="scripted", openai_client=client)
    options = TOLD if settings == "told" else {}
    # Without the cache it lists the tools before every turn, and a dead server ends the run there.
    async with MCPServerStreamableHttp({"url": mcp_url}, cache_tools_list=True, **options) as server:
        agent = Agent(name="agent", mcp_servers=[server], model=model)
        return (await Runner.run(agent, "Go.")).final_output


try:
    print(json.dumps({"said": asyncio.run(run(*sys.argv[1:]))}))
except Exception as error:
    print(json.dumps({"raised": type(error).__name__, "message": str(error)}))
