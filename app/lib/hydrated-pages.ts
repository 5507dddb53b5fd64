/**
 * What browsers need of areas.ts, in a few bytes: every link asks it. tests/architecture/areas.test.ts compares both.
 */

const HYDRATED = /^\/((admin|client)(\/|$)|create-ticket$)/i;
const OTHERS = /^\/(client\/auth$|(admin|client)\/(attachments|exports)\/)/i;

export const isHydratedPage = (pathname: string): boolean => HYDRATED.test(pathname) && !OTHERS.test(pathname);
