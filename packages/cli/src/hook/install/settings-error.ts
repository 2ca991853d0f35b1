/** The settings cannot be changed without a risk. The message says where and why. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
