import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";

/** Members of a choice that spell its text once more, token by token. */
const TOKENS = ["logprobs", "token_ids"] as const;

/**
 * An edited answer without the tokens of choices that the edit has changed: they spell what was rewritten.
 * @param before the answer that `after` was made of; what was not edited is the same object in both
 */
export function withoutTokens(before: JsonObject, after: JsonValue): JsonValue {
  if (!isJsonObject(after) || !Array.isArray(after["choices"])) return after;
  const originals = before["choices"];
  const choices: readonly JsonValue[] = after["choices"];
  return {
    ...after,
    choices: choices.map((choice, index) => {
      const isSame = Array.isArray(originals) && originals[index] === choice;
      return isSame || !isJsonObject(choice) ? choice : withoutMembers(choice);
    }),
  };
}

function withoutMembers(choice: JsonObject): JsonObject {
  const spelled = TOKENS.filter((name) => (choice[name] ?? null) !== null);
  return { ...choice, ...Object.fromEntries(spelled.map((name) => [name, null])) };
}
