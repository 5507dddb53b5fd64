import { withParams } from "~/lib/addresses";
/** Apart from the settings themselves, so that browsers need not load what reads them. */
export const SETTINGS_PATH = "/admin/settings";
export const CONTENT_PATH = "/admin/settings/content";
export const LOGO_PATH = "/admin/settings/logo";
export const PORTRAIT_PATH = "/admin/settings/portrait";

export const MAIL_SETUP_PART = "mail-setup";

export const MAIL_SETUP_PATH = withParams(SETTINGS_PATH, { tab: "general", part: MAIL_SETUP_PART });
