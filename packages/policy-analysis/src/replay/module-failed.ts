/** The module of a policy could not be evaluated: what a gateway would have answered is not known. */
export class ModuleFailed extends Error {
  /** @param code such as `rego_timeout` */
  constructor(policyId: string, code: string) {
    super(`the Rego module of the policy ${policyId} could not be evaluated: ${code}`);
  }
}
