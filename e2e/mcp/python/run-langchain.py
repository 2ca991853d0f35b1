"""langchain: one run with the MCP server and the model at the two addresses given; prints how it ended."""

import asyncio
import json
import sys

from langchain.agents import create_agent
from langchain.agents.middleware import ToolErrorMiddleware
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from langchain_openai import ChatOpenAI

TOLD = [ToolErrorMiddleware(lambda error, _request: str(error))]


async def run(mcp_url, model_url, settings):
    model = ChatOpenAI(model="scripted", base_url=model_url, api_key="none", max_retries=0)
    client = MultiServerMCPClient({"server": {"transport": "streamable_http", "url": mcp_url}})
    async with client.session("server") as session:
        tools = await load_mcp_tools(session)
        agent = create_agent(model, tools, middleware=TOLD if settings == "told" else [])
        state = await agent.ainvoke({"messages": [("user", "Go.")]})
        return state["messages"][-1].content


def innermost(error):
    return innermost(error.exceptions[0]) if isinstance(error, ExceptionGroup) else error


try:
    print(json.dumps({"said": asyncio.run(run(*sys.argv[1:]))}))
except Exception as error:
    print(json.dumps({"raised": type(innermost(error)).__name__, "message": str(innermost(error))}))
