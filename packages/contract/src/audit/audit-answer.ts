import { z } from "zod";
import { outcomeStatusSchema } from "../execute/outcome.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { checkpointSchema } from "./checkpoint.ts";

const ROW_ID = z.string().describe("`<log id>.<sequence number>`. For a decision it is the `decision_id`.");

const OUTCOME = {
  id: ROW_ID,
  status: outcomeStatusSchema,
  withdrawn: z
    .boolean()
    .describe("True: the gateway denied the call after the row was written. Nobody got the decision."),
};

/** How a decision ended. */
const outcomeSchema = z.strictObject(OUTCOME).meta({ id: "Outcome", description: "How a decision ended." });

const ROW = {
  id: ROW_ID,
  log_id: z.string(),
  seq: z.int().describe("The row's number in its log, from 0."),
  time: timestampSchema,
  kind: z.string().describe("What the row records. Later versions add kinds."),
  hash: z.string().describe("The row's hash in the chain, as hex. It covers every row before."),
  outcome: outcomeSchema
    .nullable()
    .describe("Of a decision. Null: nobody has reported yet, or not a decision."),
  row: z
    .record(z.string(), z.unknown())
    .describe("The row as it was hashed, as docs/AUDIT-FORMAT.md specifies it."),
};

/** A row of the audit log as lists show it. */
export const auditRowSchema = z
  .strictObject(ROW)
  .meta({ id: "AuditRow", description: "A row of the audit log, and how the decision in it ended." });

/** Whether an answer takes every row into account. */
export const indexedSchema = z
  .strictObject({
    complete: z
      .boolean()
      .describe("True: the answer takes every row into account that was written before the request came."),
    behind: z
      .array(
        z
          .strictObject({
            log_id: z.string(),
            from_seq: z.int().describe("The first row that the answer leaves out."),
            rows: z.int().describe("How many rows it leaves out."),
          })
          .meta({ id: "RowsBehind" }),
      )
      .readonly()
      .describe("The logs whose last rows the answer leaves out. Ask again to get them."),
  })
  .meta({ id: "AuditIndexed", description: "What an answer takes into account." });

export const INDEXED = { indexed: indexedSchema };

export const NEXT_CURSOR = z
  .string()
  .nullable()
  .describe("Send it as `cursor` to get the next page. Null: the list ends here.");

export const auditPageSchema = z
  .strictObject({
    rows: z.array(auditRowSchema).readonly(),
    next_cursor: NEXT_CURSOR,
    searched_back_to: timestampSchema
      .nullable()
      .describe(
        "Set when the search stopped before the page was full. Matches of an earlier time are on the pages " +
          "that `next_cursor` leads to.",
      ),
    ...INDEXED,
  })
  .meta({ id: "AuditPage", description: "A page of audit rows, newest first." });

/** One row with what proves it. */
export const auditRowProofSchema = auditRowSchema
  .extend({
    prev_hash: z.string().describe("The hash of the row before, as hex; the genesis hash for row 0."),
    checkpoint: checkpointSchema
      .nullable()
      .describe("The first signed checkpoint that covers the row. Null: none does yet."),
    ...INDEXED,
  })
  .meta({ id: "AuditRowProof", description: "A row with its place in the chain." });

/** A decision and what became of it. */
export const decisionSchema = z
  .strictObject({
    decision_id: z.string(),
    time: timestampSchema,
    hash: ROW.hash,
    withdrawn: z
      .boolean()
      .describe(
        "True: the caller was denied, whatever `row.decision` says. The row was written before that.",
      ),
    outcome: outcomeSchema
      .extend({ row: ROW.row })
      .meta({ id: "ReportedOutcome", description: "How a decision ended, and the row that says so." })
      .nullable()
      .describe("The first report about the decision. Null: nobody has reported yet."),
    approval: z
      .strictObject({
        approval_id: z.string(),
        rows: z
          .array(auditRowSchema)
          .readonly()
          .describe("At most 50 rows that name the approval, newest first."),
      })
      .meta({ id: "ApprovalOfDecision" })
      .nullable()
      .describe("The approval that the decision opened or used."),
    row: ROW.row,
    ...INDEXED,
  })
  .meta({ id: "Decision", description: "A decision, how it ended, and the approval that belongs to it." });

export type AuditRowAnswer = z.output<typeof auditRowSchema>;
export type AuditRowProof = z.output<typeof auditRowProofSchema>;
export type AuditPageAnswer = z.output<typeof auditPageSchema>;
export type DecisionAnswer = z.output<typeof decisionSchema>;
export type AuditIndexedAnswer = z.output<typeof indexedSchema>;
export type RowMembers = AuditRowAnswer["row"];
