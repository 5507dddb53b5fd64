/** Names the result of a check; `off` means there is nothing to check, because it is not switched on. */
export type CheckState = "ok" | "attention" | "off";
