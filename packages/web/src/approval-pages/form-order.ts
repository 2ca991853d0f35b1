import { parseApproveRequest, parseRefuseApproval } from "@svc/contract/approval";
import { invalidProblem } from "@svc/contract/body-problem";
import { type Problem, problem } from "@svc/contract/problem";
import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import { MAX_FORM_BYTES } from "./form-limits.ts";
import type { Form } from "./read-form.ts";

export type Fields = Extract<Form, { kind: "form" }>["fields"];

export const BUSY = "Too many pages are being made, so nothing was done. Try again.";

const UNSENT_EDIT =
  "You changed the arguments, but the button that you used approves them as asked. Nothing was done. Use " +
  "“Approve with these arguments”, or leave the arguments as they were.";

/** What a form asks for. */
export type Order =
  | { readonly kind: "approve"; readonly reason: string; readonly args: JsonObject | null }
  | { readonly kind: "deny"; readonly reason: string }
  | { readonly kind: "problem"; readonly problem: Problem };

/** @param isEdited whether the text area says something else than it showed; null: nobody could compare */
export function orderOf(isEdited: boolean | null, { action, reason = "", args }: Fields): Order {
  switch (action) {
    case "deny": {
      const parsed = parseRefuseApproval({ reason });
      return parsed.ok ? { kind: "deny", ...parsed.value } : invalid(invalidProblem(parsed.errors));
    }
    case "approve":
      if (isEdited === null) return invalid(problem("overloaded", BUSY));
      return isEdited ? invalid(problem("invalid_request", UNSENT_EDIT)) : approveWith(reason, null);
    case "approve_edited": {
      const edited = parseStrictJson(Buffer.from(args ?? "", "utf8"), MAX_FORM_BYTES);
      if (!edited.ok || !isJsonObject(edited.value))
        return invalid(problem("invalid_request", "Arguments: expected one JSON object. Nothing was done."));
      return approveWith(reason, edited.value);
    }
    case undefined:
    default:
      return invalid(
        problem("invalid_request", "Expected one of the buttons of the page. Nothing was done."),
      );
  }
}

function approveWith(reason: string, args: JsonObject | null): Order {
  const parsed = parseApproveRequest({ reason, args });
  return parsed.ok ? { kind: "approve", ...parsed.value } : invalid(invalidProblem(parsed.errors));
}

function invalid(refusal: Problem): Order {
  return { kind: "problem", problem: refusal };
}
