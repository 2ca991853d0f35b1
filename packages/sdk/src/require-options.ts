import { nearestName } from "@svc/text/nearest-name";

/** The names of every option of a type. One that is missing does not compile. */
export type OptionNames<Options> = Readonly<Record<keyof Required<Options>, true>>;

/**
 * Refuses what is not an object of known options: an option that is misspelled would be ignored in silence.
 * @throws TypeError that names what was expected and what came
 */
export function requireOptions(
  caller: string,
  options: unknown,
  names: Readonly<Record<string, true>>,
): void {
  const known = (): string => Object.keys(names).join(", ");
  if (typeof options !== "object" || options === null)
    throw new TypeError(`${caller}: expected an object of options (${known()}), found ${kindOf(options)}`);
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  const meant = nearestName(unknown, Object.keys(names));
  const fix = meant === null ? "" : `. Did you mean ${meant}?`;
  throw new TypeError(`${caller}: expected options among ${known()}; found ${unknown.slice(0, 64)}${fix}`);
}

/** @throws TypeError unless the value is a function */
export function requireFunction(caller: string, value: unknown): void {
  if (typeof value !== "function")
    throw new TypeError(`${caller}: expected a function, found ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value;
}
