"""pydantic-ai: one run with the MCP server and the model at the two addresses given; prints how it ended."""

import asyncio
import json
import sys

from openai import AsyncOpenAI
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

TOLD = {"max_retries": 100}


async def run(mcp_url, model_url, settings):
    client = AsyncOpenAI(base_url=model_url, api_key="none", max_retries=0)
    model = OpenAIChatModel("scripted", provider=OpenAIProvider(openai_client=client))
    options = TOLD if settings == "told" else {}
    agent = Agent(model, toolsets=[MCPToolset(mcp_url, **options)])
    async with agent:
        return (await agent.run("Go.")).output


try:
    print(json.dumps({"said": asyncio.run(run(*sys.argv[1:]))}))
except Exception as error:
    print(json.dumps({"raised": type(error).__name__, "message": str(error)}))
