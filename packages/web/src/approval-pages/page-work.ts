import type { ApprovalRecord } from "@svc/contract/approval";
import { canonicalJson } from "@svc/text/canonical-json";
import { parseStrictJson } from "@svc/text/strict-json";
import { editorText, renderApproval } from "./approval-page.ts";
import { MAX_FORM_BYTES } from "./form-limits.ts";

/** Work on the arguments of a call, which takes a third of a second for the longest. */
export const pageWork = { renderApproval, isEdited };

/** Whether the text area says something else than it showed. */
function isEdited(
  { args, edited_args }: Pick<ApprovalRecord, "args" | "edited_args">,
  text: string,
): boolean {
  const shown = edited_args ?? args;
  if (shown === null) return true;
  const sent = parseStrictJson(Buffer.from(text, "utf8"), MAX_FORM_BYTES);
  const before = parseStrictJson(Buffer.from(editorText(shown) ?? "", "utf8"), MAX_FORM_BYTES);
  return !sent.ok || !before.ok || canonicalJson(sent.value) !== canonicalJson(before.value);
}
