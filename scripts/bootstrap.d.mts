export type BootstrapOptions = {
  readonly quiet?: boolean;
  readonly dependencies?: boolean;
  readonly build?: boolean;
};

export function bootstrapOrExit(options: BootstrapOptions): Promise<void>;
