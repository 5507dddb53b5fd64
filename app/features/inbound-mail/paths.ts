import { withParams } from "~/lib/addresses";
import type { ListedState } from "./labels";

export const MAIL_PATH = "/admin/mail";
export const TRY_MAIL_PATH = `${MAIL_PATH}/try`;

/** On the page of a ticket: the mail that is shown whole below its message. */
export const WHOLE_MAIL = "mail";

export const mailPath = (id: string): string => `${MAIL_PATH}/${encodeURIComponent(id)}`;

/** `before`: the time before which mails are listed; null: the newest. */
export const mailListPath = (state: ListedState, before: number | null = null): string =>
  withParams(MAIL_PATH, { state, ...(before === null ? {} : { before: String(before) }) });
