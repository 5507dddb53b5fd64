/** How a check came out; `off`: there is nothing to check, because it is not switched on. */
export type CheckState = "ok" | "attention" | "off";
