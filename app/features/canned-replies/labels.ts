import { CANNED_LIMITS } from "./model";

export const LIST_NAME = "Saved replies";

export const CANNED_REPLY_SAVED = { title: "Success", message: "Saved reply updated successfully" } as const;
export const CANNED_REPLY_DELETED = { title: "Success", message: "Saved reply deleted successfully" } as const;
export const CANNED_REPLY_NOT_SAVED = "Failed to save the reply";
export const tooManyReplies = (isShared: boolean): string =>
  `There are ${CANNED_LIMITS.replies} ${isShared ? "replies for all staff" : "replies of yours"} already. Delete one first.`;
export const CANNED_REPLY_NOT_DELETED = "Failed to delete the reply";
export const CANNED_REPLY_CHANGED_MEANWHILE = "This reply was changed meanwhile. Your text is below.";

export const unknownVariableText = (names: readonly string[]): string =>
  `There is no variable ${names.map((name) => `{{${name}}}`).join(", ")}.`;

export const unpairedBracesText = (braces: string): string =>
  `Braces are missing at “${braces}”. A variable has two on each side: {{ticket.number}}.`;
