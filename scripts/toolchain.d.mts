export const root: string;
export const toolsDir: string;
export const nodePath: string;
export const pnpmScript: string;
export function toolEnvironment(): Record<string, string | undefined>;
