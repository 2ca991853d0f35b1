/** The call cannot be judged as it is. The text names the field, what was expected and what came. */
export class MalformedCall extends TypeError {
  override readonly name = "MalformedCall";
}
