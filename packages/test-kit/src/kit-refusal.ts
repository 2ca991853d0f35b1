/**
 * The kit was asked for something that it does not have or cannot do. The message says what was expected,
 * what came and what to do.
 */
export class KitRefusal extends Error {
  override readonly name = "KitRefusal";
}
