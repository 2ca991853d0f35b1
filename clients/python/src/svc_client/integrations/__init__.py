"""
Adapters for agent frameworks: every tool call of an agent is judged before its tool runs. Each module needs its
framework, and is imported by its own name: `from svc_client.integrations.langchain import Governance`.

`Governance` is made once for an agent: the framework takes it as a middleware, a plugin, a capability or a hook,
`GovernedAgent` takes it in OpenAI Agents, and its method `govern` takes the tools in LlamaIndex. `govern` takes the
options of the Claude Agent SDK, and `govern_crew` and `govern_tools` take what CrewAI runs. `governance` returns a list,
because the Microsoft Agent Framework takes two kinds of middleware.
"""
