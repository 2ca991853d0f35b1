import { GLOB_PATTERN } from "@svc/contract/glob-pattern";
import { IDENTIFIER_EXPECTATION, IDENTIFIER_PATTERN } from "@svc/contract/identifier";
import { NAME_EXPECTATION } from "@svc/contract/name";
import { NAME_JSON_SCHEMA } from "@svc/contract/name-schema";
import type { JsonObject } from "@svc/text/json-value";
import {
  ELEMENT_PLACE_PATTERN,
  FIELD_PATH_PATTERN,
  FIELD_PATTERN_PATTERN,
} from "../evaluate/field-grammar.ts";

/** Texts that stand at many places of a document. */
export const TEXT_DEFINITIONS = {
  identifier: { type: "string", pattern: IDENTIFIER_PATTERN, description: IDENTIFIER_EXPECTATION },
  name: { ...NAME_JSON_SCHEMA, description: NAME_EXPECTATION },
  glob: {
    type: "string",
    pattern: GLOB_PATTERN,
    description: "A tool name. * stands for any run of characters, and nothing else is special.",
  },
  field_path: {
    type: "string",
    pattern: FIELD_PATH_PATTERN,
    description: "One argument: args.<name>, with further names or places in lists after dots.",
  },
  field_pattern: {
    type: "string",
    pattern: FIELD_PATTERN_PATTERN,
    description: "Arguments: args.<name>, in which * is one member or element, and ** any depth.",
  },
  element_place: {
    type: "string",
    pattern: ELEMENT_PLACE_PATTERN,
    description: "An argument that holds a list, or a path in which each * is every element of one list.",
  },
} as const satisfies Readonly<Record<string, JsonObject>>;

export function textDefinition(name: keyof typeof TEXT_DEFINITIONS): JsonObject {
  return { $ref: `#/$defs/${name}` };
}
