const CODE = /^[A-Z][A-Z0-9_]{1,63}$/;

/** How far a chain of causes is followed, as count: a cause may name itself. */
const MAX_CAUSES = 5;

/**
 * The stable code of a transport error (`ECONNREFUSED`, `UND_ERR_SOCKET`); never its text, which may carry
 * secrets.
 */
export function transportCode(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    const code: unknown = "code" in current ? current.code : undefined;
    if (typeof code === "string" && CODE.test(code)) return code;
    current = current.cause;
  }
  return "unknown transport error";
}
