import * as z from "zod";
import type { Actor } from "~/access/model";
import { safePath } from "~/lib/safe-path";
import { type ActionResult, badRequest, done } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { markRead } from "./mark-read.server";
import { CLIENT_NOTIFICATIONS_PATH, STAFF_NOTIFICATIONS_PATH } from "./model";
import { ownNotifications } from "./queries.server";

/** Names the purpose of the tokens of the person's own notifications. */
export const NOTIFICATION_PURPOSE = "notifications";

const seq = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** Redirects to the page of the form. In the portal there is a current organization. */
const back = ({ membership }: Actor, { fields }: PostedForm): ActionResult<never> =>
  membership
    ? done({ to: safePath(fields.return_to, ["portal"], CLIENT_NOTIFICATIONS_PATH) })
    : done({ to: safePath(fields.return_to, ["admin"], STAFF_NOTIFICATIONS_PATH) });

/** Marks notifications of the person as read: one, or all that were shown. */
export const notificationActions = formActions<Actor, null, never>()({
  mark_read: {
    purpose: NOTIFICATION_PURPOSE,
    form: z.object({ seq }),
    invalid: badRequest,
    run: async (ctx, actor, { input, ...posted }) => {
      await markRead(ctx, ownNotifications(actor), { seq: input.seq });
      return back(actor, posted);
    },
  },
  mark_all_read: {
    purpose: NOTIFICATION_PURPOSE,
    form: z.object({ through: seq }),
    invalid: badRequest,
    run: async (ctx, actor, { input, ...posted }) => {
      await markRead(ctx, ownNotifications(actor), { through: input.through });
      return back(actor, posted);
    },
  },
});
