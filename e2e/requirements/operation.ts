import { notYet, type Requirement, tested } from "./requirement.ts";

/** What operators of the service rely on. */
export const operationRequirements: readonly Requirement[] = [
  tested("OPS-01", "npm start needs nothing but Node 20 and npm, and leaves a server on 127.0.0.1:8080."),
  tested("OPS-02", "A malformed environment variable stops the start and is named, with what was expected."),
  tested("OPS-03", "Every secret variable has a _FILE form."),
  tested("OPS-04", "Port 0 picks a free port, which the start prints."),
  tested("OPS-05", "/healthz answers while the process lives."),
  tested(
    "OPS-06",
    "/readyz fails while control state is unverified, policies are not compiled, or no row can be written.",
  ),
  tested(
    "OPS-07",
    "/metrics answers Prometheus text with decisions, durations, commits and age of control state.",
  ),
  tested("OPS-08", "/version names the running version."),
  tested("OPS-09", "SIGTERM finishes what was accepted, signs a last checkpoint and exits 0."),
  tested("OPS-10", "The data directory has mode 0700, the signing key 0600."),
  tested("OPS-11", "No log line carries a key or the value of an argument."),
  tested("OPS-12", "Slow, oversized, ambiguous and smuggled HTTP requests are refused at the listener."),
  tested("OPS-13", "One container image and a compose file start the service."),
  tested("OPS-14", "Traces are exported when OTEL_* is set."),
  tested("OPS-16", "Every log line that a request causes carries the X-Request-Id of its answer."),
  tested(
    "OPS-17",
    "Refused keys, routes, methods and frames are logged, rate-limited with counts, and counted.",
  ),
  tested("OPS-18", "An outage of the store is one line at the loss and one, with its length, at the return."),
  tested("OPS-19", "On a terminal npm start prints a line per decision, a bounded number a second."),
  tested("OPS-20", "Changes of policies, assignments, switches and keys are lines of the log at info."),
  tested(
    "OPS-21",
    "Every call of README.md, docs/API.md, docs/RUNBOOK.md and the quick starts of adapters runs as written.",
  ),
  tested(
    "START-01",
    "A thread for rare work starts with its first job and ends after idle minutes; the next job is answered.",
  ),
  tested(
    "START-02",
    "The first call at each seam after an idle hour is decided as any other, within the seam's timeout.",
  ),
  notYet("OPS-15", "A dashboard shows agents, decisions, switches and approvals."),
  tested(
    "OPS-30",
    "Every program answers --version and --help, and refuses unknown arguments with exit code 2.",
  ),
  tested(
    "OPS-31",
    "A start logs its version and the settings that differ from their defaults, and no secret.",
  ),
  tested("OPS-32", "A variable that begins with SVC_ and that no program reads is warned of at the start."),
  tested("OPS-33", "Every program has svc_build_info among its metrics."),
  tested("OPS-34", "Adapters and metrics listeners refuse a Host that does not name them (DNS rebinding)."),
  tested("OPS-38", "OPERATIONS.md describes every metric of every program, and no other."),
  tested(
    "OPS-37",
    "An adapter that the gateway refuses names the gateway's request id, and logs it at warn.",
  ),
  tested(
    "OPS-36",
    "A frame that two parsers may read apart is refused, or judged once: at execute, /check and /verdict.",
  ),
  tested(
    "OPS-35",
    "Warnings that callers can cause at will are written once in ten seconds, with their count.",
  ),
  tested(
    "OPS-40",
    "Every log line that a request causes names its request_id, and the answer names it in X-Request-Id.",
  ),
  tested(
    "OPS-50",
    "The container image holds every program by its name, and runs without root on a read-only tree.",
  ),
  tested(
    "OPS-51",
    "Units of systemd for every program are free of faults, and refuse what programs do not need.",
  ),
  tested("OPS-53", "A Helm chart makes restricted, closed and probed workloads, and refuses unknown values."),
  tested("OPS-54", "The commands of docs/DEPLOY.md start a governed service on one machine."),
  tested("OPS-60", "A gateway that is ended behind the shipped nginx leaves no call without a verdict."),
  tested("OPS-61", "A server ends within the grace of its units, also while its database is frozen."),
  tested("OPS-64", "A server that ends answers the requests that wait, and does not wait for their time."),
  tested("OPS-65", "A process is not ready while PostgreSQL has no room for its rows."),
  tested("OPS-66", "A thousand processes share a database; more rows of them hold up no kill switch."),
  tested(
    "OPS-67",
    "A call read in front of the HTTP parser gets the same answer and row. All else goes to the parser.",
  ),
  tested("OPS-62", "A new password of the database is read from its file with the next start."),
  tested("OPS-52", "A dashboard and alert rules use metrics and labels that the programs really have."),
  tested("OPS-39", "A log that cannot be written neither ends a program nor holds up a decision."),
  tested("OPS-68", "A refusal of input has a line in the log with the id of its answer, and no value."),
  tested("OPS-69", "With authentication off the control API has no rate limits."),
  tested(
    "OPS-70",
    "A start of every program, with defaults or with a key for the adapters, logs no warning and no error.",
  ),
  tested(
    "OPS-90",
    "On a terminal every program logs lines for people, and JSON elsewhere; SVC_LOG_FORMAT chooses one form.",
  ),
  tested("OPS-91", "No control character of a logged value reaches a terminal."),
  tested("OPS-92", "npm start prints its table first, and before it only warnings and errors."),
  tested("OPS-72", "A listener that other machines reach in plain HTTP warns at the start, with the fix."),
];
