/** A script cannot read where a redirect leads, so the answer to its post names it. */

export const SCRIPTED_POST_HEADER = "X-Scripted-Post";

/** Names the header of the answer that stands for a redirect: the address the browser is to open. */
export const NEXT_PAGE_HEADER = "X-Next-Page";
