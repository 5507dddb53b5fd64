import * as z from "zod";
import type { StaffActor } from "~/features/auth/guards.server";
import { absentAsEmpty } from "~/lib/form";
import { isId } from "~/lib/ids";
import { type ActionResult, conflict, done, invalid, notFound } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { acknowledgeAlert } from "./alerts/acknowledge-alert.server";
import { ACKNOWLEDGED, ALERT_GONE, acknowledgedAlready, NOT_ACKNOWLEDGED, NOTE_TOO_LONG } from "./copy";
import { NOTE_MAX, SECURITY_PATH } from "./model";

/** Names the purpose of the form token that all alerts share. */
const ALERT_PURPOSE = "security-alert";

/** Says why an alert was not acknowledged, which one, and the note as typed. */
export type AlertAnswer = { rejection: string; id: string; note: string };

const AcknowledgeForm = absentAsEmpty(
  ["note"],
  z.object({
    id: z.string().refine((id) => isId("alr", id)),
    note: z.string().trim().max(NOTE_MAX, NOTE_TOO_LONG),
  }),
);

const answer = (rejection: string, { id = "", note = "" }: Record<string, string>): AlertAnswer => ({
  rejection,
  id,
  note,
});

/** Handles the forms of the security center. */
export const securityActions = formActions<StaffActor, null, AlertAnswer>()({
  acknowledge: {
    ability: "security.acknowledge",
    purpose: ALERT_PURPOSE,
    form: AcknowledgeForm,
    invalid: (problem) =>
      invalid(answer((problem.code === "fields" && problem.errors.note) || NOT_ACKNOWLEDGED, problem.values)),
    run: async (ctx, actor, { input: { id, note } }): Promise<ActionResult<AlertAnswer>> => {
      const result = await acknowledgeAlert(ctx, actor, { alertId: id, note });
      if (result.outcome === "acknowledged")
        return done({ to: SECURITY_PATH, flash: { kind: "success", ...ACKNOWLEDGED } });
      if (result.outcome === "not_found") return notFound();
      if (result.outcome !== "already")
        return conflict(answer(result.outcome === "over" ? ALERT_GONE : NOT_ACKNOWLEDGED, { id, note }));
      const message = acknowledgedAlready(result.isOwn ? "You" : result.by);
      if (result.isOwn)
        return done({ to: SECURITY_PATH, flash: { kind: "info", title: "No change", message }, unchanged: true });
      return conflict(answer(message, { id, note }));
    },
  },
});
