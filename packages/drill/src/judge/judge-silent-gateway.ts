import type { Check } from "./check.ts";
import type { Activation } from "./judge-kill.ts";

/** A gateway that cannot be reached is listed without an acknowledgement, and nothing is called enforced. */
export function judgeSilentGateway({
  subject,
  gateway,
  activation: { acknowledged, enforced },
}: {
  readonly subject: string;
  readonly gateway: string;
  readonly activation: Pick<Activation, "acknowledged" | "enforced">;
}): Check {
  const base = { id: "named_unverified", subject, gateway, figures: {} };
  const has = acknowledged.get(gateway);
  if (has === undefined) return { ...base, verdict: "failed", detail: `the answer does not list ${gateway}` };
  if (has) return { ...base, verdict: "failed", detail: `the answer says that ${gateway} acknowledged` };
  if (enforced)
    return { ...base, verdict: "failed", detail: `enforced is true although ${gateway} is silent` };
  return { ...base, verdict: "passed", detail: `${gateway} is listed without an acknowledgement` };
}
