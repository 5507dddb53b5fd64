import type { ClientActor } from "~/features/auth/guards.server";
import { PORTAL_HOME_PATH } from "~/lib/addresses";
import { badRequest, done, notFound } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { SwitchForm } from "./forms.server";
import { switchOrganization } from "./switch-organization.server";

/** Names the purpose of the token of the switcher, which is on every page of the portal. */
export const SWITCH_PURPOSE = "switch-organization";

/** Changes the organization that the session works in. */
export const switchActions = formActions<ClientActor, null, never>()({
  switch: {
    purpose: SWITCH_PURPOSE,
    form: SwitchForm,
    invalid: badRequest,
    run: async (ctx, actor, { input }) => {
      const isSwitched = await switchOrganization(ctx, actor, input.organization_id);
      return isSwitched ? done({ to: PORTAL_HOME_PATH, newDocument: true }) : notFound();
    },
  },
});
