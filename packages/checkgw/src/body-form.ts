/**
 * Chooses the form of a body by the Accept header: plain text only for a caller that asks for it and not for
 * JSON. It chooses nothing else: a client reaches this header through most proxies.
 */
export function chooseBodyForm(accept: string | undefined): "json" | "text" {
  const wanted = (accept ?? "").toLowerCase();
  return wanted.includes("text/plain") && !wanted.includes("json") ? "text" : "json";
}
