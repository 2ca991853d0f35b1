/** What an operator can do about a question that got no answer. */
export interface TransportHint {
  readonly hint: string;
  /** False: the same question cannot be answered before a setting changes. */
  readonly retryable: boolean;
}

interface Cause {
  readonly code: RegExp;
  readonly retryable: boolean;
  readonly hint: (url: string, code: string) => string;
}

/** The first one whose code fits. Python has the same ones, and transport-hints.json holds both to them. */
const CAUSES: readonly Cause[] = [
  {
    code: /^BAD_PORT$/,
    retryable: false,
    hint: (url) => `fetch refuses to connect to the port of ${url}. Choose another port for the gateway.`,
  },
  {
    code: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_LAYER_FAILURE|UNKNOWN_PROTOCOL/,
    retryable: false,
    hint: (url) =>
      `The server at ${url} does not speak TLS. If it is the gateway, SVC_URL begins with http://.`,
  },
  {
    code: /CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ALTNAME/,
    retryable: true,
    hint: (url, code) =>
      `The certificate of ${url} was not accepted (${code}). Trust the authority that issued it, ` +
      "and name the gateway in SVC_URL as the certificate does.",
  },
  {
    code: /^(EAI_|ENOTFOUND)/,
    retryable: true,
    hint: (url) => `The host of ${url} has no address. Set SVC_URL to the address of the gateway.`,
  },
  {
    code: /^CLIENT_CLOSED$/,
    retryable: false,
    hint: () => "The client was closed before the call. Keep it open while calls are made.",
  },
];

export function transportHint(baseUrl: string, code: string): TransportHint {
  const cause = CAUSES.find((each) => each.code.test(code));
  if (cause !== undefined) return { hint: cause.hint(baseUrl, code), retryable: cause.retryable };
  return {
    hint: `No gateway answered at ${baseUrl}. Start it there, or set SVC_URL to its address.`,
    retryable: true,
  };
}
