/** No decision is as expected. Says what was expected, what came, and how the policy came to it. */
export class UnexpectedDecision extends Error {
  override readonly name = "UnexpectedDecision";
}
