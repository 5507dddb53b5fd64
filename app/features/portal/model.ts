/** Takes the forms of the switcher. */
export const SWITCH_PATH = "/client/switch";

/** An organization as the switcher offers it. */
export type OfferedOrganization = { id: string; name: string };
