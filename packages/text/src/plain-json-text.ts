/** Strings that stand between quotes as they are. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Deepest nesting that is written here, as count. */
const MAX_DEPTH = 64;

/**
 * The text that JSON.stringify gives for a value that consists of nothing but plain JSON: own members of
 * plain objects and arrays, each read once. Null for everything else, such as an object with a class, a
 * `toJSON`, NaN, a function or undefined: its caller asks JSON.stringify. @throws what a getter throws.
 */
export function plainJsonText(value: unknown, depth = 0): string | null {
  switch (typeof value) {
    case "string":
      return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? String(value) : null;
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (depth === MAX_DEPTH) return null;
      return Array.isArray(value) ? arrayText(value, depth + 1) : objectText(value, depth + 1);
    default:
      return null;
  }
}

function arrayText(array: readonly unknown[], depth: number): string | null {
  if (Object.getPrototypeOf(array) !== Array.prototype || "toJSON" in array) return null;
  let text = "[";
  for (let at = 0; at < array.length; at += 1) {
    const item = plainJsonText(array[at], depth);
    if (item === null) return null;
    text += at === 0 ? item : `,${item}`;
  }
  return `${text}]`;
}

function objectText(object: object, depth: number): string | null {
  const prototype: unknown = Object.getPrototypeOf(object);
  if ((prototype !== Object.prototype && prototype !== null) || "toJSON" in object) return null;
  let text = "{";
  for (const key in object) {
    if (!Object.hasOwn(object, key)) continue;
    const value: unknown = Reflect.get(object, key);
    const lead = text.length === 1 ? "" : ",";
    // Each piece of a text is an object of its own until the text is sent, so these are few.
    if (typeof value === "string" && PLAIN.test(key) && PLAIN.test(value)) {
      text += `${lead}"${key}":"${value}"`;
      continue;
    }
    const member = plainJsonText(value, depth);
    if (member === null) return null;
    const name = PLAIN.test(key) ? `"${key}"` : JSON.stringify(key);
    text += `${lead}${name}:${member}`;
  }
  return `${text}}`;
}
