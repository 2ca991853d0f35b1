import { PolicyGatewayError } from "./policy-gateway-error.ts";

interface FileSystem {
  readFileSync(path: string | URL, encoding: "utf8"): string;
}

/** The runtime, where it has files. Nothing is imported, so that pages and workers can load this module. */
interface Runtime {
  readonly process?: { readonly getBuiltinModule?: (name: string) => FileSystem | undefined };
}

/** @throws PolicyGatewayError that names the file */
export function readPolicyFile(path: string | URL): string {
  const { process } = globalThis as Runtime;
  const files = process?.getBuiltinModule?.("node:fs");
  if (files === undefined)
    throw new PolicyGatewayError(
      `${String(path)}: this runtime reads no files. Pass the text: { file: "refunds.yaml", source: text }`,
    );
  try {
    return files.readFileSync(path, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PolicyGatewayError(`${String(path)}: the policy cannot be read: ${why}`);
  }
}
