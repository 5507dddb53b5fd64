/** Lists the changes of the second factor that the MFA page offers, by whether it is set up. */
export const MFA_CHANGES = { on: ["reconfigure", "codes", "disable"], off: ["enable"] } as const;
export type MfaChange = (typeof MFA_CHANGES)["on" | "off"][number];
