import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import type { ElementPlace, Elements, Field, Question, Subject } from "@svc/engine/condition";
import { readElements } from "@svc/engine/elements";
import type { GovernedCall } from "@svc/engine/evaluation";
import { memberOf } from "@svc/engine/field-path";
import { maskSecrets, maskSecretsInIdentifier } from "@svc/engine/mask-secrets";
import { operatorNamed } from "@svc/engine/operator-table";
import { compileField, type Found } from "@svc/engine/read-field";
import { TextWork } from "@svc/engine/text-work";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { formatUsd } from "@svc/text/usd";
import { cutText, cutValue } from "./cut-value.ts";

/** Most states of the arguments that are masked for one call: masking reads all of them each time. */
const MAX_MASKED_STATES = 8;

/** Most commands or statements that are shown of one value. */
const MAX_READ = 20;

const NOT_SHOWN = "[masked]";

/** Shows what rules saw of one call, masked as its audit row would be. */
export class MaskedView {
  readonly #maskRow: CompiledPolicy["maskRow"];
  readonly #masked = new Map<JsonObject, JsonObject>();

  constructor({ maskRow }: Pick<CompiledPolicy, "maskRow">) {
    this.#maskRow = maskRow;
  }

  /** The value that a condition saw in a call; undefined when there was none. */
  valueOf(subject: Subject, call: GovernedCall): JsonValue | undefined {
    return subject.kind === "elements" ? this.#elementsOf(subject, call) : this.#fieldOf(subject, call);
  }

  /** What the operator of a condition reads in the masked value of an argument, each text cut. */
  readingOf({ subject, test }: Question, call: GovernedCall): readonly string[] | undefined {
    const { describe } = operatorNamed(test.operator);
    if (describe === undefined || (subject.kind !== "args" && subject.kind !== "anywhere")) return undefined;
    const masked = this.#maskedArgs(call);
    if (masked === null) return undefined;
    const value = compileField(subject)({ ...call, args: masked });
    const read = typeof value === "symbol" ? undefined : describe(test.operand, value)?.read;
    return read?.slice(0, MAX_READ).map((text) => cutText(text));
  }

  #elementsOf({ places }: Elements, call: GovernedCall): JsonValue | undefined {
    const options = { nullIsMissing: false, work: new TextWork() };
    if (typeof readElements(places, call, options) === "string") return undefined;
    const args = this.#maskedArgs(call);
    if (args === null) return NOT_SHOWN;
    const shown = readElements(places, { args }, options);
    if (typeof shown === "string") return NOT_SHOWN;
    const [only] = shown;
    const value =
      shown.length === 1 && typeof only === "symbol" ? valueInPlaceOfList(places, args) : undefined;
    if (value !== undefined) return cutValue(value);
    return cutValue(shown.map((element) => (typeof element === "symbol" ? null : element)));
  }

  #fieldOf(field: Field, call: GovernedCall): JsonValue | undefined {
    const found = compileField(field)(call);
    if (typeof found === "symbol") return undefined;
    switch (field.kind) {
      case "call":
        return cutValue(typeof found === "string" ? maskSecretsInIdentifier(found) : found);
      case "time":
        return new Date(call.timeMs).toISOString();
      case "usage":
        return field.name === "session.cost_usd" && typeof found === "number" ? formatUsd(found) : found;
      case "args":
      case "anywhere": {
        const masked = this.#maskedArgs(call);
        const shown = masked === null ? NOT_SHOWN : compileField(field)({ ...call, args: masked });
        return typeof shown === "symbol" ? NOT_SHOWN : cutValue(shown);
      }
    }
  }

  /** Null when too many states of the arguments were masked already. */
  #maskedArgs(call: GovernedCall): JsonObject | null {
    const known = this.#masked.get(call.args);
    if (known !== undefined) return known;
    if (this.#masked.size >= MAX_MASKED_STATES) return null;
    const redacted = this.#maskRow?.(call) ?? call.args;
    const masked = maskSecrets(redacted, canonicalJson(redacted));
    this.#masked.set(call.args, masked);
    return masked;
  }
}

/** What stands where a condition names a list. */
function valueInPlaceOfList(places: readonly ElementPlace[], args: JsonObject): JsonValue | undefined {
  for (const { pattern, isList } of places) {
    let value: Found = args;
    for (const segment of isList ? pattern.segments.slice(0, -1) : []) {
      if (typeof segment === "string" || typeof value === "symbol") return undefined;
      value = memberOf(value, segment);
    }
    if (isList && typeof value !== "symbol") return value;
  }
  return undefined;
}
