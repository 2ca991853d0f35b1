"""Every limit of the client in one place, each with its unit and its reason."""

MAX_BODY_BYTES = 256 * 1024
"""Largest body of an execute request in bytes. The gateway refuses a larger one."""

MAX_VERDICT_BYTES = 1024 * 1024
"""Most bytes that are read of a verdict. A longer body is not a readable verdict."""

MAX_HEAD_BYTES = 64 * 1024
"""Most bytes of status lines and headers of one answer, interim answers included."""

MAX_PROBLEM_BYTES = 16 * 1024
"""Most bytes that are read of a problem. The service sends less than 4 kB."""

PROBLEM_WAIT_S = 0.5
"""Seconds for the body of a refusal. Its status decides, so its text is not worth a long wait."""

MAX_DETAIL_LENGTH = 300
"""Most characters of the detail of a problem that are repeated: some sentences."""

MAX_JSON_DEPTH = 64
"""Deepest nesting of a JSON document in levels, as the gateway has it."""

MAX_SAFE_INTEGER = 2**53 - 1
"""Largest integer that every reader of JSON reads as the same number."""

MIN_DECISION_TIMEOUT_MS = 50
"""Shortest decision timeout in milliseconds. Below it, ordinary scheduling noise would deny every call."""

MAX_DECISION_TIMEOUT_MS = 60_000
"""Longest decision timeout in milliseconds. No proxy in front of the gateway waits longer."""

DEFAULT_DECISION_TIMEOUT_MS = 5_000
"""Decision timeout in milliseconds when none is configured."""

DOCUMENT_TIMEOUT_MS = 5_000
"""Milliseconds for one request to the gateway that does not ask for a decision."""

MAX_CONNECTIONS = 256
"""Number of connections of one client. More work in flight would only queue in the gateway."""

MAX_WAITING_PER_AGENT = 2_048
"""Number of questions of one agent that may wait for their turn. Further ones are denied by name."""

MAX_WAITING = 10_000
"""Number of questions of all agents that may wait."""

IDLE_CONNECTION_S = 3.0
"""
Idle life of a connection in seconds when the gateway gives no hint. It must end before the gateway's own:
a request that is sent into a connection that is being closed is lost, and a lost request is a deny.
"""

MAX_IDLE_CONNECTION_S = 60.0
"""Longest idle life of a connection in seconds that a `Keep-Alive` hint of the gateway can ask for."""

IDLE_MARGIN_S = 1.0
"""How much earlier than the hinted time, in seconds, an idle connection is closed."""

MAX_WAITING_REPORTS = 10_000
"""Outcome reports that may wait to be sent, as count. Further ones are lost, and reported as lost."""

EXIT_FLUSH_S = 1.0
"""Seconds for which the end of the process waits for outcome reports that are not sent yet."""

MAX_COST_MICRO_USD = 1_000_000_000 * 1_000_000
"""Largest cost of one call in micro-USD."""
