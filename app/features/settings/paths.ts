/** Apart from the settings themselves, so that browsers need not load what reads them. */
export const SETTINGS_PATH = "/admin/settings";
export const CONTENT_PATH = "/admin/settings/content";
export const LOGO_PATH = "/admin/settings/logo";
export const PORTRAIT_PATH = "/admin/settings/portrait";
