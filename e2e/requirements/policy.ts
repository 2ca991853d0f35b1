import { type Requirement, tested, testedLong } from "./requirement.ts";

/** What a policy can say and what it then does. */
export const policyRequirements: readonly Requirement[] = [
  tested(
    "POL-01",
    "A policy is one YAML document of the documented fields; a field that is unknown is an error.",
  ),
  tested(
    "POL-02",
    "A policy is accepted as YAML or as JSON of the same fields, and is returned as Accept asks.",
  ),
  tested(
    "POL-03",
    "A refused document answers 422 with one entry per finding: code, place, expected, found, fix.",
  ),
  tested("POL-04", "The id of a policy cannot be changed by an update."),
  tested("POL-05", "agent_id binds the policy; an agent that has an active policy gets no second one (409)."),
  tested("POL-06", "An assignment binds a policy to an agent or a namespace; the agent's own binding wins."),
  tested("POL-07", "tools.denied takes precedence over tools.allowed and over every rule."),
  tested(
    "POL-08",
    "In a tool pattern * is any run of characters, everything else is itself; payments.* is not payments.",
  ),
  tested("POL-09", "With fail_closed true a call that no explicit allow matches is denied."),
  tested("POL-10", "With fail_closed false a call that nothing matches is allowed."),
  tested("POL-11", "A document without fail_closed has true, one without governance_mode has enforcement."),
  tested(
    "POL-12",
    "session.max_steps allows exactly that many calls of a session, however many come at once.",
  ),
  tested("POL-13", "cost.max_usd_per_session is never exceeded by the allowed calls of a session."),
  tested("POL-14", "A call costs what the request says, else the policy's price of the tool, else nothing."),
  tested("POL-15", "A call without session_id is denied when its policy has a session or cost ceiling."),
  tested("POL-16", "Two agents that use the same session_id have separate budgets."),
  tested(
    "POL-17",
    "Rules are tried by ascending priority; among equals deny wins over require_approval, that over allow.",
  ),
  tested(
    "POL-18",
    "A rule matches by tool pattern and by conditions on args.<path> and the facts of the call.",
  ),
  tested(
    "POL-19",
    "Conditions know the documented operators; > < >= <= compare numbers with numbers only, exactly.",
  ),
  tested("POL-20", "match.all needs every condition, match.any needs one."),
  tested("POL-75", "The compiled engine answers what a naive reading of the documented language answers."),
  tested("POL-21", "require_approval answers pause."),
  tested(
    "POL-22",
    "A deny ends the walk. An approval leaves later denies in force, an allow none; rewrites always apply.",
  ),
  tested(
    "POL-23",
    "redact masks the named fields or what detectors find; the result comes back as shaped_args.",
  ),
  tested(
    "POL-24",
    "constrain bounds, sets and removes arguments; a bound on a value that is not a number is a deny.",
  ),
  tested(
    "POL-25",
    "A restrictive condition on a value of the wrong type counts as matched, a permissive one does not.",
  ),
  tested("POL-26", "A restrictive condition on a missing value counts as matched while fail_closed is true."),
  tested(
    "POL-27",
    "Detectors find e-mail, phone, card, IBAN and SSN numbers and the documented kinds of secrets.",
  ),
  tested("POL-28", "A regular expression of a policy takes linear time on every input."),
  tested("POL-29", "path_within resolves the path before it compares and refuses what leaves the folder."),
  tested("POL-30", "A field path reads own properties of the arguments only."),
  tested(
    "POL-31",
    "YAML with aliases beyond the limit, duplicate keys, custom tags or a second document is refused.",
  ),
  tested(
    "POL-32",
    "Validation reports rules that contradict or hide each other, with both places and an example tool.",
  ),
  tested("POL-33", "POST policies?dry_run=true reports every finding and stores nothing."),
  tested("POL-34", "The limits on size, rules and patterns of a policy are named in the refusal."),
  tested("POL-35", "A policy that a gateway cannot load denies its agents' calls."),
  tested("POL-36", "A policy can be enabled, disabled and archived; a disabled one denies."),
  tested("POL-37", "A change can be tried against recorded calls before it is made."),
  tested(
    "POL-38",
    "An update or rollback of a policy never changes a binding; an update that names another agent is a 409.",
  ),
  tested("POL-39", "Every binding that is made or removed has an audit row of its own."),
  tested(
    "POL-40",
    "strict=true refuses a document that has a warning, on every route that loads or validates it.",
  ),
  tested("POL-41", "A document that lost its line breaks is refused, and the answer says how to send it."),
  tested(
    "POL-42",
    "A document is accepted under each usual media type of YAML; a 415 says which type to send.",
  ),
  tested(
    "POL-43",
    "With Accept: text/plain findings are lines for a terminal, each with the line of the document.",
  ),
  tested("POL-44", "The answer to a load lists its warnings first."),
  tested(
    "POL-45",
    "Another type, a list or an object around a value never turns a deny or a pause into an allow.",
  ),
  tested(
    "POL-46",
    "Searching texts takes a bounded amount of work per call; a restrictive rule matches a text beyond it.",
  ),
  tested(
    "POL-47",
    "A reason names the missing field or the wrong type behind a match, or what to do, and never a value.",
  ),
  tested(
    "POL-48",
    "Following the fix of any finding gives a document that loads and decides what its author meant.",
  ),
  testedLong(
    "POL-50",
    "A detector takes linear time on every text: 256 KiB of its worst in at most 50 ms, without other work.",
  ),
  tested(
    "POL-51",
    "In redact.fields and constrain.remove * is one member and ** any depth; other paths name one field.",
  ),
  tested("POL-52", "A path with wildcards takes time that grows with the arguments, not with the wildcards."),
  tested(
    "POL-53",
    "path_within never permits a path that another program could resolve differently, and restricts on it.",
  ),
  tested(
    "POL-54",
    "An amount, a text or a document in an unusual spelling is refused or restricted, and never ignored.",
  ),
  tested(
    "POL-55",
    "A gateway that reads all control state again compiles no policy that is in force already.",
  ),
  tested("POL-56", "A policy decides the same whether it was read from its text or from its JSON."),
  tested(
    "POL-57",
    "While a new version of a policy is compiled the one before governs; without one, calls are denied.",
  ),
  tested("POL-58", "A change of a policy is acknowledged when it is in force; no kill switch waits for one."),
  tested(
    "POL-59",
    "A call is governed by no version older than an acknowledged one, and by none that never applied to it.",
  ),
  tested(
    "POL-60",
    "When the policy compiler fails, what is in force stays, and the change is retried, not acknowledged.",
  ),
  tested("POL-61", "Policy documents are read beside the calls: the worst of them holds up no call."),
  tested(
    "POL-62",
    "A list of policies filters by namespace, agent, mode, state and text; a text is never a pattern.",
  ),
  tested(
    "POL-63",
    "Two versions of a policy compare by meaning: every difference is listed, comments and form are none.",
  ),
  tested("POL-64", "The reason for a change of a policy stays in its history and in its audit row."),
  tested(
    "POL-65",
    "A simulation answers calls as a gateway would, beside the calls, within named bounds on its work.",
  ),
  tested(
    "POL-66",
    "An explanation says of each rule what it saw and what became of it, and never disagrees with a verdict.",
  ),
  tested(
    "POL-68",
    "Only an unassigned policy can be archived. It keeps its history and its id, and governs nothing.",
  ),
  tested(
    "POL-70",
    "While a policy changes under load no call fails, and each is decided by one whole version.",
  ),
  tested("POL-69", "Labels of a policy are bounded, changed one by one, audited and found by a list."),
  tested("POL-67", "A simulation shows no value that an audit row masks, writes no row and charges nothing."),

  tested(
    "POL-71",
    "Secrets of the documented formats, passwords in URLs and in connection strings are found and masked.",
  ),
  tested("POL-90", "runs and runs_only judge every command that a text or list of arguments runs."),
  tested("POL-91", "Whatever bash, dash, zsh or awk runs is named, or the condition is unsure."),
  tested("POL-92", "No mutation of a command turns a deny or a pause by runs or runs_only into an allow."),
  tested("POL-93", "sql_only judges statements, tables, functions and conditions at any depth."),
  tested("POL-94", "A statement that changes data or reads another table is never surely within sql_only."),
  tested("POL-95", "runs, runs_only and sql_only take time linear in the length of the text."),

  tested(
    "POL-72",
    "host_within judges the host of a URL. It makes no claim where two readers could read different hosts.",
  ),
  tested(
    "POL-73",
    "path_named finds a name in a path, or makes no claim: no spelling makes the name surely absent.",
  ),

  tested(
    "POL-98",
    "only_names lists the names that an object may have. No wrapping or change of type gets past it.",
  ),
  tested(
    "POL-76",
    "A list of the policy stands wherever a list of values may stand, and reasons and explanations name it.",
  ),
  tested(
    "POL-77",
    "A list that is unknown, holds itself, is too long or has a wrong value is refused where it is named.",
  ),
  tested(
    "POL-78",
    "A rule without tool that stops calls of other tools without its argument is warned of, with a call.",
  ),

  tested(
    "POL-74",
    "A condition on time follows the clocks of its zone, and its row keeps the time that it judged.",
  ),

  tested(
    "POL-96",
    "Each rule of docs/RULES.md loads without a finding and answers as shown, where its tempting form fails.",
  ),
  tested(
    "POL-87",
    "The JSON Schema of a policy is made of the definitions that validate one, and is printed.",
  ),
  tested(
    "POL-88",
    "Schema and validator agree on the shape of every policy, but for listed limits of schemas.",
  ),
  tested(
    "POL-84",
    "A policy that does something else than it seems to say loads with a call that shows it, and with a fix.",
  ),
  tested("POL-85", "No policy of the documentation, and none that is shipped, has such a finding."),
  tested(
    "POL-86",
    "A finding is given only if the policy and its fix decide the call of the finding differently.",
  ),
  tested("POL-97", "The search for findings takes a bounded amount of work, whatever the document."),

  tested(
    "POL-83",
    "A policy of an earlier version decides as it did, is refused, or the changelog says why.",
  ),
  tested("POL-49", "path_within judges relative paths in the folder of another argument, or makes no claim."),
  tested("POL-89", "A policy can define detectors. They find, redact and restrict as the built-in ones do."),

  tested("MODE-01", "audit_only records every call with what the policy says and blocks nothing."),
  tested(
    "MODE-02",
    "shadow evaluates in full, answers allow and reports what enforcement would answer (would_be).",
  ),
  tested("MODE-03", "enforcement denies violations and pauses what needs approval."),
  tested("MODE-04", "A change of mode is a new policy version and audited."),
  tested("MODE-05", "Verdict and audit row carry the mode."),
  tested("MODE-06", "Only enforcement rewrites arguments."),
  tested("MODE-07", "A mode never softens a deny that a fault caused."),

  tested("VER-01", "Every change of a policy appends a version; numbers count from 1 without gaps."),
  tested("VER-02", "A rollback appends version N+1 with the content of target_version."),
  tested("VER-03", "A rollback to a version that does not exist is refused and writes nothing."),
  tested("VER-04", "Earlier versions can be read as they were and never change."),
  tested("VER-05", "An update with an outdated If-Match is refused with 412."),
  tested("VER-06", "A call is judged by exactly one version, which its row names."),

  tested("REGO-01", "Messages of the Rego sets deny and require_approval deny and pause the call."),
  tested("REGO-02", "Rego sees input.tool and input.args.<field>."),
  tested("REGO-03", "Rego and declarative results combine to the most restrictive."),
  tested("REGO-04", "A Rego module that fails, times out or answers another shape denies."),
  tested(
    "REGO-05",
    "Rego reaches neither network nor host nor randomness nor any clock but the call's own time.",
  ),
  tested(
    "REGO-06",
    "A module that is wrong is refused at its line and column in the policy, with what to write instead.",
  ),
  tested(
    "REGO-07",
    "A module with a character outside texts that only looks like the end of a line is refused at its place.",
  ),
];
