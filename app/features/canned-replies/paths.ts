export const CANNED_REPLIES_PATH = "/admin/canned-replies";
export const NEW_CANNED_REPLY_PATH = `${CANNED_REPLIES_PATH}/new`;

/** Returns the address of the page that changes a canned reply. */
export const cannedReplyPath = (id: string): string => `${CANNED_REPLIES_PATH}/${encodeURIComponent(id)}`;
