export const root: string;
export const toolsDir: string;
export function toolEnvironment(): Record<string, string | undefined>;
