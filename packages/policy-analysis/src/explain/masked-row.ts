import type { Subject } from "@svc/engine/condition";
import { canonicalJson } from "@svc/text/canonical-json";
import { digestOfText } from "@svc/text/digest-of";
import { isMaskedAt, isWhollyMasked, mayHoldMask } from "./masked-args.ts";
import type { RecordedDecision } from "./recorded-decision.ts";

/** What of a call its row does not hold as it came. */
export interface MaskedRow {
  /** Null: the digests of the row do not fit what it holds, and it shows no mask. */
  readonly masked: boolean | null;
  readonly args: boolean;
  readonly wholly: boolean;
  /** Whether a name of the call is masked. */
  readonly names: boolean;
  readonly isMasked: (subject: Subject) => boolean;
}

/** The digest says whether the arguments are as they came. What looks like a mask may have come so. */
export function maskedRow({ row, digest }: Pick<RecordedDecision, "row" | "digest">): MaskedRow {
  const text = canonicalJson(row.args);
  const asSent = sameDigest(row.args_digest, text, digest);
  const showsMask = mayHoldMask(text);
  const args = !asSent;
  const { agent_id, session_id, namespace, tool } = row;
  const names = [agent_id, session_id ?? "", namespace, tool].some(mayHoldMask);
  return {
    masked: names || showsMask === args ? names || args : null,
    args,
    wholly: args && isWhollyMasked(row.args),
    names,
    isMasked: (subject) => {
      switch (subject.kind) {
        case "args":
          return args && (!showsMask || isMaskedAt(row.args, subject.path));
        case "anywhere":
        case "elements":
          return args;
        case "call":
          return mayHoldMask(row[subject.name] ?? "");
        case "time":
        case "usage":
          return false;
      }
    },
  };
}

/** Rows of earlier builds have digests without a key. */
export function sameDigest(
  recorded: string | null,
  text: string,
  digest: RecordedDecision["digest"],
): boolean {
  return recorded === (recorded?.startsWith("sha256:") === true ? digestOfText(text) : digest.of(text));
}
