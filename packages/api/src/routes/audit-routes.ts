import { auditExportQuerySchema } from "@svc/contract/audit-export-query";
import { checkpointPageSchema, verifierKeysSchema } from "@svc/contract/checkpoint";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, route, scoped } from "../route.ts";

const KEY = "svc-audit+5c2a9f3e+AVx0aGlzIGlzIGFuIGV4YW1wbGUgb2YgYSBrZXkh";

export const auditRoutes = {
  exportAuditLog: route({
    method: "GET",
    path: "/audit/export",
    tag: "Audit",
    summary: "Export the audit log",
    description:
      "Streams the whole log with its checkpoints, one JSON object a line, as docs/AUDIT-FORMAT.md " +
      "specifies. Where several organizations have keys, it streams the rows of the key's organization, " +
      "and for each log a signed statement that these are all of them. `svc-cli compliance " +
      "audit-verify` verifies both. `log_id` alone exports one log in the same way. With `since`, `until`, " +
      "`agent_id` or `kind` the answer is always such a list of rows, and the statement names what was " +
      "asked for. One export of a key runs at a time. `format=ocsf` answers the same rows as " +
      "events of the Open Cybersecurity Schema Framework 1.5.0: API Activity (6003), and Detection " +
      "Finding (2004) for what was contained or detected. They carry no hashes, so they prove nothing.",
    ...scoped("audit:export", "costly"),
    query: auditExportQuerySchema,
    answers: {
      200: {
        description: "The log.",
        schema: null,
        texts: {
          "application/x-ndjson": {
            description: "Rows and checkpoints, one a line.",
            example: '{"log_id":"gw_1f0c","seq":0,"prev_hash":"...","row":"..."}\n',
          },
        },
      },
    },
    problems: ["too_many_requests", "not_found"],
  }),
  listCheckpoints: route({
    method: "GET",
    path: "/audit/checkpoints",
    tag: "Audit",
    summary: "List checkpoints",
    description: "The signed heads of every log, ascending by log and size.",
    ...scoped("audit:read", "read"),
    query: z.strictObject(PAGE),
    answers: {
      200: {
        description: "A page of checkpoints.",
        schema: checkpointPageSchema,
        example: {
          checkpoints: [{ log_id: "gw_1f0c", size: 8, note: "svc/gw_1f0c\n8\n...\n\n— svc-audit ...\n" }],
          next_cursor: null,
        },
        headers: ["link"],
      },
    },
  }),
  getVerifierKeys: route({
    method: "GET",
    path: "/audit/public-key",
    tag: "Audit",
    summary: "Read the keys that verify checkpoints",
    description: "Every key that checkpoints of this server were ever signed with, oldest first.",
    ...scoped("audit:read", "read"),
    answers: { 200: answer("The keys.", verifierKeysSchema, { keys: [KEY] }) },
  }),
} as const;
