"""
Adapters for agent frameworks: every tool call of an agent is judged before its tool runs. Each module needs its
framework, and is imported by its own name: `from svc_client.integrations.langchain import Governance`.
"""
