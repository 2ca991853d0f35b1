/** Whether a command is what a pattern says, as far as that is known before it runs. */
export type Fit = "yes" | "no" | "unsure";
