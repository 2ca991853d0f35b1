import { notYet, type Requirement, tested } from "./requirement.ts";

/** The record of what was decided, and the state that decisions rest on. */
export const auditRequirements: readonly Requirement[] = [
  tested("AUD-01", "Every governed call leaves exactly one audit row, durable before the verdict is told."),
  tested("AUD-02", "A call whose row cannot be made durable is denied with audit_unavailable."),
  tested(
    "AUD-03",
    "A row names org, namespace, agent, session, tool, principal, decision, reason, policy and cost.",
  ),
  tested(
    "AUD-04",
    "What secret detectors find in arguments is masked in the row; the digest is of what was asked.",
  ),
  tested(
    "AUD-05",
    "Rows of a log are numbered from 0 without gaps, each linked to the one before by SHA-256.",
  ),
  tested("AUD-06", "Changing, removing, inserting or moving any stored row is found by verification."),
  tested("AUD-07", "A log that was cut at its end is found by a signed checkpoint that is ahead of it."),
  tested(
    "AUD-08",
    "The head of the log is signed with Ed25519 within a second of new rows, and at shutdown.",
  ),
  tested("AUD-09", "Checkpoints also go to a file of their own beside the store."),
  tested(
    "AUD-10",
    "svc-cli compliance audit-verify checks rows, links and signatures and names the first bad row.",
  ),
  tested("AUD-11", "A log can be exported and verified without the server."),
  tested("AUD-12", "After kill -9 no row of an answered verdict is missing and the chain goes on."),
  tested("AUD-13", "A second process on the same data directory refuses to start."),
  tested("AUD-14", "Rows can be listed and read through the API, and only those of the own organization."),
  tested("AUD-15", "Checkpoints and the public key can be read through the API."),
  tested("AUD-16", "trigger_source is one of manual, api, rogue_detection and ttl_expiry."),
  tested("AUD-17", "Every change of a policy or binding is audited with a digest of the document."),
  tested("AUD-18", "Outcome reports are rows of their own; the decision's row is never rewritten."),
  tested("AUD-19", "A log written by an earlier build of this row version still verifies (golden chain)."),
  tested("AUD-20", "A full or failing disk denies within the audit deadline and heals without a restart."),
  tested("AUD-21", "The creation of a key is audited."),
  tested("AUD-22", "Every severity transition is audited with agent, session, both severities and reason."),
  tested("AUD-24", "Rows older than the configured retention are removed without breaking verification."),
  tested("AUD-23", "A decision can be explained: which list, rule or switch, and which conditions held."),
  notYet("AUD-25", "Inclusion of one decision can be proved without the whole log (Merkle proof)."),
  tested(
    "AUD-26",
    "A full disk or a crash leaves no torn line in the checkpoint file, and a damaged one stops no start.",
  ),
  tested("AUD-27", "audit-verify skips damaged lines of --checkpoints and names them."),
  tested(
    "AUD-28",
    "Rows past the last checkpoint are partly signed, exit 5, with their range; an export ends signed.",
  ),
  tested(
    "AUD-29",
    "audit-verify says one cause per fault and names the row by number, kind, agent and time.",
  ),
  tested("AUD-30", "The export is specified, and a short program in another language verifies it."),
  tested(
    "AUD-31",
    "Every way to change, remove, add, move or forge rows or checkpoints ends with exit 1 or 5.",
  ),
  tested("AUD-32", "No key exports a row of another organization than its own."),
  tested(
    "AUD-33",
    "An excerpt of a shared log proves its rows and their number, and says how many others there are.",
  ),
  tested("AUD-34", "No excerpt is signed of a log whose chain is broken or differs from its checkpoints."),
  tested(
    "AUD-35",
    "An export by time, agent, kind or log signs its filter, and every row is checked against it.",
  ),
  tested(
    "AUD-36",
    "A signed statement about hashes tells rows that retention removed from rows that somebody emptied.",
  ),
  tested("AUD-37", "A legal hold keeps the rows that it covers, also when it is placed during a removal."),
  tested("AUD-38", "A clock that jumps removes no row before its time."),
  tested("AUD-45", "An export in the form of OCSF is valid by the published schema of its classes."),
  tested("AUD-46", "A removal of rows that is killed leaves a log that verifies, and goes on later."),
  tested("AUD-39", "audit-verify reads a data directory or a database directly, and changes nothing."),
  tested(
    "AUD-50",
    "What a matching redact rule hides is masked in the row, in every mode and whatever was decided.",
  ),
  tested(
    "AUD-51",
    "Secrets in names and reasons are masked in every row; a masked session keeps its ceiling and outcomes.",
  ),
  tested("AUD-52", "Under a name that announces a secret every value that looks like one is masked."),
  tested(
    "AUD-53",
    "A digest of arguments is keyed: without the key of the deployment no value can be tried out.",
  ),
  tested(
    "AUD-54",
    "The row of a call carries a digest of organization, agent, session, tool and arguments together.",
  ),
  tested("AUD-60", "Audit rows are found by every filter, in every combination, newest first, page by page."),
  tested(
    "AUD-61",
    "A list has every row that was written before it was asked for, or names the rows that it leaves out.",
  ),
  tested("AUD-62", "A filter or a value that the list does not know is refused, not left out."),
  tested("AUD-63", "A row is answered with its hashes and its checkpoint, and a decision with how it ended."),
  tested("AUD-64", "No question about rows is answered with a row of another organization."),
  tested(
    "AUD-65",
    "An index that is missing, damaged or of another log is built again, without a wrong answer.",
  ),
  tested(
    "AUD-66",
    "A session is answered with its rows, its usage and ceilings, its policies and the switches on it.",
  ),
  tested(
    "AUD-67",
    "The report of a policy counts its decisions exactly, and names what enforcement would change.",
  ),
  tested(
    "AUD-92",
    "Lists, exports, reports and replays read the same times, and a query that is not UTF-8 is refused.",
  ),
  tested("AUD-93", "A process commits no more when somebody else has appended rows to its log."),
  tested("AUD-79", "The logs of all gateways are verified at once, also of one that is gone for good."),
  tested(
    "AUD-80",
    "The public keys of every process of a database are in the database and in GET audit/public-key, also " +
      "of one whose data directory is gone.",
  ),
  tested("AUD-81", "audit-verify shows a table of all logs: rows, first, last, head, checkpoint, verdict."),
  tested(
    "AUD-85",
    "Evidence that none of the given keys signed is called not judged, with exit code 5 and the keys needed.",
  ),
  tested("AUD-70", "Lists and counts have each row once after kill -9 while rows were being indexed."),
  tested(
    "AUD-71",
    "A clock that is wrong at the start removes no row on the first day, and the log says why.",
  ),
  tested("AUD-72", "On SQLite no file of the data directory holds the text of rows that retention removed."),
  tested("AUD-73", "Streams and replays say that rows were removed, and answers about them are 404."),
  tested("AUD-91", "A paused writer of the audit index is replaced, and each row counts once."),
  tested("AUD-68", "Rows of two logs are found in one list, also after another server took the index over."),

  tested("STATE-01", "A gateway whose control state is older than 1,500 ms denies every call."),
  tested(
    "STATE-02",
    "Behind a gap the lease ends; after an unreadable change calls are denied at once. Both need a snapshot.",
  ),
  tested("STATE-03", "A gateway that has not loaded control state yet denies."),
  tested("STATE-04", "After a restart switches, policies, bindings and session usage are what they were."),
  tested(
    "STATE-05",
    "A verdict is checked against live control state after its row is durable, just before it leaves.",
  ),
  tested(
    "STATE-09",
    "When the clocks disagree by more than the lease (sleep, jump) state is unverified until it is read.",
  ),
  tested(
    "STATE-10",
    "A part of a process that cannot take a control change keeps no other part from taking it in time.",
  ),
  tested(
    "STATE-11",
    "A server that starts while PostgreSQL is away is not ready, denies every call, and heals by itself.",
  ),
  tested(
    "STATE-12",
    "TLS to PostgreSQL checks what sslmode asks for, and no parameter of the address is ignored.",
  ),
  tested(
    "STATE-13",
    "A process that knows a control change that its database lost denies every call, and does not restart.",
  ),
  tested("STATE-14", "After a failover to a standby that holds every acknowledged row, the service is back."),
  tested(
    "STATE-20",
    "An acknowledged change is on the disk of PostgreSQL, whatever the defaults of role and database are.",
  ),
  tested("STATE-21", "A pooler before PostgreSQL is refused, because locks belong to a session."),
  tested("STATE-06", "Any number of gateway and control processes share one PostgreSQL."),
  tested(
    "STATE-07",
    "Expiry and retention run in one process of a cluster at a time; another one takes over.",
  ),
  tested(
    "STATE-15",
    "Under partitions, pauses, crashes and outages no call is allowed after an acknowledged kill.",
  ),
  tested(
    "STATE-16",
    "Under these faults every answer with a decision id keeps its row, and each log its chain.",
  ),
  tested("STATE-17", "The control feed is ordered, unique, reliable and resumable under these faults."),
  tested(
    "STATE-18",
    "Two versions serve one database during an upgrade: calls go on, and switches reach both.",
  ),
  tested(
    "STATE-19",
    "Running gateways notice a PostgreSQL that was restored to an earlier moment, and deny.",
  ),
  tested("STATE-30", "Processes that start at once on an empty database make one schema and one admin key."),
  tested("STATE-31", "Every change of control state, and a dry run, names the gateways that are silent."),
  tested("STATE-08", "GET gateways lists the gateways with lease and applied revision."),
];
