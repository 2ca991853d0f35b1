export const NODE_VERSION: string;
export const PNPM_VERSION: string;
export const root: string;
export const toolsDir: string;
export function toolEnvironment(): Record<string, string | undefined>;
