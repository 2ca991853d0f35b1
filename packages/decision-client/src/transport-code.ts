const CODE = /^[A-Z][A-Z0-9_]{1,63}$/;

/** In place of the code of an error that has none. */
export const UNKNOWN_TRANSPORT_ERROR = "unknown transport error";

/** Largest number of causes that are followed: a cause may name itself. */
const MAX_CAUSES = 5;

/**
 * The stable code of a transport error (`ECONNREFUSED`, `UND_ERR_SOCKET`); never its text, which
 * may carry secrets.
 */
export function transportCode(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    const code: unknown = "code" in current ? current.code : undefined;
    if (typeof code === "string" && CODE.test(code)) return code;
    current = current.cause;
  }
  return UNKNOWN_TRANSPORT_ERROR;
}

/**
 * Why the gateway could not be reached, as one line for the log: the code of a transport error, else the
 * message of an error of our own. A lost connection is not a defect, so its stack trace is left out.
 */
export function faultText(error: unknown): string {
  const code = transportCode(error);
  return code === UNKNOWN_TRANSPORT_ERROR && error instanceof Error
    ? (error.message.split("\n", 1)[0] ?? UNKNOWN_TRANSPORT_ERROR)
    : code;
}
