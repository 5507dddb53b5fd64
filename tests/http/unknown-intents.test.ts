import { describe, expect, test } from "vitest";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action as profile } from "~/routes/_account.profile._index";
import { action as mfa } from "~/routes/_account.profile.mfa";
import { action as sessions } from "~/routes/_account.profile.sessions";
import { action as unsent } from "~/routes/_account.profile.unsent";
import { action as notifications } from "~/routes/_admin.admin.notifications";
import { action as list } from "~/routes/_admin.admin.submissions._index";
import { action as record } from "~/routes/_admin.admin.submissions.$submissionId";
import { action as deletion } from "~/routes/_admin.admin.submissions.delete";
import { action as views } from "~/routes/_admin.admin.views";
import { action as auth } from "~/routes/_auth.auth";
import { action as clientAuth } from "~/routes/_auth.client.auth";
import { action as login } from "~/routes/_auth.login";
import { as, makePerson, makeSubmission } from "../support/factories";
import { recordedContext } from "../support/recorded-database";
import { args, post } from "../support/requests";

type Action = (given: { context: Ctx; request: Request; params: Record<string, string> }) => Promise<Response>;

/** Lists every page with more than one form, with a purpose of its tokens. */
const PAGES: [string, Action, string][] = [
  ["/auth", auth, "sign-in"],
  ["/client/auth", clientAuth, "sign-in"],
  ["/login", login, "sign-in"],
  ["/profile", profile, "account"],
  ["/profile/mfa", mfa, "account"],
  ["/profile/sessions", sessions, "account"],
  ["/profile/unsent", unsent, "unsent"],
  ["/admin/notifications", notifications, "live"],
  ["/admin/views", views, "saved-view"],
  ["/admin/submissions", list, "submission-list"],
  ["/admin/submissions/delete", deletion, "submissions-delete"],
  ["/admin/submissions/ID", record, "submission-status"],
];

/** Lists intents that no page has: neither of another page, nor of the language, nor in another case, nor left out. */
const INTENTS = ["drop-everything", "constructor", "__proto__", "STATUS", "", null];

/** Holds the fields of all forms of these pages at once. */
const FIELDS = {
  email: "somebody@clinic.example",
  password: "Correct!Horse7battery",
  full_name: "Somebody Else",
  code: "000000",
  status: "resolved",
  note: "Text",
  message: "Text",
  name: "View",
  query: "status=new",
  list: "submissions",
  seq: "1",
  through: "1",
  scope: "all",
};

async function answerOf(action: Action, given: Parameters<Action>[0]): Promise<Response> {
  try {
    return await action(given);
  } catch (error) {
    if (error instanceof Response) return error;
    throw error;
  }
}

describe.each(PAGES)("%s", (address, action, purpose) => {
  test("rejects what none of its forms sends, and writes nothing", async () => {
    const { context, statements } = recordedContext();
    const person = await makePerson(context, { role: "admin", withTotp: true });
    const { id } = await makeSubmission(context);
    const ctx = as(context, person);
    const path = address.replace("ID", id);
    statements.clear();
    for (const intent of INTENTS) {
      const token = issueFormToken(ctx, purpose);
      const chosen: Record<string, string> = intent === null ? {} : { intent, unsent: intent };
      const fields = { ...FIELDS, ...chosen, form_token: token, unsent_token: token, id, row: `${id}.1` };
      const response = await answerOf(action, args(ctx, post(path, fields), { submissionId: id }));
      expect(response.status, String(intent)).toBe(400);
    }
    expect([...statements].filter((statement) => !/^\s*(select|with)\b/i.test(statement))).toEqual([]);
    expect(context.cookiesSet).toEqual([]);
  });
});
