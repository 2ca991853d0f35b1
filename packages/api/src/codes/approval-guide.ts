/** The reason codes of calls that need an approval. */
export const APPROVAL_GUIDE = {
  approval_required: {
    meaning: "The call is paused until a person approves it",
    remedy: "Repeat the same call in the session that `reason` names, after the approval at `approval_url`",
  },
  approval_limit: {
    meaning: "The call needs an approval, and its agent, its key or its organization has too many open",
    remedy: "Resolve or cancel some: `GET /api/v1/approvals?status=pending`",
  },
  approval_workflow_unknown: {
    meaning: "The call needs an approval by a workflow that does not exist",
    remedy: "Create the workflow that the rule `rule_id` names, or change the rule",
  },
  approval_workflow_conflict: {
    meaning: "Two rules require approval of the call by different workflows, and an approval has one",
    remedy: "Let the conditions of the rules exclude each other, or name one workflow in both",
  },
  approval_not_covering: {
    meaning: "The call was approved with other arguments, and the policy does not allow it with those",
    remedy: "Ask again with arguments that the policy allows",
  },
} as const;
