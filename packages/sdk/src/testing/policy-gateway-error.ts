/** The test gateway cannot be opened, or cannot do what was asked. It allowed no call. */
export class PolicyGatewayError extends Error {
  override readonly name = "PolicyGatewayError";
}
