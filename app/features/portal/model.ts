/** Takes the forms of the switcher. */
export const SWITCH_PATH = "/client/switch";

/** Returns the path of the live channel for a page of an organization. */
export const livePath = (organizationId: string) => `/client/live?organization=${organizationId}`;

/** An organization as the switcher offers it. */
export type OfferedOrganization = { id: string; name: string };
