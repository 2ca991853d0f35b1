import type { ApprovalRecord } from "@svc/contract/approval";
import { canonicalJson } from "@svc/contract/canonical-json";
import { parseStrictJson } from "@svc/contract/strict-json";
import { editorText, renderApproval, type ShownApproval } from "./approval-page.ts";
import { MAX_FORM_BYTES } from "./form-limits.ts";

/** Work on the arguments of a call, which takes a third of a second for the longest. */
export type PageJob =
  | { readonly kind: "render"; readonly shown: ShownApproval }
  | {
      readonly kind: "compare";
      readonly shown: Pick<ApprovalRecord, "args" | "edited_args">;
      readonly text: string;
    };

/** The result of each kind of job. */
export interface PageResult {
  /** The page. */
  readonly render: string;
  /** Whether the text area says something else than it showed. */
  readonly compare: boolean;
}

export function doPageJob(job: PageJob): PageResult[PageJob["kind"]] {
  switch (job.kind) {
    case "render":
      return renderApproval(job.shown);
    case "compare":
      return isEdited(job.shown, job.text);
  }
}

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
