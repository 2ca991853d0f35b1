import { notYet, type Requirement, tested } from "./requirement.ts";

/** What leaves the service, and the tools around it. */
export const outwardRequirements: readonly Requirement[] = [
  notYet("HOOK-01", "policy.decision is delivered."),
  notYet("HOOK-02", "approval.requested and approval.resolved are delivered."),
  notYet("HOOK-03", "killswitch.activated is delivered, for automatic activations as for manual ones."),
  notYet("HOOK-04", "agent.registered is delivered."),
  notYet("HOOK-05", "A delivery carries X-Svc-Event, X-Svc-Delivery and an idempotency key."),
  notYet("HOOK-06", "X-Svc-Signature-256 is the HMAC-SHA256 of the raw body."),
  notYet("HOOK-07", "Failed deliveries are retried, then kept as dead letters, and can be replayed."),
  notYet("HOOK-08", "Severity changes, anomalies and violations reach webhook, chat and paging channels."),
  notYet("HOOK-09", "A delivery never reaches private addresses and follows no redirect."),

  notYet("GQL-01", "/api/v1/graphql answers agents and policies."),
  notYet("GQL-02", "events can be filtered by agent, decision and time range."),
  notYet("GQL-03", "approvals, alerts and automationLogs can be queried."),
  notYet("GQL-04", "The schema is published and there is a playground."),
  notYet("GQL-05", "Depth and cost of queries are limited."),

  notYet("API-01", "GET /api/v1/openapi.yaml describes every REST route that is served."),
  notYet("API-02", "Client SDKs for Python, TypeScript, Go, Java, C# and Ruby are generated from it."),
  notYet("API-03", "Control changes and decisions can be followed as server-sent events and resumed."),
  tested("API-04", "Errors are problem+json with a code from a closed list."),
  tested("API-05", "Lists are paged: next_cursor continues, null ends, and a cursor of no page is refused."),
  tested("API-06", "Every route answers the same under /v1 and /api/v1."),
  tested("API-07", "Times are RFC 3339 in UTC with milliseconds."),

  notYet("LIB-01", "govern_call invokes fn on allow and returns its result unchanged."),
  notYet("LIB-02", "The governed_fn decorator records positional and keyword arguments as args."),
  notYet("LIB-03", "The governed decorator injects __gov_ctx__ and keeps session, steps and cost by itself."),
  notYet("LIB-04", "Client.execute serves calls that are not functions."),
  notYet("LIB-05", "A deny raises SvcDenied with reason and rule_id; the function is not invoked."),
  notYet("LIB-06", "A pause raises SvcApprovalRequired with the approval URL; the function is not invoked."),
  notYet(
    "LIB-07",
    "The synchronous client reads SVC_URL and SVC_API_KEY, the asynchronous one reads nothing.",
  ),
  notYet("LIB-08", "Every fault between client and gateway is a deny."),
  notYet("LIB-09", "There are adapters for at least seven agent frameworks."),

  notYet("CLI-01", "svc-cli validate checks schema, rules and conflicts of a policy file."),
  notYet("CLI-02", "svc-cli test runs mock actions against a policy and counts what passed."),
  notYet("CLI-03", "svc-cli deploy puts a policy into an environment."),
  notYet("CLI-04", "svc-cli covers rollback, agents, guardrails, kill switches, approvals and lifecycle."),

  notYet("TF-01", "The provider takes server_url, api_key and org_id, default default."),
  notYet("TF-02", "svc_namespace is managed."),
  notYet("TF-03", "svc_policy is managed; its computed version increments on each update."),
  notYet("TF-04", "svc_policy_assignment binds to a namespace or an agent; the agent's binding wins."),
  notYet("TF-05", "svc_agent is managed; its status is computed."),
  notYet("TF-06", "svc_approval_workflow is managed."),
  notYet("TF-07", "svc_kill_switch is managed."),
  notYet("TF-08", "svc_automation_config sets discovery, lifecycle, policy and onboarding modes."),
  notYet("TF-09", "svc_integration is managed."),

  notYet("CI-01", "The gate exits 0 on pass or accepted risk and 1 when blocked."),
  notYet("CI-02", "It exits 2 on usage or configuration errors."),
  notYet("CI-03", "It exits 3 when the control plane is unreachable, never 0, even with --allow-degraded."),
  notYet("CI-04", "It exits 4 on authentication failure, and no flag changes that."),
  notYet("CI-05", "register, assess, gate, deploy-begin and promote run one per invocation, in that order."),
  notYet("CI-06", "The action takes the documented inputs and sets outcome and exit-code."),
  notYet("CI-07", "fail-on-block decides only whether the step fails, never what is reported."),
];
