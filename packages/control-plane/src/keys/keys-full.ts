import type { KeysFull } from "@svc/store/ports/key-store";
import { type Refusal, refuse } from "../refusal.ts";

/** Says whose keys leave no place for another one, and who can make some. */
export function keysFull(full: KeysFull, trustRule: string | null): Refusal {
  if (full.of === "lasting")
    return refuse("limit_reached", "This organization has as many keys as it can have. Revoke some.");
  const { exchanged, logins, nextEnd } = full;
  const end = `The next of them ends at ${nextEnd}.`;
  switch (full.of) {
    case "trust_rule":
      return refuse(
        "limit_reached",
        `The trust rule ${trustRule ?? ""} has given as many keys as may live at once. ${end} ` +
          "Use a key until it ends instead of exchanging again, or give the rule a shorter lifetime.",
      );
    case "exchanged":
      return refuse(
        "limit_reached",
        `The trust rules of this organization have given as many keys as may live at once, ` +
          `${String(exchanged)}. ${end} ${HELP}`,
      );
    case "short":
      return refuse(
        "limit_reached",
        "This organization has as many keys of minutes as it can have: trust rules have given " +
          `${String(exchanged)}, and ${String(logins)} are of logins. ${end} ${HELP}`,
      );
  }
}

const HELP =
  "Somebody with an API key that has the scope key:write can end some: GET keys shows the trust rule or " +
  "the person in created_by, and DELETE keys/{id} ends one.";
