import { type Requirement, tested } from "./requirement.ts";

/** Calls that wait for people. */
export const approvalRequirements: readonly Requirement[] = [
  tested("APR-01", "The address of an approval cannot be guessed, and the row names the approval."),
  tested(
    "APR-02",
    "An approval is bound to org, agent, session, tool and arguments, and allows one call once.",
  ),
  tested("APR-08", "An approval shows the call as its row masks it, and says when values are masked."),
  tested(
    "APR-03",
    "An approval ends in exactly one of approved, denied, expired or cancelled, with one audit row.",
  ),
  tested(
    "APR-04",
    "Reading an approval never decides it; who asked, an agent's key and an adapter's key never resolve one.",
  ),
  tested("APR-09", "While authentication is off, the row says when who asked resolved the approval."),
  tested("APR-05", "The approver may edit the arguments; masked values that the edit leaves stay."),
  tested("APR-06", "A workflow says how many different keys, of which roles and ids, must approve."),
  tested("APR-10", "An approval is not given when the policy has another version by now."),
  tested("APR-11", "An approval cannot be resolved after its time, whether or not its end is stored yet."),
  tested("APR-12", "The key that asked, or an operator, can cancel an approval."),
  tested("APR-13", "The approvals of an agent can be suspended, and resumed."),
  tested("APR-14", "Approvals are listed newest first, by status, agent, session, tool and workflow."),
  tested("APR-15", "Prefer: wait answers as soon as the approval is resolved."),
  tested("APR-16", "A paused call that is repeated names its open approval, and leaves a row each time."),
  tested("APR-17", "An edited call runs with the edited arguments, as far as the policy allows them."),
  tested(
    "APR-18",
    "Kill switches, a deny, and any other version of the policy win over an approval that was given.",
  ),
  tested("APR-19", "The repeat of an approved call with one Idempotency-Key counts once at every process."),
  tested("APR-21", "Approvals and grants survive kill -9."),
  tested(
    "APR-20",
    "The approval_url of a pause leads to a page that shows nothing before a login, the same for every id.",
  ),
  tested(
    "APR-60",
    "At every adapter an approved call passes once when it is repeated, and then pauses anew.",
  ),
  tested(
    "APR-61",
    "At every adapter a call that was approved with other arguments runs with those, or is denied.",
  ),
  tested("APR-62", "When one call of a message is paused, approvals that its other calls used come back."),
  tested("APR-63", "MCP clients that are sent to an approval, and those that are not, pass once after it."),
  tested(
    "APR-65",
    "Repeats with the Idempotency-Key of a paused call pass once its approval was given, and count once.",
  ),
  tested("APR-64", "The commands of docs/APPROVALS.md run as written and answer what the page shows."),
  tested(
    "APR-22",
    "In every order of events an approval has one end, one use, its approvers and the approved arguments.",
  ),
  tested("APR-23", "A process holds at most 1,000 requests that wait for approvals, and 100 of one key."),
  tested("APR-24", "The key of a read is checked again before the answer: no wait outlives a revocation."),
  tested(
    "APR-25",
    "A kill switch between the commit and the answer of an approved call gives the grant back.",
  ),
  tested("APR-26", "Approvals that open while those of their agent are suspended or resumed stay whole."),
  tested("APR-27", "A large call passes with edited arguments like any other."),
  tested("APR-70", "The approval_url of a paused call, opened in a browser, lets the call pass once."),
  tested("APR-72", "The limit of open approvals holds when several writers of one database race."),
  tested(
    "APR-73",
    "Requests of one organization that wait for approvals leave places to others, whatever its keys.",
  ),
  tested(
    "APR-74",
    "A call that rules pause by different workflows is denied: no approval by one of them lets it pass.",
  ),
  tested(
    "APR-75",
    "An open approval whose policy was replaced says that it is void, and a change counts them.",
  ),
  tested(
    "APR-90",
    "An approval says for which sessions it holds. The pause of a repeat in another session says so.",
  ),
  tested("APR-94", "Neither a pause nor a suspended approval names another session to the key of an agent."),
  tested(
    "APR-91",
    "With covers, an approval holds for up to 20 calls with the same values of the arguments, and no other.",
  ),
  tested(
    "APR-92",
    "An approval that was given can be revoked, and then no call can use it, also when an earlier " +
      "call gives its use back afterwards.",
  ),
  tested("APR-93", "The approvals that are listed name unused grants, until when, and when one was used."),
  tested("APR-71", "Behind Envoy a pause carries its approval_url, and the approved request passes once."),
];
