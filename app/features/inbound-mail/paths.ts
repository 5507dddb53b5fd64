import { withParams } from "~/lib/addresses";
import type { ListedState } from "./labels";

export const MAIL_PATH = "/admin/mail";
export const TRY_MAIL_PATH = `${MAIL_PATH}/try`;

/** On the page of a ticket: the mail that is shown whole below its message. */
export const WHOLE_MAIL = "mail";

export const mailPath = (id: string): string => `${MAIL_PATH}/${encodeURIComponent(id)}`;

/** The mail as it came. */
export const originalMailPath = (id: string): string => withParams("/admin/exports/mail.eml", { mail: id });

/** `before`: the time before which mails are listed; null: the newest. */
export const mailListPath = (state: ListedState, before: number | null = null): string =>
  withParams(MAIL_PATH, { state, ...(before === null ? {} : { before: String(before) }) });

/** Says in a form of a row to which list it goes back. */
export const FROM_LIST = "list";

/** The part of the page where the mail is that is open: the focus goes there. */
export const OPEN_MAIL = "open-mail";

export const openMailPath = (id: string, state: ListedState, before: number | null, part: string = OPEN_MAIL): string =>
  `${withParams(mailPath(id), { state, ...(before === null ? {} : { before: String(before) }) })}#${part}`;
