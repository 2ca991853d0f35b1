import { type Requirement, tested } from "./requirement.ts";

/** One call: its request, its answer, and who may send it. */
export const executeRequirements: readonly Requirement[] = [
  tested("EXEC-01", "POST /api/v1/gateway/execute answers one intended call with allow, deny or pause."),
  tested(
    "EXEC-02",
    "A request carries agent_id, session_id, tool, args, namespace and cost_usd; other fields are refused.",
  ),
  tested("EXEC-03", "agent_id and tool are mandatory; args defaults to {} and namespace to default."),
  tested("EXEC-04", "A refused request names the field, what was expected and what came."),
  tested("EXEC-05", "A deny carries a reason for people, and the rule_id when a rule produced it."),
  tested("EXEC-06", "A pause carries an approval_url below the public address."),
  tested(
    "EXEC-07",
    "shaped_args is the whole rewritten args object, present exactly when args_constrained is true.",
  ),
  tested("EXEC-08", "args_constrained is a boolean on every verdict."),
  tested(
    "EXEC-09",
    "fail_closed is true on a deny that a fault caused and false on one that a policy or switch caused.",
  ),
  tested("EXEC-10", "Every verdict other than allow carries a reason_code from a closed list."),
  tested(
    "EXEC-11",
    "A verdict names its audit row (decision_id) and the policy, version and mode that decided.",
  ),
  tested(
    "EXEC-12",
    "A body that is not strict JSON is refused with 400: duplicate keys, bad UTF-8, depth, unsafe numbers.",
  ),
  tested(
    "EXEC-13",
    "A body over 256 KiB is refused with 413, another media type or content coding with 415.",
  ),
  tested(
    "EXEC-14",
    "cost_usd is an exact amount of at most six decimals; negative or finer amounts are refused.",
  ),
  tested("EXEC-15", "Calls beyond the bound on calls in flight get 503 with Retry-After."),
  tested(
    "EXEC-16",
    "A repeated Idempotency-Key with the same body counts once; with another body it is a 409.",
  ),
  tested("EXEC-17", "A repeated allow is checked against the live kill switches again."),
  tested("EXEC-18", "An outcome report settles the cost of a call; not_executed returns step and cost."),
  tested(
    "EXEC-19",
    "Repeating an outcome report changes nothing; another report for the same decision is a 409.",
  ),
  tested(
    "EXEC-20",
    "Any exception while deciding is a deny with fail_closed, never an error that a caller must interpret.",
  ),
  tested("EXEC-21", "The agent's own policy decides, else its namespace's; with neither the call is denied."),
  tested("EXEC-22", "Names and identifiers are compared byte for byte; what is not one is refused."),
  tested(
    "EXEC-23",
    "The namespace of a registered agent is authoritative; a request that names another is denied.",
  ),
  tested(
    "EXEC-24",
    "A repeat is decided and charged afresh once its decision is reported not_executed or revoked.",
  ),
  tested(
    "EXEC-25",
    "Every other repeat carries the first decision, marked repeated: true; a first answer is never marked.",
  ),
  tested("EXEC-26", "A decision made again for a repeat is itself remembered, and charged once."),
  tested(
    "EXEC-27",
    "A call that a kill switch denied is decided afresh when it is repeated after the switch.",
  ),
  tested("EXEC-29", "The outcome of a call is found and charged however long its arguments are."),
  tested(
    "EXEC-30",
    "Arguments over 256 KiB in canonical JSON are refused with 413 before anything is judged.",
  ),
  tested(
    "EXEC-31",
    "A repeat at another process, or after a restart, counts once and gets the first decision.",
  ),
  tested(
    "EXEC-32",
    "A decision that was not answered is withdrawn or given to a repeat of its call, never both.",
  ),
  tested("EXEC-33", "A deny says whether the same call can be repeated."),
  tested(
    "EXEC-34",
    "A repeat of an allowed call is judged without that call's own charge, at whichever process it arrives.",
  ),

  tested("AUTH-01", "Without a valid key in Authorization: Bearer every API call is refused with 401."),
  tested("AUTH-02", "The organization comes from the key; X-Svc-Org-Id may only repeat it."),
  tested(
    "AUTH-03",
    "The first start writes one admin key to a file of mode 0600, or takes SVC_BOOTSTRAP_API_KEY.",
  ),
  tested("AUTH-04", "Only the SHA-256 of the secret of a key is stored, and no log line carries the secret."),
  tested("AUTH-05", "SVC_AUTH=off with a listener that is not loopback refuses to start."),
  tested("AUTH-06", "While authentication is off, a Host that does not name loopback is refused."),
  tested(
    "AUTH-07",
    "Roles bundle scopes: agent, adapter, operator, approver, policy_author, auditor, admin.",
  ),
  tested("AUTH-08", "Keys are issued, listed, rotated and revoked through the API and can expire."),
  tested("AUTH-09", "A key bound to agents or namespaces is refused with 403 for any other."),
  tested(
    "AUTH-10",
    "A new SVC_BOOTSTRAP_API_KEY revokes the first admin key and its earlier values, and no other key.",
  ),
  tested(
    "AUTH-11",
    "A page changes something only under SVC_PUBLIC_URL, a name of this machine or an IP address.",
  ),
  tested(
    "AUTH-12",
    "No page of another origin asks for a decision or reports an outcome, with any SVC_AUTH.",
  ),
];
