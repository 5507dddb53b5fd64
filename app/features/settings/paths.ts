/** Apart from the settings themselves, so that browsers need not load what reads them. */
export const SETTINGS_PATH = "/admin/settings";
export const LOGO_PATH = "/admin/settings/logo";
