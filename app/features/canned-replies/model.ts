export const CANNED_REPLIES_PATH = "/admin/canned-replies";
export const NEW_CANNED_REPLY_PATH = `${CANNED_REPLIES_PATH}/new`;

export const cannedReplyPath = (id: string): string => `${CANNED_REPLIES_PATH}/${encodeURIComponent(id)}`;

export const CANNED_LIMITS = { title: 120, message: 10_000, replies: 100 } as const;

/** What takes the place of a variable in double braces. */
export const VARIABLES = {
  "client.first_name": "first name of the person who opened the ticket",
  "ticket.number": "number of the ticket",
  "ticket.subject": "subject of the ticket",
  "org.name": "organization",
  "agent.first_name": "your first name",
  "promise.next_reply": "time of the promised reply",
  "site.name": "our name",
  "site.phone": "our phone number",
} as const;
export type Variable = keyof typeof VARIABLES;

export const PROPOSED_STATUSES = ["waiting_for_customer", "resolved"] as const;
type ProposedStatus = (typeof PROPOSED_STATUSES)[number];

export const PROPOSALS: Record<ProposedStatus, string> = {
  waiting_for_customer: "Send and wait for customer",
  resolved: "Send and resolve",
};

export type CannedReply = {
  id: string;
  title: string;
  message: string;
  category: string | null;
  status: ProposedStatus | null;
  /** Otherwise it is the reader's own. */
  isShared: boolean;
  used: number;
  version: number;
};

/** A variable, and whatever else stands in double braces. */
const BRACES = /\{\{\s*([^{}]*?)\s*\}\}/g;

const isVariable = (name: string): name is Variable => Object.hasOwn(VARIABLES, name);

export const unknownVariables = (text: string): string[] => [
  ...new Set([...text.matchAll(BRACES)].map(([, name = ""]) => name).filter((name) => !isVariable(name))),
];

/** With the word beside it. Null: there is none. */
export const unpairedBraces = (text: string): string | null =>
  /\{\{ ?[^\s{}]{0,40}\}?|\{?[^\s{}]{0,40} ?\}\}/.exec(text.replace(BRACES, " "))?.[0] ?? null;

/**
 * What has no value becomes nothing; braces that are no variable stay, for whoever reads the text before it is sent.
 */
export const fillIn = (text: string, values: Record<Variable, string>): string =>
  text.replace(BRACES, (whole, name: string) => (isVariable(name) ? values[name] : whole));

export const appended = (draft: string, text: string): string =>
  draft.trim() === "" ? text : `${draft.trimEnd()}\n\n${text}`;

export const insertedAt = (draft: string, text: string, caret: number): string =>
  draft.slice(0, caret) + text + draft.slice(caret);
