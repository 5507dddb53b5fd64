/*
 * What browsers need of the table of addresses (areas.ts), in a few bytes: every link asks it.
 * tests/architecture/areas.test.ts compares the two.
 */

const HYDRATED = /^\/((admin|client)(\/|$)|create-ticket$)/i;
const OTHERS = /^\/(client\/auth$|(admin|client)\/(attachments|exports)\/)/i;

export const isHydratedPage = (pathname: string): boolean => HYDRATED.test(pathname) && !OTHERS.test(pathname);
