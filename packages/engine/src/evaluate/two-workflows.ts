interface Asking {
  readonly ruleId: string | null;
  readonly workflow: string;
}

/** Why a call is denied that two rules pause by different workflows. */
export function twoWorkflows(one: Asking, other: Asking): string {
  return (
    `${nameOf(one)} and ${nameOf(other)} require approval by different workflows, ${one.workflow} and ` +
    `${other.workflow}, and an approval has one: let their conditions exclude each other, or name one ` +
    "workflow"
  );
}

function nameOf({ ruleId }: Asking): string {
  return ruleId === null ? "another evaluator" : `the rule ${ruleId}`;
}
