/**
 * What every program that a test starts finds in its environment. Node keeps compiled modules in the folder
 * that the test runner names: a file per module, complete when it gets its name, and known by the text of the
 * module. A process that ends by itself writes what is missing, a killed one writes nothing.
 */
export function startEnvironment(): Readonly<Record<string, string>> {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? { PATH } : { PATH, NODE_COMPILE_CACHE };
}
